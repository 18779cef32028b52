/** Whole requests of people who do not know the node's name. The format is explained in flow.ts. */
export const requests = `
scheduleTrigger: sync job | nightly job | hourly job | daily job | run on workdays | run at dawn | start automatically at a time | run once a night | execute every few hours | fire at a set time | every 30 seconds | check every 10 minutes | repeat each hour | on the first of each month | every sunday | launch on a timetable | poll regularly
webhook: public url | url that accepts data | accept post data | receive data from outside | receive a payload | receive a lead | receive json | get called by an external app | let a website send me data | incoming webhook | http listener | my own api | be notified by a third party | receive a callback | custom endpoint | external system pushes data | inbound http
respondToWebhook: return the result | send the answer back to the caller | return an error to the client | respond with success | respond with html | redirect the browser | return a status code | give the caller a response | reply to the api client | return a 404 | hand back a result | answer with a file | show a page to the visitor
if: is it true | check if exists | check whether a field is empty | value equals | value contains | greater than | less than | is the status paid | has a value | should continue | compare two values | otherwise do something else | either or | stop unless | proceed only if | continue only for | validate a condition | is it ready | two different things depending on a check
switch: route by type | route by status | handle each case | depending on the country | choose a path | by department | several cases | select a branch | determine the route | message types | four cases | different handling for each type | multiple conditions | dispatch by category
filter: filter out | only valid items | only published posts | exclude inactive | keep matching rows | drop empty rows | remove rows where | only those with | ignore items without | leave out | throw away items | keep active users only | only premium users
merge: enrich one list with another | put both results together | merge all | lookup values from another list | match by id | combine results of parallel steps | attach data from the other branch | pair items | wait for all branches | glue outputs together | bring two sources together | combine fields of two inputs
splitInBatches: rows at a time | records at a time | items at a time | in chunks | chunk a large list | process a large list in portions | api accepts only 100 per call | avoid hitting the rate limit | for every record do | go through all rows | walk through a list | repeat the steps for each | batch processing | page through items | process each element individually | too many items at once | loop until done
splitOut: unwind | line items into rows | one row per element | split an array field | list to items | break up an array | elements of a list as items | each attachment as its own item | flatten nested data | nested list into rows | spread an array | array into single objects | separate the results
aggregate: one array out of all items | collect into an array | gather all items | many rows into one | squash into a single record | put all rows in one message | combine rows into one list | roll up items | collapse items | list of all ids | all results in one item | wrap everything into one object
summarize: revenue per country | total per month | count by status | sum of a column | average price | number of orders per customer | group and count | add up | calculate totals | concatenate values of a column | how many rows | aggregate by key | statistics | minimum and maximum of a field
set: strip properties | remove unneeded fields | only keep certain fields | prepare the data | define variables | build an object | add a property | map input to output | clean up the json | rename and reorder fields | put a value into a field | static values | set a default value | hold configuration values | change the structure | create new columns | store a constant | pick some fields
code: regex | regular expression | parse a string | validate with code | calculate something complex | algorithm | own algorithm | custom function | loop in code | normalize data with code | manipulate data with a script | anything that no node does | write my own logic | typescript | string manipulation | map and reduce | custom transformation
removeDuplicates: only new ones | skip what was processed before | show up more than once | get rid of repeated records | each only once | ignore already seen | keep unique emails | new entries since the last run | drop repeats | no doubles | deduplicate by email
sort: newest on top | entries at the top | alphabetical order | flip the sequence | highest price first | reverse a list | arrange by name | randomise the order | reorder | put in order | oldest first | sort descending by amount
limit: take the top five | first ten rows | only the latest one | cut the list | restrict the number | at most 20 items | keep just one | sample a few items
wait: sleep for seconds | wait ten seconds | pause for a minute | take a break | stay within rate limits | until tomorrow | hold on until | continue later | wait for a callback | wait for an external event | delay the next step | breather | cool down
dateTime: what day is it | days ago | in two weeks | last month | start of the week | epoch to human readable | unix timestamp to date | weekday of a date | how many days until | convert timezone | date calculation | current time | end of the month | deadline | date in german format | calculate a due date | subtract a month
crypto: unique hash | hmac signature | verify a signature | fingerprint of a string | generate a password | random id | md5 checksum | hash a value | sign data | encrypt a text
html: all links of a page | by css selector | extract article text | scrape prices | get the content of a tag | extract reviews from a page | parse the html of a site | read a table from a web page | headlines of a site | generate an html email | html report
markdown: markdown to html for an email | convert html into markdown | render markdown
xml: convert an xml response | soap response | xml feed to objects | build an xml document
extractFromFile: parse an uploaded csv | get text from a pdf | file content to json | open an xlsx | read an attachment | convert a csv to items | extract pdf text | contents of a file as data | import an excel sheet file | read a json file | load a spreadsheet file | uploaded file to rows | file to text | read an ics file | read html file
convertToFile: downloadable file | downloadable spreadsheet | report as an excel file | rows as csv | create a text file | save json as a file | to binary | make an attachment out of data | excel can open | export data to a file | build a csv attachment | generate an ics invitation | base64 string to a file | produce a file for download
httpRequest: get request with a token | bearer token | request with headers | basic auth request | post json to an api | call an external service | service that has no integration | without an integration | no node for it | any website | api with oauth | fetch json | download an image from a link | upload to an api | query parameters | put or patch request | talk to an unsupported service | send data to an endpoint | rest call | get a web page | scrape a url | screenshot api | check a url | ping a url | hit an endpoint
readWriteFile: file from the local disk | write to a local folder | save to the file system | load a file from a path | store on the server | read files of a directory | mounted volume | export to a local folder
editImage: crop a picture | rotate a jpeg | shrink a photo | add text to a picture | image dimensions | make a thumbnail | change the size of an image | get image information | compress an image | convert png to jpeg | overlay a logo | draw a box
compression: make a zip of files | open a zip file | several files into one archive | extract a zip
formTrigger: application form | visitors enter their data | people submit their details | upload a file through a form | sign up form | registration form | feedback form | order form | let users enter a name | collect data from visitors | request form for employees | online form
form: second step of a form | completion screen | show a result to the form user | ask further questions | redirect after submitting | next step of the form | confirmation page
executeWorkflow: trigger a sub process | run a shared workflow | use logic of another automation | start a child workflow and wait | delegate to another workflow | call a reusable workflow | reusable logic | outsource steps to another workflow | other automation
executeWorkflowTrigger: parent workflow calls this | make this workflow callable | inputs of a sub workflow | workflow used by others | begin a sub workflow | this workflow as a function
errorTrigger: workflow breaks | workflow broke | automation crashes | when an execution goes wrong | error alert | monitor failed executions | notify me about errors | global error handler | something fails | on error | job failed
stopAndError: abort with a message | end with an error | mark the execution as failed | quit with an error | fail the run | reject invalid data | data is wrong so stop | raise an exception | halt the workflow
manualTrigger: try the workflow out | execute on demand | run it now | start from the editor
noOp: end here | no action needed | dead end | leave empty | nothing to do
n8n: fetch workflows | get a workflow by id | back up my workflows | list all executions | tags of a workflow | manage my n8n instance | delete old executions | publish a workflow by api
dataTable: keep state | remember the last id | check whether an entry exists in a table | store results inside | persist data without database | lookup table | own small database | counter between runs | save a value for the next run
ssh: script on my server | connect to a linux box | restart a service on a server | run commands remotely | log in by key
executeCommand: run a bash script | call a cli | ffmpeg | run a binary | local command | script on the host | curl on the command line
emailSend, gmail, microsoftOutlook: mail a report | report by mail | send with attachment | send a reply | letter to a customer | email the results | write to a customer | confirmation email | welcome email | notify a client by mail | mail with a pdf | send a newsletter by mail
gmailTrigger, emailReadImap, microsoftOutlookTrigger: landed in my inbox | new mail with attachment | mail comes in | react to an email | email from a customer | receive an attachment by email | process incoming mails
slack, microsoftTeams, discord, telegram, mattermost, googleChat: inform my colleagues | write to a group chat | company chat | alert in chat | send a chat notification | message a user privately | drop a message in a channel
slack, gmail, microsoftTeams, telegram, emailSend, microsoftOutlook, discord, whatsApp, googleChat: boss says yes or no | let a manager decide | approve before publishing | wait for an answer from a person | ask somebody and continue with the answer | human decision | confirm before continuing | human review | get feedback from a user
telegramTrigger, whatsAppTrigger, slackTrigger: bot command received | customer writes to us | user sends a message to the bot | incoming chat message | someone messages my bot | message from a customer
googleCalendar: block time | block an hour | free slots | my diary | schedule an appointment | check availability | reschedule a meeting | invite attendees | move a meeting
googleSheets: log to a sheet | write to a sheet | sheet in the cloud | read rows | update cells | save results in a sheet | track in a sheet | row by row list | export to sheets | find a row
googleDrive: share a document | find a file by name | save attachments to drive | list the files of a folder | gdrive
postgres, mySql: look up a user in a database | relational store | stored procedure | join tables | select statement | insert a record in a database | transactional data
microsoftSql: stored procedure in sql server
shopifyTrigger, wooCommerceTrigger, stripeTrigger: somebody bought a product | sale in my store | customer checks out | new purchase | a product was sold
stripe, payPal: money back | give a refund | create a payment link | list of charges | bill a customer
openWeatherMap: do i need an umbrella | will it rain tomorrow | how warm is it | temperature in a city | weather report | sunny
quickChart: make a qr code | chart picture | graph of numbers
rssFeedRead: headlines of a news site | news items | latest posts of a blog
pushover, gotify, pushbullet: ping my phone | buzz my phone | notify my mobile
twilio, vonage, messageBird: inform customers by sms | text a customer | one time code by sms | sms reminder
mqttTrigger: temperature sensors | listen to sensors | device publishes a value | home sensor event
gitlab: merge request note | gitlab pipeline | gitlab issue
githubTrigger, gitlabTrigger: someone merged code | code was merged | new pull request | branch updated
@agent: let ai decide | bot that answers with our knowledge | llm with tool calling | smart assistant | ai employee | ai that uses my apps | research agent | support bot | virtual assistant | answer customers automatically with ai | ai that looks things up | brain of a chatbot
@chainLlm: write a text | write a product description | generate a reply | draft an email with ai | translate with an llm | rewrite in another tone | brainstorm ideas | create a story | use a prompt template | one llm call | explain something | generate questions | improve the wording | write copy
@openAi: write with gpt | product description with gpt | picture from a description | paint a picture | draw with ai | voice message to text | podcast to text | recording into words | describe a photo | create speech | ask gpt | image from text
@googleGemini: paint a picture | recording into words | ask gemini | watch a video and describe it | podcast to text | image from text
@textClassifier: by urgency | which team should handle it | detect spam | is it spam | topic detection | sort by intent | assign a category | kind of request | route by content with ai | label messages | categorise tickets | priority of a ticket | important or not
@informationExtractor: invoice number and total from a text | name phone and amount from a letter | fields from an email body | pick out details | structured from unstructured | contact details from a signature | fill a record from text | get values out of a message | parse a cv | extract skills from a resume | read order details from an email
@chainSummarization: bullet points | boil down | short version | five bullet points | recap a meeting | sum up an article | condense a report | summary of a transcript | tl dr | shorten a long text
@sentimentAnalysis: happy or angry | complaint or praise | customer satisfaction | tone of an email | are customers content | how do people feel
@outputParserStructured: right fields in the answer | machine readable output | answer of the model as fields | valid output | consistent format | model returns an object | guarantee the format | typed result from the model | schema for the reply
@chainRetrievalQa: talk to my pdfs | ask a pdf | answers from our documents | company knowledge | search my files with ai | ask questions about a handbook | faq bot from documents
@memoryBufferWindow: recall what was said earlier | remember previous messages | keep the conversation going | context between messages | bot forgets | remember the user
@memoryPostgresChat, @memoryRedisChat, @memoryMongoDbChat: persist chat sessions | store the conversation in a database | chat sessions | keep the chat history in | chat memory in
@vectorStoreInMemory, @vectorStorePinecone, @vectorStoreQdrant, @vectorStorePGVector, @vectorStoreSupabase, @vectorStoreWeaviate, @vectorStoreMilvus, @vectorStoreChromaDB, @vectorStoreMongoDBAtlas, @vectorStoreRedis, @vectorStoreAzureAISearch, @vectorStoreOracleDBVector, @vectorStoreZep: vector store | vector database | semantic search | similarity search | store embeddings | index documents for rag | nearest neighbours | insert documents into a vector store | knowledge base for rag
@toolCalculator: run a calculation | let the agent calculate | multiply numbers | agent is bad at math
@toolWorkflow: agent starts a workflow | workflow the agent may call | own workflow as a function for ai
@toolVectorStore: agent looks into documents | agent with a knowledge base
@chatTrigger: chat bubble on my website | talk to my bot in a window | user asks in a chat | start with a chat message | chat page
@mcpTrigger: expose automations to claude | offer tools to ai clients | make my workflows available over mcp
@mcpClientTool: use tools from another mcp server | plug in an mcp server | agent with mcp
@guardrails: credit card numbers | mask sensitive data | sensitive data | anonymise before sending to a model | redact | confidential data | privacy | protect from malicious input | harmful content | check user input for safety | hide personal information | filter bad prompts | anonymise text
@lmChatOllama: cheap open source model | model without cloud | running locally | model on premises
@embeddingsOllama: embed with a local model | local embedding model
@modelSelector: cheap model for easy questions | pick the best model
perplexity: look something up online | current information from the web | search the internet with ai | web research
@toolSearXng: agent searches the internet | look something up on the internet
debugHelper: test data generator | fake customers | random people | example data
`;
