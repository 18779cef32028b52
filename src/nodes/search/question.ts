import { fillers } from './fillers.ts';
import { impliedBy } from './implied.ts';
import { inEnglish } from './languages.ts';
import { rawWordsOf, stemOf } from './words.ts';

/** Anything beyond these limits is ignored. */
const READ_CHARACTERS = 600;
const READ_WORDS = 40;

export interface Question {
  /** The meaningful stems, in order, without repeats. */
  readonly words: readonly string[];
  /** All stems, including fillers: titles may contain them. */
  readonly all: ReadonlySet<string>;
  /** Adjacent words, to recognise split names like "hub spot". */
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether the question asks for a trigger. */
  readonly trigger: 'surely' | 'perhaps' | 'no';
  /** Whether it asks for AI. */
  readonly ai: boolean;
  /** Whether it asks for a tool of an agent. */
  readonly tool: boolean;
  /** Needed no translation, so the English embedding model can read it. */
  readonly english: boolean;
  /** The original text, cut to a limit, for that model. */
  readonly text: string;
}

/** Reads any text as words. Anything else, such as operators or NUL, is dropped. */
export function readQuestion(asked: string): Question {
  const text = asked.slice(0, READ_CHARACTERS).trim();
  const { words: raw, translated } = inEnglish(rawWordsOf(text).slice(0, READ_WORDS));
  const lower = ` ${raw.join(' ')} `;
  const telling = [...raw.filter((word) => !fillers.has(word) && !/^\d+$/.test(word)), ...impliedBy(lower)];
  const words = telling.length > 0 ? telling : raw;
  return {
    words: [...new Set(words.map(stemOf))],
    all: new Set([...raw, ...words].map(stemOf)),
    pairs: raw.slice(1).map((word, index) => [raw[index] as string, word]),
    trigger: matches(trigger, lower) ? 'surely' : matches(maybe, lower) ? 'perhaps' : 'no',
    ai: matches(ai, lower),
    tool: matches(tool, lower),
    english: !translated && /^[\p{ASCII}\p{P}\p{S}]*$/u.test(text),
    text,
  };
}

const units =
  '(?:second|minute|hour|day|week|weekday|weekend|month|quarter|year|morning|noon|evening|night|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?';

/** Patterns that ask for a trigger. */
const trigger = [
  /^ (?:when|whenever|once|on|upon) (?!all |both |to )/,
  / (?:do|start|run|notify|alert|inform|tell|ping|warn|react|act) (?:\w+ ){0,4}(?:when|whenever|once) /,
  / (?:as soon as|each time|every time|any time|in case) /,
  / trigger(?:s|ed)? (?!an? |the |my |our |another )/,
  new RegExp(` (?:every|each|once an?|once per|twice an?) (?:\\w+ )?${units} `),
  /^ (?:daily|hourly|weekly|monthly|nightly|yearly) (?:\w+ )?(?:at|on|run|job|sync|backup|update|check) /,
  / (?:daily|hourly|weekly|monthly|nightly|yearly)(?: (?:at|on|by|around) .*)? $/,
  / (?:cron|crontab|periodically|regularly) /,
  / (?:start|starts|started|starting|launch|kick off|begin|run|runs|fire|fires) (?:\w+ ){0,5}(?:on|if|when|after) (?:a |an |any |the )?(?:new|incoming|change|changes)/,
  / (?:on|for|upon|after) (?:a |an |any |every |each )?(?:new|incoming) /,
  /^ (?:a |an |any )?(?:new|incoming) (?!line|field|column|property|variable|folder|workflow)/,
  /^ (?:if )?(?:someone|somebody|anyone|anybody|a customer|a user|a client|a visitor|people) (?!to |who |for )/,
  / (?:landed|bought|signed up|subscribes|arriving) /,
  / (?:then|and) (?:the )?(?:flow|workflow|automation|process) (?:begins|starts|runs|shall start|should start) /,
  / (?:watch|watches|watching|listen|listens|listening|subscribe to|subscribes to|consume|react|reacts|reacting|monitor) /,
  / (?:received|arrives|arrive|arrived|incoming|comes in|came in|is added|is created|is updated|is opened|was added|was created|gets created|gets added|appears|is booked|is submitted|submitted|happens|occurs|succeeds|is received|is placed|signs up|is posted|is uploaded|is changed|is paid|starts the workflow|start the workflow|starts a workflow|starts my workflow|start a workflow) /,
];

/** Patterns that may ask for a trigger or not: "stop when the data is wrong". */
const maybe = [/ (?:when|whenever|once) (?!all |both |to )/, / (?:if any|in the event) /];

const ai = [/ (?:ai|llm|llms|gpt|chatgpt|agent|agents|genai) /, / language models? /, / artificial intelligence /];

const matches = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

const tool = [
  / (?:as|is|be|like) (?:a |an )?tools? /,
  / tools? (?:for|of|to give) (?:an? |the |my )?(?:ai |llm )?(?:agent|assistant|model) /,
  / (?:give|let|allow|enable|make|have) (?:an? |the |my )?(?:ai |llm )?(?:agent|assistant|model|bot|ai|llm) /,
  / (?:agent|ai|llm) tool /,
];
