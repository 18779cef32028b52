/** Phrases for apps. The format is explained in flow.ts. The nodes of a line share its phrases, likeliest first. */
export const apps = `
slack, microsoftTeams, discord, mattermost, googleChat, telegram, rocketchat, zulip, ciscoWebex, matrix, twist: team chat | chat message | post a message | post in a channel | send a chat message | message my team | notify the team | tell my colleagues | instant message | direct message | ping a colleague | channel message | alert the team
slack, gmail, microsoftOutlook, telegram, discord, microsoftTeams, whatsApp, googleChat, emailSend: approval | ask for approval | wait for approval | approve or reject | human in the loop | send and wait for a response | ask a person | someone has to approve | confirm by a human | get a sign off | manual review by a person
slackTrigger: new slack message | mention in slack | message posted in slack | reaction added | slack event
discord: discord server | discord bot | discord channel
telegram: telegram message | telegram bot | send a photo to telegram
telegramTrigger: telegram message received | incoming telegram message | bot receives a message | telegram bot gets a message
whatsApp: whatsapp | whatsapp message
whatsAppTrigger: whatsapp message received | incoming whatsapp
microsoftTeams: teams | ms teams | teams channel | teams message
microsoftTeamsTrigger: new message in teams
gmail, emailSend, microsoftOutlook: email | mail | send an email | send a mail | reply to an email | forward an email | email someone | send an invitation by mail
gmail: gmail | google mail | label an email | draft an email | search my inbox | mark as read | mail thread | archive an email
gmailTrigger, emailReadImap, microsoftOutlookTrigger: new email | email arrives | mail arrives | incoming email | email received | receive an email | when i get mail | inbox gets a message
microsoftOutlook: outlook | office 365 mail | microsoft mail | exchange mail | outlook calendar
sendGrid, mailgun, mailjet, awsSes, mandrill, sendInBlue: transactional email | bulk email | email service | mass mailing | send email by api
postmarkTrigger: email bounced | email delivered event
mailchimp, sendInBlue, mailerLite, activeCampaign, convertKit, getResponse, sendy, egoi: newsletter | mailing list | subscriber | add a subscriber | email list | email campaign | email marketing | audience | unsubscribe | opt in
mailchimpTrigger, mailerLiteTrigger, convertKitTrigger, getResponseTrigger, sendInBlueTrigger: new subscriber | subscribed to the newsletter | someone subscribes | unsubscribed
lemlist, emelia: cold email | outreach campaign | cold outreach
customerIo, iterable, vero, mautic, autopilot, activeCampaign, keap, highLevel: marketing automation | customer journey | lifecycle messages | drip campaign
hunter, dropcontact, clearbit, uplead, loneScale, uproc: find an email address | enrich contacts | lead enrichment | company data | enrich a company | b2b contacts | contact details of a person | find leads
mailcheck: verify an email address | check whether an email exists | validate an email address
hunter: verify an email address | email finder
twilio, vonage, messageBird, plivo, sms77, msg91, mocean: sms | text message | send a text | text to a phone | send an sms | phone message | mobile phone | text somebody
twilio, plivo, vonage: phone call | call a phone | voice call
twilioTrigger: sms received | incoming sms | incoming call
pushover, pushbullet, gotify, pushcut: push notification | notification on my phone | push message | alert on my mobile | notify me on my phone | mobile alert | notification to my device
googleSheets, microsoftExcel, microsoftExcelSharePoint: spreadsheet | sheet | rows | append a row | add a row | update a row | worksheet | workbook | table of rows | store rows | look up a row | log to a spreadsheet | read a spreadsheet | excel | cells
googleSheets: google sheet | gsheet | google spreadsheet | google table
googleSheetsTrigger: new row in a spreadsheet | row added | row updated | spreadsheet changed | sheet changes
microsoftExcel: excel | excel online | office excel | excel 365
airtable, nocoDb, baserow, seaTable, grist, stackby, quickbase, coda: online database | no code database | table with records | base | low code table | create a record
airtableTrigger, seaTableTrigger: new record | record created | record changed
notion: notion | notion page | notion database | wiki page | knowledge base page
notionTrigger: page added to a notion database | notion page updated
confluence: wiki | confluence page | documentation page | team wiki | knowledge base page
googleDocs: document | google document | write a document | word processor | text document | append text to a document | create a doc
googleSlides: slides | presentation | slide deck | powerpoint | replace text in a presentation
googleDrive, dropbox, microsoftOneDrive, box, nextCloud, microsoftSharePoint: cloud storage | upload a file | upload files | store a file in the cloud | share a file | share a folder | file storage | download a file from the cloud | create a folder | cloud drive | back up a file | move a file | list files in a folder | attachments to the cloud
googleDriveTrigger, microsoftOneDriveTrigger, boxTrigger: new file | new file in a folder | file uploaded | file added | file changed in the cloud | folder changes | document updated in drive
microsoftSharePoint: sharepoint | sharepoint list | document library
awsS3, s3, googleCloudStorage, azureStorage: bucket | object storage | blob | upload to a bucket | store an object | put an object | files in a bucket | blob storage
s3: minio | s3 compatible | wasabi | backblaze
postgres, mySql, microsoftSql, oracleDatabase, snowflake, crateDb, timescaleDb, questDb, databricks: sql | sql query | database | relational database | insert rows | select rows | run a query | update a table | database table | execute sql | query a database | write to a database | save records to a database | upsert
postgres: postgresql | postgres | pg
mySql: mysql | mariadb
microsoftSql: sql server | mssql | microsoft database
postgresTrigger: change in a postgres table | new row in postgres | database change | row inserted | listen notify | new row in the database
snowflake, googleBigQuery, databricks: data warehouse | analytics database | warehouse query | big data | lakehouse
googleBigQuery: big query | google data warehouse | bq
timescaleDb, questDb: time series | time series database | sensor data
mongoDb: mongo | mongodb | document database | nosql | find documents | collection
awsDynamoDb, azureCosmosDb, googleFirebaseCloudFirestore, googleFirebaseRealtimeDatabase: nosql | document database | key value store | firebase
supabase: supabase | supabase table
redis: redis | key value | cache | set a key | get a key | increment a counter | key value store | cache a value
redisTrigger: redis channel | pub sub message | subscribe to redis
elasticsearch: elastic | full text search | search cluster | search index | index documents | opensearch
splunk, elasticSecurity: log search | siem | security logs | security events
metabase, grafana: dashboard | monitoring dashboard | bi tool | metrics dashboard
googleAnalytics, postHog, segment: web analytics | page views | website traffic | visitors of my website | track an event | product analytics | website statistics | user events
googleAds: google ads | advertising campaign | ad campaign
facebookLeadAdsTrigger: facebook lead | lead ads | new lead from facebook | lead from an ad
facebookGraphApi: facebook page | instagram | post on facebook | meta graph api | post on instagram | publish a photo on instagram
facebookTrigger: facebook page event | instagram event
kafka: kafka | produce to a topic | kafka producer | publish to kafka | event streaming | send to a topic
kafkaTrigger: consume kafka | kafka consumer | message on a kafka topic | messages from a topic
rabbitmq: rabbit | publish to a queue | message queue | enqueue | queue message | message broker | put a job on a queue
rabbitmqTrigger: consume a queue | message from a queue | message arrives in a queue | queue consumer
awsSqs: sqs | message queue | aws queue | put a message on a queue
awsSns: sns | publish a notification | aws notification
awsSnsTrigger: sns message | aws notification received
amqp: amqp | activemq | message bus | azure service bus
amqpTrigger: amqp message received
mqtt: mqtt | iot | internet of things | publish to an mqtt topic | sensor
mqttTrigger: subscribe to mqtt | mqtt message | sensor sends a value | iot device message
awsLambda: lambda | serverless function | cloud function | invoke a function
awsTranscribe: transcribe | speech to text | audio to text | transcription | recording to text
awsTextract, mindee: ocr | scan a receipt | receipt | scanned document | read an invoice image | text from a scan | invoice ocr | data from a receipt
awsRekognition: recognise faces | detect objects in a photo | image recognition | face detection | image labels
awsComprehend, googleCloudNaturalLanguage: natural language processing | detect the language | language detection | entities in a text
googlePerspective: toxic comments | toxicity | hate speech | moderation of comments
awsIam, awsCognito, okta, microsoftEntra, gSuiteAdmin: user management | create a user account | identity | single sign on | add a user to a group | directory of users | deactivate an account | onboard an employee account
gSuiteAdmin: google workspace | google accounts | workspace users
microsoftEntra: azure ad | azure active directory | microsoft users
awsElb, citrixAdc: load balancer
awsCertificateManager, venafiTlsProtectCloud, venafiTlsProtectDatacenter: ssl certificate | tls certificate | certificates
jira, linear, github, gitlab, taiga: issue | bug | bug report | create an issue | report a bug | issue tracker | backlog | sprint | software ticket
jira: jira | jira ticket | jira issue
jiraTrigger, linearTrigger, taigaTrigger: issue created | issue updated | ticket changes status
github: github | repository | pull request | release | code hosting | repo file | commit a file
githubTrigger, gitlabTrigger, bitbucketTrigger: push to a repository | pull request opened | merge request opened | code pushed | new commit | repository event | issue opened | new release | star
gitlab: gitlab | merge request
jenkins, circleCi, travisCi, rundeck: ci | build | ci pipeline | start a build | continuous integration | deployment job | run a build job | deploy
netlify: deploy a site | static site | website deployment
netlifyTrigger: site deployed | deploy failed
sentryIo: error tracking | application errors | exceptions of my app | crash reports
uptimeRobot: uptime | website down | monitor a website | site monitoring | is my website up
pagerDuty, signl4: on call | incident | raise an incident | page an engineer | alert the on call engineer | escalation | outage
theHive, theHiveProject, misp, cortex: security incident | threat intelligence | soc | security alert | indicators of compromise | case management for security
urlScanIo: scan a url | is a link malicious | suspicious link | phishing url | check a suspicious url
securityScorecard, microsoftGraphSecurity: security score | security rating | security alerts of microsoft
cloudflare: cdn | purge cache | dns | dns record
npm: npm package | package version
todoist, microsoftToDo, googleTasks, asana, clickUp, trello, mondayCom: task | to do | todo | to do list | create a task | add a task | reminder | complete a task | checklist | remind me
asana, clickUp, mondayCom, trello, linear, wekan, flow, taiga: project management | project board | kanban | assign a task | board | project task | move a card
trello: trello | trello card | card on a board
trelloTrigger, asanaTrigger, clickUpTrigger, flowTrigger: task created | task completed | card moved | task updated | new task
googleCalendar, microsoftOutlook: calendar | event | appointment | calendar event | add an event | book a meeting | free busy | my schedule of today | create an appointment | upcoming meetings | meeting in my calendar | availability
googleCalendarTrigger: calendar event starts | event created in the calendar | meeting starts | before a meeting | event cancelled | new calendar event | upcoming event
calendlyTrigger, calTrigger, acuitySchedulingTrigger: meeting booked | booking | appointment booked | someone books a slot | appointment scheduled | invitee | someone books a meeting | booking cancelled
zoom, goToWebinar, demio: video call | online meeting | webinar | video conference | meeting link | video meeting
gong: sales calls | call recordings
googleContacts: contacts | address book | phone book | contact list of google
hubspot, salesforce, pipedrive, zohoCrm, freshworksCrm, agileCrm, copper, highLevel, microsoftDynamicsCrm, keap, salesmate, affinity, monicaCrm: crm | contact | lead | deal | sales pipeline | opportunity | create a contact | create a lead | customer record | prospects | update a deal | customer relationship | account manager | company record
hubspotTrigger, salesforceTrigger, pipedriveTrigger, activeCampaignTrigger, copperTrigger, keapTrigger, affinityTrigger: new contact | new lead | contact created | deal won | deal changes stage | new deal | lead created | opportunity created | deal updated
zendesk, freshdesk, zammad, helpScout, intercom, freshservice, serviceNow, haloPSA, syncroMsp: support ticket | helpdesk | help desk | customer support | customer service | ticket | create a ticket | support request | service desk | customer complaint
serviceNow, freshservice: it service | it ticket | incident record | change request
zendeskTrigger, helpScoutTrigger: new support ticket | ticket created | new ticket | customer writes to support
intercom, drift: live chat | customer messages | chat with visitors
stripe, payPal, paddle, chargebee: payment | charge a card | refund | subscription | payment link | customer payment | billing | checkout | charge a customer | payout
stripeTrigger, payPalTrigger, chargebeeTrigger, gumroadTrigger: payment received | payment succeeds | payment failed | someone pays | new sale | subscription cancelled | customer pays | purchase | charge succeeded | payment completed
wise: bank transfer | send money abroad | exchange rate | currency | transfer money | currency conversion
wiseTrigger: money received | balance changes
quickbooks, xero, invoiceNinja, odoo, erpNext: invoice | accounting | bookkeeping | create an invoice | bill | send an invoice | bills | estimate | erp | vat
odoo, erpNext, microsoftDataverse: erp | business software
unleashedSoftware: inventory | stock on hand | warehouse stock
shopify, wooCommerce, magento2: shop | online shop | web shop | e-commerce | ecommerce | product | order | inventory of the shop | store products | customers of my shop | stock of a product | update a product | orders
shopifyTrigger, wooCommerceTrigger: new order | order placed | order paid | someone buys | order created | new customer in the shop | order in my shop | abandoned cart
dhl, onfleet: parcel | shipment | track a package | delivery | shipping | courier | where is my package
profitWell: recurring revenue | churn | mrr
tapfiliate: affiliate
bambooHr: employee | hr | human resources | staff | employee record | vacation | time off
workableTrigger: candidate | applicant | job application | recruiting | new applicant
humanticAi: personality profile
typeformTrigger, jotFormTrigger, surveyMonkeyTrigger, formstackTrigger, wufooTrigger, formIoTrigger, koBoToolboxTrigger: survey | survey response | questionnaire | form response | poll | feedback form filled | quiz answers | survey answered | form answered | responses
koBoToolbox: field survey | humanitarian survey
eventbriteTrigger: event registration | ticket sold | attendee registered
wordpress, ghost, medium, webflow, strapi, contentful, storyblok, cockpit: blog | blog post | publish a post | publish an article | cms | content management | website content | headless cms | write a blog article | create a post
wordpress: wordpress | wp
webflowTrigger: website form submitted in webflow
disqus, discourse: forum | comments | community forum | discussion
reddit, hackerNews: subreddit | social news | posts of a community | top stories
twitter, linkedIn, facebookGraphApi: social media | post on social media | share a post | social network | publish a status update
twitter: tweet | twitter | post a tweet | x
linkedIn: linkedin | linkedin post | professional network
phantombuster: scrape linkedin | social media scraping | automation of linkedin
youTube: youtube | video | upload a video | playlist | channel statistics | video platform
spotify: music | song | playlist | play a track | album | artist
bannerbear, apiTemplateIo: generate an image from a template | pdf from a template | create a pdf | certificate image | social media image | generate a pdf | banner image | pdf generation
Brandfetch: company logo | brand colours | logo of a company
oneSimpleApi: screenshot of a website | website to pdf | exchange rate | web page to pdf | expand a short url
peekalink: link preview
bitly, yourls: short link | shorten a link | short url | url shortener | shorten a url
raindrop: bookmark | bookmarks | save a link
deepL, googleTranslate, lingvaNex: translate | translation | translate text | into another language | into german | into english | language translation | translate to french | foreign language
openThesaurus: synonyms | thesaurus | other words for
openWeatherMap: weather | forecast | temperature | rain | weather forecast | is it going to rain
coinGecko: bitcoin | crypto price | cryptocurrency | coin price | ethereum | crypto currency
marketstack: stock price | shares | stock market | stock exchange | ticker
nasa: space picture | astronomy picture | asteroids | mars
googleBooks: books | search a book | bookshelf | isbn
homeAssistant, philipsHue: smart home | lights | lamp | turn on the light | home automation | switch off the light | lights at home | thermostat
strava: running | workout | sport activity | ride | training activity
stravaTrigger: new workout | new activity | finished a run
oura: sleep | health ring | sleep data
beeminder: goal tracking | habit
clockify, harvest: time tracking | track time | working hours | timesheet | hours worked | time entry | log hours
clockifyTrigger, togglTrigger: new time entry | time entry created
bitwarden: password manager | vault items
figmaTrigger: design | figma file | design changed | comment on a design
googleBusinessProfile: google reviews | reply to a review | business listing | google my business | local business
googleBusinessProfileTrigger: new google review | new review
actionNetwork: petition | activism | advocacy
adalo, bubble: no code app | app builder
filemaker: filemaker
postBin: inspect requests | test webhook requests
currents: test results | playwright tests
salesforce: salesforce
hubspot: hubspot
`;
