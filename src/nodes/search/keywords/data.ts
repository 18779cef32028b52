/** Phrases for nodes that change data or files. The format is explained in flow.ts. */
export const data = `
code: code | javascript | js | python | custom code | custom script | script | program | function | write code | own logic | run some code | snippet | transform with code | complex calculation | lodash
set: set | edit fields | add a field | set a field | set a value | set a variable | assign | change fields | map fields | mapping | rename a field | new property | remove fields | keep only some fields | shape the data | reshape | restructure the json | hard coded values | constant | modify a property | add a column | transform data | extra attribute
renameKeys: rename keys | rename a field | rename a column | rename columns | rename properties | change the name of a field | different key names | change header names
removeDuplicates: remove duplicates | deduplicate | dedupe | duplicate rows | duplicates | unique items | distinct | only new items since last time | already processed | repeated entries | same item twice | seen before | only unseen
sort: sort | order | order by | sort by date | sort alphabetically | ascending | descending | shuffle | random order | reverse the order | rank items | sort the list | largest first | newest first
limit: limit | first items | only the first | top ten | first n | last items | truncate the list | maximum number of items | take five | cap the number | keep only the first few | only one item
splitOut: split out | array to items | turn an array into items | list into separate items | separate items | flatten | explode | unnest | one item per element | split a list field | expand an array | nested array into rows | make items out of an array
aggregate: aggregate | items into one list | combine items into one | collect all items | single item | group into an array | put everything into one item | many items into one | merge all rows into a single item | bundle items | one list out of many items
summarize: summarize | pivot | pivot table | sum | count | average | group by | totals | total per customer | minimum | maximum | mean | sum up a column | statistics by group | count rows per category | how many per | aggregate numbers | add up the amounts
compareDatasets: compare | compare two datasets | compare two lists | difference | diff | what changed | what is different | missing in the other list | in a but not in b | find changes between two inputs | synchronise two systems | reconcile
dateTime: date | time | format a date | date format | add days | subtract days | time zone | timezone | current date | today | now | difference between dates | days between | parse a date | timestamp | unix time | iso date | round a date | extract the month | tomorrow | yesterday | convert a date | age in years
crypto: crypto | hash | sha256 | md5 | hmac | encrypt | decrypt | sign a payload | random string | uuid | generate a uuid | checksum | digest | signature | random token | unique id | bcrypt
jwt: jwt | json web token | sign a token | verify a token | decode a token | bearer token signing
totp: totp | one time password | otp | two factor | 2fa code | authenticator code | six digit code
xml: xml | parse xml | xml to json | json to xml | read xml | create xml
markdown: markdown | markdown to html | html to markdown | md
html: html | scrape | scraping | web scraping | css selector | extract from html | parse a web page | page title | extract links | html template | html table | get text out of a website | build html | crawl a page | dom element
extractFromFile: extract from file | read a pdf | pdf text | parse a csv | read csv | csv rows | read excel file | parse spreadsheet file | xlsx to json | file to json | read a file content | parse a file | ics file | calendar file | text file content | read ods | binary to json | import a csv | load a csv | contents of an attachment | base64 from file | pdf to text
convertToFile: convert to file | create a file | make a csv | csv export | export to csv | export to excel | create an excel file | json to csv | generate xlsx | write text file | json to file | items to file | download as csv | base64 to file | make an ics | produce a spreadsheet file | html file | save as csv | attach the results as a file | turn data into a file
compression: zip | unzip | compress | decompress | gzip | archive | extract an archive | pack files | unpack | tar
editImage: image | edit image | resize image | crop | rotate | picture | photo | watermark | draw on an image | text on an image | blur | thumbnail | convert image format | image size | scale a picture | png to jpg | composite image | border
readWriteFile: read a file | write a file | save to disk | file on the server | local file | read from disk | write to disk | local disk | file system | store a file locally | load a local file | file path
httpRequest: http | http request | api | rest | rest api | call an api | call a url | fetch a url | get request | post request | download a file from a url | download | curl | web request | api call | query an api | make a request to a website | external service without node | send json to a url | any api | send a webhook | outgoing webhook | fetch data from a website | third party api | custom api | check whether a website is up | pagination of an api | put request | endpoint of another service
graphql: graphql | graphql query | graphql mutation
rssFeedRead: rss | feed | rss feed | atom feed | news feed | read a feed | podcast feed | blog feed | latest articles
rssFeedReadTrigger: new item in a feed | new article in a feed | rss trigger | new blog post in a feed | when a feed updates | new podcast episode | feed changes
dataTable: data table | n8n table | store rows inside n8n | built in table | built in database | internal table | save data in n8n | simple storage | persist values between runs | remember values between executions | key value storage without database | own table | keep state between runs
emailSend: send email | email | mail | smtp | send a mail | e-mail | email notification | email with attachment | mail somebody | send an email to a customer | notify by email | own mail server
emailReadImap: imap | read emails | mailbox | inbox | incoming mail | new email | email received | watch a mailbox | check my mail | when a mail arrives | email trigger | email attachment received
ldap: ldap | active directory | directory users | directory entry
iCal: calendar file
quickChart: chart | bar chart | pie chart | line chart | graph image | plot | diagram | visualise numbers | qr code
itemLists: item lists
aiTransform: transform with ai | describe the change in words
dynamicCredentialCheck: check a credential status
`;
