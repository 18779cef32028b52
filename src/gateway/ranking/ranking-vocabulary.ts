import { stem } from '../../kernel/stem.ts';

/**
 * Words that mean much the same when people search for tools. A word of a query also finds the other words of its lines,
 * for a lower score. A word may be in several lines, and lines are not chained.
 */
const lines = `
delete remove erase drop wipe purge destroy trash discard clear eliminate rid uninstall forget scrap bin dispose kill chuck strike dump obliterate nuke junk axe cut gone disappear vanish away cleanup prune
create add new make build generate set insert register define compose produce setup start introduce assemble construct design establish invent draft form develop craft prepare exist
change edit update modify alter adjust tweak patch amend correct rewrite revise adapt instead different convert vary fiddle touch raise lower increase decrease reduce extend
replace overwrite swap exchange substitute supersede
rename retitle relabel title name call
get show read view open see display look inspect retrieve fetch give print examine tell download detail information describe explain present reveal walk about learn know
explain describe understand summarise teach clarify walk
list show all overview enumerate which inventory catalogue available exist names every
search find look locate lookup grep query discover seek hunt track mention contain
run execute start launch trigger invoke fire perform kickoff process do play go begin initiate
execution run job ran session task batch
workflow automation flow pipeline scenario process zap recipe bot routine
activate enable on live publish deploy online production release ship launch rollout effect arm engage operational
deactivate disable off offline pause unpublish suspend halt inactive mute rest sleep freeze disarm dormant hold stop idle
stop cancel abort kill terminate end halt interrupt quit plug stuck hang shoot cease break endless forever
restart reboot reconnect bounce kick reload relaunch revive reset resurrect recover wake refresh
connect attach link join wire plug hook integrate tie couple mount
disconnect detach unplug unhook separate unlink decouple
restore undo revert rollback recover undelete reset back rescue reinstate reverse return unwind regain salvage resurrect accident
retry rerun repeat redo replay again resume continue attempt anew proceed carry
wait until finish done complete hold block poll end over notify await through
copy duplicate clone replicate fork second twin reproduce mirror variant twice
backup snapshot save copy checkpoint export preserve secure image dump safe keep protect store
archive shelve retire hide store tuck stash mothball park aside away
unarchive unhide restore archive dig
compare diff difference different differ versus between contrast deviate discrepancy distinguish divergence
check validate verify valid correct right audit review inspect proper properly okay examine judge assess evaluate acceptable accept intact sound fault
test try probe simulate mock experiment rehearse pretend trial
test check verify valid work works good accept expire
fix repair correct mend heal solve resolve autocorrect cure remedy
improve optimize better optimise enhance faster simplify speed recommendation suggest advice efficient tune refactor lean leaner streamline economise
lint style habit practice quality clean craftsmanship tidy neat convention readable
suggest recommend propose advise idea hint tip
error failure fail problem crash wrong broken break issue bug trouble mistake exception fault faulty die dead invalid incident unreliable defective defect blow explode worry corrupt malfunction
reason cause why explanation
history version revision edition past earlier previous older old former timeline
history log record past
edit change work author modify
event log audit activity trace happen evidence record protocol journal administrative went
credential password login secret key token authentication auth account signin apikey access passphrase pat bearer
authentication auth oauth signin authenticate login
node step block component integration element module action brick piece function
parameter setting option field property argument configuration attribute input entry knob
value choice option dropdown select selectable
type kind category sort class family group taxonomy variety
tag label category classify mark flag categorise group organise
server backend mcp connector connection
status state health condition healthy picture doing
usage use used uses using utilize consume rely reference refer employ
statistic metric figure number count usage analytic traffic average
most top popular frequent often busy heavy common widespread
slow latency performance speed duration long longest fast
tool function capability
expression formula syntax code javascript reference template
code script javascript python
wiring connection wire arrow lead path
structure shape form layout graph skeleton
dependency depend affect impact need rely require prerequisite consequence affected concern suffer reliance requirement
fail stop break affect
unused orphan dead forgotten leftover
missing lack absent without lacking
data input payload sample body content
output result answer response reply
fake mock pinned sample dummy invented example test
webhook endpoint url hook
request call http get post fire push hit
call invoke request use
send push deliver post fire submit
plan preview dry simulate would
bridge expose offer
allow accept approve permit trust unblock release confirm admit harmless safe
block quarantine held withhold
assistant agent ai llm model claude gpt
prune cleanup purge thin retention old trim ancient outdated limit expire
everything whole entire all complete full every instance total platform
instance system installation platform n8n
example sample template snippet
document documentation doc manual reference guide help explain
schedule cron timer hourly daily automatically frequency interval scheduled
recent last latest newest lately recently
new newer newest latest
running progress current currently active ongoing
secret hardcoded plain pasted leak expose
who author user person
file document
folder directory
file json csv pdf txt document
save write store create
tree hierarchy
message chat post tell write
email mail
send post write tell
picture image screenshot photo
website page site web article internet online
picture capture look screenshot
issue bug ticket
money payment refund charge
invoice bill receipt
comment reply answer respond
customer client
meeting event appointment calendar lunch invite agenda
repository repo git
commit history log
database sql table postgres query
query select count
table column row
upload push attach
press click tap hit
type enter fill write input
open start create
fact observation note record
relation relationship work know
entity person
temperature warm warmer cold degree thermostat climate
light lamp device sensor door
turn switch
container docker image
reaction emoji react thumbs
sprint board
close shut
navigate visit browse go
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

/** Idioms whose single words mean something else -> the word that says it. */
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
  [/\b(?:go|went|going|goes) on\b/, 'happen'],
  [/\bcarry(?:ing)? on\b/, 'continue'],
  [/\b(?:blow|blew|blown) up\b/, 'fail'],
  [/\bby (?:accident|mistake)\b/, 'undo'],
  [/\b(?:right|just|until|for) now\b|\bat the moment\b/, 'currently'],
  [/\bused? (?:to be|in|by)\b/, 'usage'],
  [/\b(?:able|allowed) to (?:call|use|run)\b/, 'expose'],
  [/\bas far as\b|\bup to\b/, 'partly'],
  [/\b(?:first|earlier|former|old|previous) versions?\b/, 'revision'],
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
  [/\b(?:log|sign)(?:s|ged|ging|ed|ing)? ?(?:ins?|on)\b/, 'login'],
  [/\bup and running\b/, 'healthy'],
  [/\b(?:need|want|have|find|is|there) (?:something|anything) (?:that|which|to|for)\b/, 'node'],
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

/** The meanings of the idioms in a text, as words. */
export function idiomsIn(text: string): string[] {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  return idioms.flatMap(([pattern, word]) => (plain.search(pattern) < 0 ? [] : [word]));
}
