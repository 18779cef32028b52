/**
 * Phrases for core nodes. Format: `nodes: phrase | phrase`. A phrase counts in full if the question has all of its words,
 * and in part if it has some. Names are from n8n-nodes-base, or with @ from @n8n/n8n-nodes-langchain.
 */
export const flow = `
scheduleTrigger: schedule | scheduler | cron | cron job | cron expression | crontab | timer | interval | recurring | periodic | periodically | regularly | repeat on a schedule | run every day | run daily | run hourly | run weekly | run monthly | run nightly | every minute | every few minutes | every hour | every day | every morning | every evening | every night | every week | every monday | every weekday | every month | every year | each morning | each day | each week | once a day | once an hour | once a week | twice a day | at a fixed time | at a certain time | at midnight | at noon | at 9 am | at 8 o'clock | first day of the month | on weekdays | start at a time of day | time based trigger | batch job at night | working days | business days
manualTrigger: manual | manually | click a button to run | start by hand | run by hand | press execute | test run | button in the editor | when clicking | start it myself
webhook: webhook | receive http request | receive a post request | incoming http call | incoming request | callback url | endpoint | expose an endpoint | expose a url | http endpoint | api endpoint of my own | be called by another system | listen for http | accept json from outside | inbound request | url that starts the workflow | let another app start the workflow | get notified by an external service | receive data from another system
respondToWebhook: respond to webhook | answer the webhook | answer the caller | return a response | send a response back | reply to the http request | http response | return json to the caller | custom status code | response body | response of the webhook
formTrigger: form | web form | form submission | fill in a form | contact form | form submitted | ask users for input | collect input | intake form | public form | hosted form | form starts the workflow | someone submits a form
form: form page | next page of a form | multi step form | second page | another page of a form | form ending | show a form in the middle | thank you page | wizard
errorTrigger: error | workflow fails | workflow failed | execution fails | when something fails | error handling | error workflow | catch errors | on failure | failure alert | get notified of failures | crashed workflow | something goes wrong | handle failures
stopAndError: stop and error | throw an error | raise an error | fail on purpose | abort the workflow | cancel the execution | terminate with error | stop the workflow | custom error message | make the workflow fail | exit early with an error
executeWorkflow: call another workflow | run another workflow | sub workflow | subworkflow | execute a workflow | nested workflow | reuse a workflow | child workflow | invoke workflow | modular workflow | start a different workflow
executeWorkflowTrigger: called by another workflow | when another workflow calls | started by another workflow | sub workflow trigger | start of a sub workflow | entry of a subworkflow | when executed by another workflow | receive input from a parent workflow
n8nTrigger: instance started | workflow activated | workflow published | workflow updated | n8n starts | when the instance starts | when this workflow is activated
n8n: n8n api | manage workflows | list executions | activate a workflow | create a credential in n8n | list my workflows | n8n itself by api | export workflows
if: if | condition | conditional | only continue if | true or false | true false | branch on a condition | check whether | if else | then else | yes or no branch | decision | test a value | depending on whether | two ways | when a value is greater than | boolean check | compare a value
switch: switch | route | routing | router | different paths | several branches | multiple branches | multiple outputs | more than two branches | case | by value | depending on a value | route items by type | send items to different branches | direct to different outputs | multi way
filter: filter | filter items | keep only items that match | drop items | remove items that do not match | discard | exclude items | only items where | items matching a condition | sift | skip items | filter out
merge: merge | combine | join | combine two branches | combine two inputs | merge two lists | join on a field | join two datasets | inner join | left join | outer join | bring branches together | wait for both branches | union | match records from two sources | enrich with data from another branch | put two streams together | concatenate two lists | zip two inputs | cross join | vlookup
splitInBatches: loop | loop over items | for each | iterate | iteration | iterate over items | batch | batches | split in batches | split into batches | chunks of items | one at a time | one by one | go through a list | process items one after the other | repeat for every item | groups of ten | in groups of | process in small portions | avoid rate limits | each item separately
wait: wait | pause | delay | sleep | hold | wait for some time | wait for an hour | pause the workflow | resume later | wait until a date | wait for a webhook call | wait for approval | resume on a call | wait before the next step | slow down | throttle | continue after some minutes | suspend the execution
noOp: do nothing | no operation | placeholder | pass through | nop | dummy step | end of a branch
stickyNote: note | sticky note | comment | annotate | annotation | leave a comment | document the workflow | text on the canvas | remark | explain a workflow on the canvas
executionData: save data of an execution | tag an execution | highlight execution data | custom execution metadata | make executions searchable
executeCommand: shell | shell command | bash | terminal command | run a command | command line | run a program on the host | system command | cli tool | execute a script on the server | operating system command
ssh: ssh | remote machine | remote server command | command on a remote host | log in to a linux server | run a command on another server | remote shell | scp | vps
ftp: ftp | sftp | ftps | upload to an ftp server | download from sftp | file server | list files on sftp
git: git | git repository | commit | clone a repository | push commits | pull | branch | version control
localFileTrigger: file changed on the server | watch a folder | watch a directory | file system change | new file in a local folder | local file added | folder on disk changes | file appears on the disk
sseTrigger: server sent events | event stream | sse
@chatTrigger: chat | chat window | chat widget | chat interface | chat message received | chat bot on my site | embed a chat | user writes in the chat | hosted chat | conversation starts the workflow | when a chat message arrives | talk to the workflow
@chat: reply in the chat | send a message to the chat | respond in the chat and wait | chat response | ask the chat user | wait for the chat user
@mcpTrigger: mcp server | expose as mcp server | offer tools over mcp | be an mcp server | model context protocol server | publish my workflows to ai clients | let claude desktop use my workflows | provide tools to mcp clients
evaluationTrigger: evaluation | run a test dataset | evaluate an ai workflow | test cases for ai
evaluation: evaluation metric | record evaluation results | score the ai answer | set the metrics of an evaluation
timeSaved: time saved | return on investment | track time saved | how many minutes a workflow saves
debugHelper: debug | random test data | generate fake data | dummy data | sample data | mock data | simulate an error | out of memory test
`;
