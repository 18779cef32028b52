import { AppError } from './errors.ts';

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Shorter values would redact almost everything. */
const SHORTEST = 6;

/** Whole files are in no URL, and encoding them takes long. */
const LONGEST_IN_URL = 8192;

/** How many replaced secrets to remember, and how long they may be together. */
const MOST_RETIRED = 500;
const MOST_RETIRED_LENGTH = 1_000_000;

/** Redacts known secrets from a text. */
export interface Redactor {
  (text: string): string;
  /** The known secrets inside a text, whatever form they have there. */
  within(text: string): string[];
}

/**
 * Redacts known secrets from text that is logged, recorded or shown. Prepares for all of them once, and again when they
 * change. Also redacts replaced secrets: they may still appear in errors of work that started with them.
 */
export function createRedactor(secrets: () => readonly string[], shortest = SHORTEST): Redactor {
  let known: readonly string[] = [];
  let retired: readonly string[] = [];
  let forms = new Map<string, readonly string[]>();
  let without: Replacing = (text) => text;
  function prepared(): Replacing {
    const now = secrets();
    if (now.length !== known.length || now.some((secret, index) => secret !== known[index])) {
      const current = new Set(now);
      const replaced = [...new Set([...retired, ...known])].filter((secret) => !current.has(secret));
      retired = newest(replaced);
      known = [...now];
      const all = [...known, ...retired].filter(({ length }) => length >= shortest);
      forms = new Map(all.map((secret) => [secret, forms.get(secret) ?? formsOf(secret)]));
      without = replacing([...forms.values()].flat(), shortest);
    }
    return without;
  }
  return Object.assign((text: string) => prepared()(text), {
    within(text: string): string[] {
      const found = new Set<string>();
      prepared()(text, (form) => found.add(form));
      return [...forms].flatMap(([secret, its]) => (its.some((form) => found.has(form)) ? [secret] : []));
    },
  });
}

type Replacing = (text: string, found?: (form: string) => void) => string;

/** The last ones of a list that may be kept. */
function newest(secrets: readonly string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const secret of secrets.toReversed()) {
    length += secret.length;
    if (kept.length === MOST_RETIRED || length > MOST_RETIRED_LENGTH) break;
    kept.push(secret);
  }
  return kept.toReversed();
}

/**
 * Finds where one may begin with a pattern of the beginnings only: a pattern of whole certificates and key files would
 * be too large for the engine.
 */
function replacing(all: readonly string[], shortest: number): Replacing {
  if (all.length === 0) return (text) => text;
  // One secret may start with another: match the longer first, or its rest would remain.
  const longestFirst = [...new Set(all)].sort((a, b) => b.length - a.length);
  const byStart = Map.groupBy(longestFirst, (form) => form.slice(0, shortest));
  const starts = new RegExp([...byStart.keys()].map((start) => RegExp.escape(start)).join('|'), 'g');
  return (text, note) => {
    let result = '';
    let from = 0;
    starts.lastIndex = 0;
    for (let found = starts.exec(text); found; found = starts.exec(text)) {
      const { 0: start, index } = found;
      const whole = byStart.get(start)?.find((form) => text.startsWith(form, index));
      if (whole !== undefined) {
        note?.(whole);
        result += text.slice(from, index) + REDACTED;
        from = index + whole.length;
      }
      starts.lastIndex = whole === undefined ? index + 1 : from;
    }
    return from === 0 ? text : result + text.slice(from);
  };
}

/** The secret itself, and its encoded forms in URLs and JSON. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  if (secret.length > LONGEST_IN_URL) return [secret, inJson];
  const encoded = encodeURIComponent(secret.toWellFormed());
  // In forms and search parameters, and as URL encodes it.
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  const inUrl = [encoded, encoded.replaceAll("'", '%27'), form];
  const lowerCase = inUrl.map((text) => text.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()));
  return [secret, inJson, ...inUrl, ...lowerCase];
}

/** The error without secrets in its message and its data. */
export function redactError(error: AppError, redact: (text: string) => string): AppError {
  const message = redact(error.message);
  const data = error.data && (redactTexts(error.data, redact) as Record<string, unknown>);
  if (message === error.message && data === error.data) return error;
  const { code, cause, saysWhen } = error;
  return new AppError(code, message, { cause, ...(data && { data }), ...(saysWhen && { saysWhen }) });
}

/** The same value if there is nothing to redact in it. */
function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  const safe = Object.entries(value).map(([key, inner]) => [key, inner, redactTexts(inner, redact)] as const);
  if (safe.every(([, before, after]) => before === after)) return value;
  return Array.isArray(value)
    ? safe.map(([, , after]) => after)
    : Object.fromEntries(safe.map(([key, , after]) => [key, after]));
}

const SECRET_NAME =
  /authori[sz]ation|api[-_ ]?key|(?:access|private|signing|encryption)[-_ ]?key|secret|token|passw|passphrase|pwd|cookie|credential|bearer|signature/i;

const DEEPEST = 8;

/** A copy without values whose name sounds like a secret. The remaining texts go through `redact`. */
export function redactNamed(value: unknown, redact: (text: string) => string = (text) => text, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEEPEST) return '[…]';
  if (Array.isArray(value)) return value.map((item) => redactNamed(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactField(name, inner, redact, depth)]),
  );
}

// Numbers and flags are not secrets: `tokens: 812`, `hasPassword: true`.
function redactField(name: string, value: unknown, redact: (text: string) => string, depth: number): unknown {
  const plain = value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
  return !plain && SECRET_NAME.test(name) ? REDACTED : redactNamed(value, redact, depth + 1);
}
