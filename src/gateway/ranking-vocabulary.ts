import { stem } from './ranking-terms.ts';

/**
 * Words that mean much the same where tools are looked for. A word that is asked for also finds the others of its
 * lines, for less. A word may stand in several lines, and lines are not chained.
 */
const lines = `
delete remove erase drop cleanup prune wipe purge destroy trash discard clear eliminate rid uninstall forget scrap
create add new make build generate set insert register define compose produce setup start
change edit update modify alter adjust tweak patch amend correct rewrite revise
replace overwrite swap exchange substitute rewrite
rename retitle relabel
get show read view open see display look inspect retrieve fetch give print examine tell download detail information
list show all overview enumerate which
search find look locate lookup grep query discover seek
run execute start launch trigger invoke fire perform kickoff
run execution job ran session task
activate enable on live publish deploy online production release ship
deactivate disable off offline pause unpublish suspend halt inactive mute
stop cancel abort kill terminate end halt interrupt quit
restart reboot reconnect bounce reload relaunch
connect attach link join wire plug hook integrate
disconnect detach unplug unhook
restore undo revert rollback recover undelete reset back
retry rerun repeat redo replay again resume continue
wait until finish done complete hold block poll end
copy duplicate clone replicate fork second
backup snapshot save copy checkpoint export
archive shelve retire hide store
unarchive unhide restore
compare diff difference different differ versus between
check validate verify valid correct right audit review inspect proper properly okay
test try probe simulate mock experiment
test check verify valid work works
fix repair correct mend heal solve resolve autocorrect
improve optimize better optimise enhance faster simplify speed recommendation suggest advice efficient tune refactor
lint style habit practice quality clean
suggest recommend propose advise idea
error failure fail problem crash wrong broken break issue bug trouble mistake exception fault
history version revision past earlier previous older old
history log record past
event log audit activity trace happen
credential password login secret key token authentication auth account signin apikey
authentication auth oauth signin
workflow automation flow pipeline scenario process zap
node step block component integration element
parameter setting option field property argument configuration attribute
value choice option dropdown
type kind category sort class
tag label category
server backend mcp connector
status state health condition
usage use used uses using utilize consume
statistic metric figure number count usage analytic
most top popular frequent often
slow latency performance speed duration
expression formula syntax code javascript
code script javascript python
wiring connection wire
structure shape form layout graph
dependency depend affect impact need rely require
unused orphan
data input payload sample
output result answer response
fake mock pinned sample dummy
webhook endpoint url hook
request call http
call invoke request
plan preview dry simulate
bridge expose offer
allow accept approve permit trust unblock release confirm
block quarantine held withhold
assistant agent ai llm model claude
prune cleanup purge thin retention old
everything whole entire all complete full every instance
instance system
save store keep write
example sample template snippet
document documentation doc manual reference guide help explain
schedule cron timer hourly daily automatically
recent last latest newest
today yesterday night morning week day hour
file document
folder directory
message chat post
email mail
send post write
picture image screenshot photo
website page site web
issue bug ticket
money payment refund charge
invoice bill receipt
comment reply answer respond
customer client
meeting event appointment calendar
repository repo
database sql table postgres
table column row
upload push
press click tap
type enter fill
temperature warm warmer cold degree thermostat climate
light lamp device
turn switch
`;

const synonyms = new Map<string, Set<string>>();
for (const line of lines.split('\n')) {
  const stems = line.split(' ').filter(Boolean).map(stem);
  for (const one of stems) {
    const known = synonyms.get(one) ?? new Set();
    for (const other of stems) if (other !== one) known.add(other);
    synonyms.set(one, known);
  }
}
const none: ReadonlySet<string> = new Set();

export const synonymsOf = (term: string): ReadonlySet<string> => synonyms.get(term) ?? none;

/** Turns of phrase whose words say something else one by one, and the word that says it. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tak|bring|brought|go|put|mov)\w* (?:\w+ ){0,3}(?:offline|down)\b/, 'deactivate'],
  [/\b(?:turn|switch|shut|power)\w* (?:\w+ ){0,3}off\b/, 'deactivate'],
  [/\b(?:turn|switch|power)\w* (?:\w+ ){0,3}on\b/, 'activate'],
  [/\b(?:go|goes|going|mak|put|set|bring)\w* (?:\w+ ){0,3}(?:live|online)\b/, 'activate'],
  [/\b(?:into|to|in) production\b/, 'activate'],
  [/\bnot (?:\w+ )?(?:run|fire|start)(?:ning)? (?:any ?more|any longer|for now|again)\b/, 'deactivate'],
  [/\b(?:roll|go|get|bring|put|take|turn|give|chang|switch)\w* (?:\w+ ){0,4}back\b/, 'restore'],
  [/\b(?:as|how|like) (?:it|they|this) (?:was|were|used)\b/, 'restore'],
  [/\bget(?:ting)? rid\b/, 'delete'],
  [/\bthrow\w* (?:\w+ ){0,3}(?:away|out)\b/, 'delete'],
  [/\bclean\w* (?:\w+ ){0,2}(?:up|out)\b/, 'purge'],
  [/\bmoney back\b/, 'refund'],
  [/\bprs?\b/, 'pull request'],
  [/\bfind out\b/, 'check'],
  [/\bno longer (?:need|use|want)/, 'old'],
  [/\b(?:how|what) (?:\w+ ){0,3}(?:costs?|spend)\b/, 'cost'],
  [/\bcall(?:ed)? (?:\w+ ){1,4}instead\b/, 'rename'],
  [/\b(?:different|other|new|another) name\b/, 'rename'],
  [/\b(?:over|once) again\b|\bone more time\b/, 'retry'],
  [/\bkick\w* (?:\w+ ){0,3}off\b/, 'run'],
  [/\bset(?:ting|s)? (?:\w+ ){0,2}up\b/, 'create'],
  [/\bfrom scratch\b/, 'create'],
  [/\b(?:log|sign)(?:s|ged|ging|ed|ing)? ?(?:in|on)\b/, 'login'],
  [/\b(?:go|goes|went|gone|going) (?:\w+ )?wrong\b/, 'fail'],
  [/\b(?:not|t|never|stopped|no longer) work(?:s|ing)?\b/, 'fail'],
  [/\btry (?:\w+ ){0,3}out\b/, 'test'],
  [/\bhow many\b/, 'count'],
  [/\bhow often\b/, 'often'],
  [/\bfill\w* (?:\w+ ){0,3}(?:in|out)\b/, 'fill'],
  [/\bput\w* (?:\w+ ){0,3}(?:away|aside)\b/, 'archive'],
  [/\b(?:one|second|another) (?:just )?like\b/, 'copy'],
  [/\b(?:plain ?text|hard ?coded)\b/, 'hardcoded'],
  [/\bapi[ -]?keys?\b/, 'apikey'],
  [/\bsub[ -]workflows?\b/, 'subworkflow'],
  [/\bback(?:s|ed|ing)?[ -]?up\b/, 'backup'],
];

/** What the turns of phrase in a text mean, as words. */
export function idiomsIn(text: string): string[] {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  return idioms.flatMap(([pattern, word]) => (plain.search(pattern) < 0 ? [] : [word]));
}
