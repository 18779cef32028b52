import { termsOf } from '../../kernel/terms.ts';

/** Words that mean much the same in notes and in questions about them. A word may be in several lines. */
const lines = `
backup copy snapshot dump archive restic borg duplicate replica replicate
restore recover recovery rebuild bring
password passphrase secret credential pin passcode key token login
login signin log sign authenticate authentication password credential
2fa mfa totp otp factor authenticator one-time code codes
account user role profile identity login
permission right access allowed role grant authorise authorize privilege
forbidden prohibited banned disallowed blocked refused avoid never
encrypt encryption encrypted cipher sealed protected
protect protected protection secure security safe guard guarded
attack breach hack intrusion vulnerability exploit hacked leak leaked
certificate tls ssl cert https letsencrypt
database db postgres postgresql mysql sqlite mariadb sql mongodb
table schema column row record
query sql select statement
server machine host box node computer vm instance hardware
computer laptop pc desktop workstation notebook macbook machine
phone mobile smartphone cell telephone iphone android number
call phone ring telephone dial
container docker podman image compose pod
kubernetes k8s cluster orchestration helm
cloud aws azure gcp hetzner hosting hosted provider hoster
storage disk drive volume space ssd nas capacity
disk drive ssd hdd storage partition volume
full space filled capacity exhausted
memory ram
processor cpu gpu core graphics
network lan wifi wlan vlan internet ethernet router
wifi wlan wireless network
vpn wireguard tunnel tailscale openvpn
firewall ufw iptables port blocked
port listen listening
dns domain nameserver zone record subdomain hostname
domain website site address url hostname
proxy nginx caddy traefik haproxy reverse
website site page homepage web landing
email mail e-mail message inbox mailbox smtp newsletter
message chat slack mattermost channel notify notification
notify alert alarm warn warning page pager ping notification
monitoring grafana prometheus metrics dashboard observe alert uptime
log logs logging journal loki
outage incident down downtime failure crash broke broken failed
crash failure fail failed failing broke break error problem bug outage stopped
error failure exception fault bug problem issue
bug defect issue error problem fix
slow sluggish latency lag performance delay fast speed
fast quick quickly rapid speed
fix repair solve resolve mend correct patch workaround remedy
cause reason why because culprit root due
deploy deployment release rollout ship publish launch live production
release version publish ship launch
version edition revision release
update upgrade patch renew newer
build compile ci pipeline
pipeline ci workflow automation
automation automated automatic workflow script cron job n8n
schedule scheduled cron timer job plan nightly periodic
job task work batch worker queue background
retry repeat again attempt
repository repo git github gitea gitlab code source
code source program programming software
branch merge pull
test check verify rehearse drill try trial testing
review check inspect audit approve
audit auditor examine examination inspection review
library package dependency module framework
software app application program tool tools
app application software tool apps program
tool program utility app software
feature function functionality capability
configuration config setting settings option configured
install setup installation installed
delete remove erase purge wipe prune discard drop
remove delete drop strip exclude
keep retain retention preserve store stored hold
store save keep stored kept put
move moved migrate migration relocate transfer
transfer send move upload copy
upload download export import file transfer
export csv spreadsheet excel download report
spreadsheet excel csv sheet table
document file pdf doc paper note
file document folder directory
folder directory path
picture photo image pictures photos photograph
video film movie clip recording
music song audio playlist
printer print printed printing paper
screen monitor display
keyboard mouse key
cable wire plug
electricity power current outage ups energy
ups battery power
battery charge charging
heating heater radiator warm temperature boiler
temperature degree degrees warm cold hot
light lamp bulb lighting
customer client buyer account subscriber
supplier vendor provider contractor
company firm business employer organisation organization
colleague coworker team teammate employee staff
employee staff worker personnel colleague hire
boss manager lead leader head chief director supervisor
manager lead leads head responsible director
responsible charge owner owns handles deal deals care leads accountable
decide decision decided chose choose choice agreed
decision decided agreed resolution
approve approval agree consent permit sign
hire recruit recruiting candidate applicant job interview
developer engineer programmer coder
designer design layout
intern trainee apprentice student
salary pay wage income paid earn
pay paid payment money cost charge bill
cost price fee expense expensive charge rate
price cost fee rate amount
cheap inexpensive affordable discount
discount rebate percent off reduction reduced special
invoice bill billing billed charged receipt
charged billed paid invoiced
refund reimburse reimbursement back
tax vat taxes accountant
accounting accountant books bookkeeping bookkeeper finance
finance money financial budget bank
bank account iban money
budget money limit spend spending
contract agreement deal terms signed
lawyer attorney legal solicitor
insurance insured policy cover
subscription plan licence license
licence license permit
offer quote proposal estimate
buy purchase bought order ordered acquire
sell sale sold selling
order purchase buy
shop store shopping supermarket
delivery deliver ship shipping parcel package shipment
parcel package delivery
meeting call appointment standup sync conference
appointment meeting visit date
calendar schedule agenda appointment
deadline due until latest
holiday vacation leave absent away trip off
trip travel journey flight visit
travel trip flight train journey
flight plane fly airport airline
train rail railway station
car vehicle automobile drive van
drive driving car
bike bicycle cycling
bus tram metro subway transport
parking park garage
hotel room accommodation stay
address street location place live lives
live lives reside home address
home house flat apartment
house home building
flat apartment rent
rent lease landlord tenant
landlord owner tenant
office desk workplace workspace
room meeting office
desk table
kitchen cook cooking cooker
cook cooking meal dish food recipe
food meal eat eating dish lunch dinner diet
eat eating food meal diet
lunch meal noon restaurant
dinner supper meal evening restaurant
breakfast meal morning
restaurant cafe dinner lunch eat
drink coffee tea beverage
coffee espresso cafe
wine beer alcohol drink
vegetarian vegan meat diet
allergic allergy allergies intolerant gluten nuts
sugar sweet dessert cake chocolate
cake dessert birthday sweet
bread bake baking sourdough
doctor physician gp medical clinic
dentist tooth teeth dental
hospital clinic emergency
medicine medication drug pill tablet dose prescription
ill sick illness disease unwell
pain ache hurt
health medical healthy
vaccine vaccination shot jab
exercise sport gym training run running
run running jog marathon
swim swimming pool
family relatives parents
mother mum mom parent
father dad parent
parents mother father family
child kid children kids son daughter baby
daughter child girl kid
son child boy kid
kindergarten nursery daycare school preschool
school class teacher pupil
teacher school instructor
university college study student
wife husband spouse partner married
wedding married marry anniversary
husband wife spouse partner
brother sister sibling
friend mate buddy
neighbour neighbor nextdoor
birthday born anniversary
born birthday birth
gift present
dog puppy pet
cat kitten pet
pet dog cat animal
vet veterinary animal pet
garden plant plants lawn yard
plant plants flower flowers garden
water watering
clean cleaning cleaner tidy
rubbish trash garbage waste bin
laundry wash washing
book novel read reading author
read reading book
language speak speaks spoken
english german french spanish polish language
speech voice spoken transcribe transcription whisper dictation
text written transcript
translate translation language
ai llm model gpt claude
meaning sense
favourite favorite prefer prefers preferred likes best
prefer prefers preference like likes favourite rather
dislike hate hates cannot
hobby interest pastime
game play games playing
idea suggestion proposal
plan planned planning intend intention roadmap
goal aim target objective
rule policy guideline convention agreed
instruction manual guide howto documentation
documentation docs wiki manual handbook
question ask asked
answer reply respond response
complain complaint criticise criticism unhappy feedback
criticise criticism finding complaint fault
feedback opinion review
problem trouble issue difficulty
important critical essential crucial
dangerous risk risky danger
risk danger threat
big large huge great
small little tiny minor
new recent newest latest
old former previous earlier ancient
former old previous ex earlier
first initial earliest
last final latest
begin start starts started begins
start begin starts launch beginning
end finish finished stop ends over
finish complete done end
leave leaves left depart quit goes
arrive arrival come comes
early morning dawn
morning early breakfast
afternoon pm
evening night late
night nightly nighttime overnight evening
weekend saturday sunday
daily everyday day every
weekly week every
monthly month every
quarterly quarter
yearly annual annually year
often frequently frequency regularly
twice two double doubled
two twice double
once one single
half 50
minute minutes min
hour hours
wait waiting delay pause
limit maximum cap most quota
maximum limit most max
minimum least
quota limit
count number amount
size big gb tb
length long
distance far km
temporary interim provisional
permanent forever
forbid forbidden ban prohibited disallow
promise commitment agreed pledge
visitor guest visitors
guest visitor
emergency urgent
door entrance lock gate
lock locked unlock key
unlock open key passphrase password
key keys lock
safe vault vaultwarden keepass bitwarden
vault vaultwarden bitwarden secret password
camera cctv video
sensor temperature humidity
smart homeassistant zigbee automation
television tv
clock time ntp
timezone utc time
alarm alert siren
name called named title
called named name
nickname called name
logo brand icon
colour color shade
font typeface
slide presentation talk
talk presentation speech lecture
conference event meetup talk
event conference party
party celebration celebrate
anniversary celebrate jubilee
advertisement ad marketing campaign advert
marketing campaign promotion advertise
sales selling revenue turnover
revenue income turnover earnings sales
competitor rival competition
partner partnership
investor funding investment
founder founded cofounder
ceo director managing boss
product offering
support helpdesk ticket service
ticket issue support request
request ask demand wish
complaint ticket unhappy
sla guarantee uptime
privacy gdpr personal data
personal private
legal law gdpr
data information
information info details data
statistics analytics numbers metrics
analytics tracking statistics matomo plausible
search find lookup index
cache caching redis cached
redis cache valkey
queue rabbitmq kafka jobs broker
webhook callback hook
api endpoint interface rest
endpoint url api
timeout cut limit abort
cut interrupted abort dropped timeout
compress compression zip gzip
sync synchronise synchronize replicate mirror
mirror copy replicate
replicate replica litestream copy mirror
bucket s3 minio object storage
cron crontab schedule
shell bash terminal command
command run shell
linux debian ubuntu
windows microsoft
mac macbook apple macos
browser chrome firefox
editor vscode vim ide
indent indentation tabs spaces
lint linter format formatter
typescript javascript js ts node
python pip
rust cargo
javascript js typescript node
frontend ui interface client
backend server api
ui interface screen frontend
absent away off sick holiday
accident crash collision
achieve reach accomplish
actor film movie star
adapter plug charger converter
address mail postal street zip postcode
adopt introduce switch
advice recommend recommendation tip suggest
afraid fear scared
agenda topics schedule
agree agreed consensus accept
agreement contract arrangement deal
airport terminal flight
alternative replacement substitute instead
anonymous pseudonymous unnamed
apartment flat home
apologise sorry apology
application form apply
architecture design structure
argue dispute disagree
arrange organise organize plan
assign assigned allocate responsible
assistant helper aide
attachment file enclosed
authorise approve permit sign
average mean typical usually
award prize won
bag backpack suitcase luggage
balance remaining left
ban block blacklist
bandwidth speed throughput mbit
bathroom shower toilet
bed bedroom sleep
benefit advantage perk
bonus extra premium reward
borrow lend loan lent
bottleneck slow limit
box container case
brake stop
broken damaged defective faulty dead
brochure leaflet flyer
browser chrome firefox safari
building house block tower
burn fire
business company trade commercial
button switch key
cabinet cupboard rack shelf
cancel cancelled abort terminate end notice
cancellation notice terminate end
candidate applicant interview
capital city
card credit debit visa
cargo freight shipment
carpenter craftsman builder
cash money notes
catch intercept trap
certificate diploma qualification
chair seat
challenge difficulty problem
change alter modify edit adjust switch
chapter section part
charity donation donate
cheap low
checklist list steps
choose pick select chose opt
church mosque temple
cinema film movie
city town
claim demand assert
class course lesson
clause paragraph section contract
clinic doctor hospital
clone copy duplicate
clothes clothing wear shirt
club society association
coach trainer bus
collect gather pick fetch
comment remark note
commit change push
commute travel drive
compare versus difference
compatible works supported
compensation damages refund
competitor rival alternative
compliance gdpr regulation audit
component part module
computer server
concern worry problem
condition state term
confidential secret private nda
confirm verify approve
conflict clash collision
connect link join attach
connection link line uplink
consultant adviser freelancer
contact reach phone email person
contractor freelancer agency
convert transform change
cookie tracking consent
copy duplicate clone
corner edge
correct right fix
country nation state
coupon voucher discount code
course training class
court judge trial
credit loan
crypto bitcoin
currency euro dollar eur usd
curtain blind shutter
customs duty import
damage broken harm
dark night black
dashboard grafana overview panel
dead died death deceased
debt owe owes loan
debug troubleshoot diagnose
default standard usual
defect fault bug
degree diploma university
delay late postponed
demo demonstration presentation
department team division unit
deposit downpayment bail
desktop pc
destination target
diet food vegan vegetarian gluten
difference gap delta
director boss manager head
dirty unclean stained
disable off deactivate switch
disaster emergency catastrophe recovery
disconnect unplug cut
discover find detect notice
discuss talk meeting debate
disease illness condition
distribute share spread
divorce separated
doorbell ring
draft version
dress clothing
drill exercise rehearse rehearsal test
driver licence car
drug medicine medication
dry drought
duplicate twice double copy
duration long takes lasts
duty shift oncall call
earn salary income
edit change modify
education school university
effort work hours
elevator lift
embed include
empty vacant nothing
enable on activate switch
engine motor
enough sufficient
environment staging production test
equipment gear hardware device
device gadget hardware equipment machine
error code
escalate escalation raise
evaluate assess compare
evidence proof
exam test
example sample instance
exception exempt except
exchange swap replace trade
excluded except without skipped omitted
skip omit exclude leave
excuse reason
exhibition fair show
exit leave way
expire expiry expires end valid
expert specialist knows
explain tell describe
external outside third
eye glasses vision optician
face recognition
factory plant
fail fallback
fair exhibition trade
fan ventilator cooling noise
cooling fan air temperature
fee charge cost
fence gate
field column
fight dispute
figure number
fire smoke alarm
fish salmon seafood
fitness gym exercise
flag toggle switch feature
flood water leak
floor storey level
flower plant bouquet
follow subscribe
foreign abroad international
abroad foreign overseas
forest wood
forget lost forgot
format layout structure
forward redirect relay
fraud scam phishing
free gratis without
freeze frozen stop hang
freezer fridge
fridge refrigerator
fruit apple banana
fuel petrol gas diesel
fund money
furniture table chair sofa
garage parking car
gas heating
gateway router proxy
glass window
glasses eye
grandmother grandma grandparent
grandfather grandpa grandparent
greeting hello
group team
grow growth increase
habit routine usually
hair haircut barber
handle manage deal process
handover handoff transition
happen occur took
headphones headset
hear listen
heart cardiac
heavy weight kg
height tall metres
help support assist
hide hidden secret
hike hiking mountain walk
hill mountain
hobby likes plays
hospital surgery operation
hosting server provider
humidity moisture
hurry urgent
icon logo
ignore skip
illegal forbidden
import load ingest
improve better optimise
incident postmortem outage
include contains with
increase rise raise grow
index search
infection virus
inform tell notify
injury hurt wound
input entry
insect bug
inspect check
inspection mot tuv check
install mount fit
integration connector connect
intelligence ai
interest rate
interface api
internal intranet inside
international abroad
interrupt stop break
interview candidate call
introduce new
inventory stock list
invest investment shares
invite invitation guest
iron metal
jacket coat
jewelry ring necklace
join start
joke funny
juice drink
kettle water
kill stop terminate
knife blade
knowledge know wiki
label tag
labour work
ladder steps
lake swim
land ground
launch start release
law legal rule
lead customer prospect
prospect lead customer
leak leaking water memory
learn learning course study
lecture talk
legacy old
lend borrow loan
lesson learned
letter mail post
level grade
library books
lid cover
lie false
lift elevator
limit restrict
link url
list overview
load traffic
locate where
loud noise noisy
noise loud sound
love like
luggage bag suitcase
machine washing
magazine newspaper
maintenance service upkeep window
maintain maintenance care
major important
manual handbook
map route
market fair
massage physio
match game
material fabric
maximum peak
measure measurement reading
meat beef pork chicken
mechanic garage repair
media press
member membership
menu food
merge combine
method way
metric measurement
middleware layer
migrate move switch
milk lactose dairy
lactose milk intolerant
mind opinion
mirror glass
missing lost absent
mistake error wrong
mode setting
model type
moderate medium
mortgage loan house
motor engine
mount attach
mountain hike
museum exhibition
nap sleep
narrow thin
nationality citizen passport
passport id visa travel
visa passport travel
nature outdoors
neck back
negotiate deal
nervous anxious
newspaper press journal
noon midday lunch
north south
nurse hospital
obligation must duty
obtain get
occupation job profession
profession job occupation
ocean sea beach
beach sea
officer official
oil grease
onboarding newcomer joiner start
newcomer new joiner
operation surgery
operator admin
admin administrator root superuser
opinion view
opponent rival
optician glasses
organise plan
origin source
outdoor outside
oven bake cook
overtime hours
overview summary list
owe debt
own owner
pack luggage
page site
paint colour wall
pair two
panic emergency
park garden
participant attendee
attend attendance join
passenger traveller
pause break stop
break pause rest
peak maximum busiest
busy load peak
pen pencil
pension retirement
retire retirement pension
permission allowed
pet animal
pharmacy chemist medicine
photo camera
physio physiotherapy back
piano instrument music
instrument piano guitar music
pill medicine
pilot trial
pizza restaurant
platform system
player team
plumber water pipe
pipe water drain
poem poet
police emergency
policy rule
poll survey vote
survey poll questionnaire
pool swim
popular favourite
position job
postpone delay later
pregnant baby
press news
priority important first
prison jail
privilege right
procedure process steps runbook
process procedure workflow
runbook procedure steps
produce make
production live
prohibit ban
project plan
promote promotion
proof evidence
property house
provider supplier
pull fetch
pump water
punctual time
pupil school
quality standard
quick fast
quiet silent calm
quit leave resign
resign resignation quit leaving
race run
radio station
rain weather
weather rain forecast
rate limit
throttle rate limit
raw unprocessed
reboot restart power
restart reboot
receipt invoice
receive get
recipe cook
record recording
recommend suggest
redirect forward
reduce lower decrease
reference link
refuse reject decline
reject refuse decline
region area
register signup enrol
reliable stable
religion church
remember recall
remind reminder
remote home
remotely home remote
renew renewal extend
renovate renovation rebuild
replace exchange swap
report statement
represent stand
request apply
rescue save
research study
reserve booking reservation
booking reservation book reserved
resource asset
respond answer
rest break
result outcome
return back
reverse undo
rollback revert undo
undo revert rollback
rich wealthy
ride bike
ring call
road street
rotate rotation change turns
rotation turns alternate
route path
routine habit
row line
runner ci
sad unhappy
sail boat
boat ship sail
sample example
sand beach
satisfied happy
scale grow
scan scanner document
school holidays
scooter bike
score points
screenshot picture
sea ocean
season summer winter
seat chair
section part
security guard
seed plant
sensitive secret
separate apart
serial number
sew clothes
shape form
share shared together
shelf rack
shift duty
shirt clothes size
shoe shoes size
shower bathroom
shut close
sight eye
signature sign
silence mute quiet
mute silence
size measurement
skill knows
skin dermatologist
sleep bed
smoke cigarette
snow winter ski
ski snow
soap wash
socket plug
solar panel roof energy
sound audio
spare backup extra
speaker talk
specification spec requirement
requirement must need
sport football tennis
staff people
stage phase
staging test preproduction
stairs floor
stamp letter
standard norm
station train
statue monument
steal theft stolen
theft stolen stole
stock inventory
stomach food
storm weather
strategy plan
stream live
strike stop
strong powerful
style convention
subject topic
succeed success
succession successor replace
sue court
suit clothes
supervisor boss
surgeon operation
surname name
surprise unexpected
swap exchange
swim pool
switch change
symptom sign
syntax format
tablet ipad
tap water
target goal
taste flavour
taxi cab
team group
tenant landlord
tent camping
camping tent
term condition
terminal shell
theatre play
thesis study
thief theft
ticket train
timer schedule
tip advice
tired sleep
toilet bathroom
tooth dentist
topic subject
tour trip
tourist travel
towel bathroom
toy game
trace debug
tradition custom
traffic load
train learn
training course
trainer coach
trash bin
tree garden
trust rely
tutor teacher
tyre tire wheel
tire tyre wheel
umbrella rain
uncle aunt
understand know
uniform same
uninstall remove
unit measurement
university degree
unstable flaky
flaky unstable unreliable intermittent
upset angry
user customer
vacancy job position
validate check
valuable expensive
vegetable food
vehicle car
verify check
veto refuse
victim attack
village town
virus malware
visit visitor
voice call
volunteer unpaid
vote poll
voucher coupon
wage salary
wall paint
wallet money
war conflict
warehouse stock
warranty guarantee repair
guarantee warranty
watch clock
weapon gun
weigh weight
weight kg
welcome greet
wheel tyre
whitelist allowlist allowed
window maintenance
wine cellar
winter cold
wire cable
word term
workaround trick
workshop training
worry concern
wrap cover
write author
yoga exercise
`;

const related = new Map<string, Set<string>>();
for (const line of lines.trim().split('\n')) {
  const terms = line.split(' ').flatMap((word) => termsOf(word).slice(-1));
  for (const term of terms) {
    const known = related.get(term) ?? new Set<string>();
    related.set(term, known);
    for (const other of terms) if (other !== term) known.add(other);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Terms with much the same meaning. */
export const relatedTo = (term: string): ReadonlySet<string> => related.get(term) ?? NONE;
