/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Shorter values would redact almost everything. */
const SHORTEST = 6;

/** How many replaced secrets to remember. */
const MOST_RETIRED = 500;

/**
 * Redacts known secrets from text that is logged, recorded or shown. Uses one pattern for all, rebuilt when they
 * change. Also redacts replaced secrets: they may still appear in errors of work that started with them.
 */
export function createRedactor(secrets: () => readonly string[]): (text: string) => string {
  let known: readonly string[] = [];
  let retired: readonly string[] = [];
  let pattern: RegExp | undefined;
  return (text) => {
    const now = secrets();
    if (now.length !== known.length || now.some((secret, index) => secret !== known[index])) {
      retired = [...new Set([...retired, ...known])].filter((secret) => !now.includes(secret)).slice(-MOST_RETIRED);
      known = [...now];
      pattern = patternOf([...known, ...retired]);
    }
    return pattern ? text.replace(pattern, REDACTED) : text;
  };
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf));
  if (forms.size === 0) return undefined;
  // One secret may start with another: match the longer first, or its rest would remain.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => RegExp.escape(form)).join('|'), 'g');
}

/** The secret itself, and its encoded forms in URLs and JSON. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  // In forms and search parameters, and as URL encodes it.
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  const inUrl = [encoded, encoded.replaceAll("'", '%27'), form];
  const lowerCase = inUrl.map((text) => text.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()));
  return [secret, JSON.stringify(secret).slice(1, -1), ...inUrl, ...lowerCase];
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
