const GONE = '[redacted]';

/** Very short values would hide everything. */
const SHORTEST = 6;

/** So many that are no longer in use are remembered. */
const MOST_RETIRED = 500;

/**
 * Removes known secrets from text that is about to be logged, recorded or shown. All of them are one pattern, built
 * anew when they change. One that was replaced still counts: what was under way with it may yet fail, and say so.
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
    return pattern ? text.replace(pattern, GONE) : text;
  };
}

function patternOf(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf));
  if (forms.size === 0) return undefined;
  // One secret may begin another: the longer goes first, or its rest would stay.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => RegExp.escape(form)).join('|'), 'g');
}

/** As it is, and as it stands in a URL and inside JSON. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  // As forms and search parameters have it, and as URL leaves what need not be encoded there.
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  const inUrl = [encoded, encoded.replaceAll("'", '%27'), form];
  const lowerCase = inUrl.map((text) => text.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()));
  return [secret, JSON.stringify(secret).slice(1, -1), ...inUrl, ...lowerCase];
}

const SECRET_NAME =
  /authori[sz]ation|api[-_ ]?key|(?:access|private|signing|encryption)[-_ ]?key|secret|token|passw|passphrase|pwd|cookie|credential|bearer|signature/i;

const DEEPEST = 8;

/** A copy without what stands under a name that sounds like a secret; the texts that stay go through `redact`. */
export function redactNamed(value: unknown, redact: (text: string) => string = (text) => text, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEEPEST) return '[…]';
  if (Array.isArray(value)) return value.map((item) => redactNamed(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactField(name, inner, redact, depth)]),
  );
}

// A number or a flag is no secret: `tokens: 812` says how many, `hasPassword: true` whether.
function redactField(name: string, value: unknown, redact: (text: string) => string, depth: number): unknown {
  const plain = value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
  return !plain && SECRET_NAME.test(name) ? GONE : redactNamed(value, redact, depth + 1);
}
