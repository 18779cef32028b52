import { stemOf } from './words.ts';

/**
 * One group of similar words per line. The first is the word nodes use. A word also finds the others in its lines, with a
 * lower weight.
 */
const lines = `
email mail mails letter inbox
message msg dm line
send deliver dispatch shoot forward
post publish announce share
create add insert new make build generate produce compose draft
update change edit modify alter adjust revise
delete remove erase drop clear wipe rid purge eliminate discard
get fetch retrieve read load obtain pull lookup grab collect gather receive
search find look query lookup locate
upload save store put write persist keep backup archive
download fetch retrieve pull grab
convert transform turn change parse export
file document attachment doc
document pdf pdfs docs report paper
image picture photo graphic img png jpg jpeg screenshot
spreadsheet sheet excel xlsx xls csv
table rows sheet
row record entry line
record entry row
database db sql relational
schedule cron timer recurring periodically regularly
error failure fail exception crash problem wrong break broken
workflow flow automation process pipeline scenario
customer client buyer shopper
lead prospect
contact person people lead
task todo reminder chore remind errand
ticket issue case complaint request
issue bug defect
calendar appointment diary agenda planner
meeting call appointment conference
event appointment
company organisation organization firm business corporate
payment charge pay money fee
order purchase buy sale checkout
invoice bill receipt
subscriber subscription
article post story
news headline headlines
website site webpage page web homepage
url link address uri
folder directory
server host machine computer vps
phone mobile smartphone cell
sms text
notification push buzz
chat conversation talk dialogue discuss
chatbot bot assistant
ai llm gpt artificial intelligence
model llm
agent assistant bot
summarize summary condense shorten boil recap bullet digest gist overview
classify categorize label tag department topic bucket
translate translation language french german spanish english italian japanese chinese
condition rule criteria whether unless
branch path route direction
combine merge join concatenate unite glue together stitch
split divide separate break chop slice
list array collection
item element entry object thing
loop iterate repeat each
wait pause delay sleep hold breather
throttle slow limit rate
approve approval confirm confirmation permission accept consent boss manager sign
form questionnaire survey
form input enter visitors
webhook callback hook
api rest endpoint
http rest
request call
respond response answer reply return
hash checksum digest fingerprint
encrypt cipher scramble
compress zip archive
unzip decompress extract unpack
extract parse scrape pull pick
scrape crawl harvest
duplicate duplicated double twice repeated identical
sort order rank arrange sequence reorder flip reverse
limit maximum cap first top
filter exclude keep only ignore skip
rename relabel
count number amount tally
sum total add revenue
average mean
aggregate collapse squash single bundle
flatten nested unnest unwind explode
property field attribute column key
strip remove clean
session conversation chat
object record item json
compare diff difference
date day weekday month year
time hour clock
video clip movie film
audio voice sound speech recording podcast
transcribe transcript dictation
music song track tune
weather forecast temperature umbrella rain sunny
price cost rate quote
stock share
repository repo
code algorithm logic programming javascript
ci build pipeline deploy deployment
user account member
employee staff worker colleague
password secret
notify notification alert inform tell remind
channel room group
team colleague coworker company
comment remark annotation
button click
command shell terminal
script code program
memory remember history recall earlier context forget
knowledge documents docs wiki
vector embedding
bucket s3 blob
queue broker
topic subject
crm sales
shop store ecommerce shopping
blog wordpress cms
tweet twitter
social networks media
incident outage alarm emergency
dashboard chart graph plot
resize shrink enlarge scale smaller
refund money back reimburse
sentiment mood happy angry emotion feeling complaining satisfied
local locally offline own self hosted
draw paint sketch illustrate
structured schema machine readable valid json
guardrails protect malicious safe unsafe harmful
search internet online web google
money bank currency
house home
lamp light bulb
parcel package shipment delivery
job candidate applicant vacancy
begin start launch trigger kick
stop abort halt cancel end quit
execute run perform
manual hand manually button
`;

let read: Map<string, Set<string>> | undefined;

export function synonymsOf(stem: string): ReadonlySet<string> {
  read ??= readSynonyms();
  return read.get(stem) ?? none;
}

const none: ReadonlySet<string> = new Set();

function readSynonyms(): Map<string, Set<string>> {
  const others = new Map<string, Set<string>>();
  for (const line of lines.trim().split('\n')) {
    const stems = line.split(' ').map(stemOf);
    for (const stem of stems) {
      const known = others.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) known.add(other);
      others.set(stem, known);
    }
  }
  return others;
}
