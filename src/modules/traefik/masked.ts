const GONE = '[redacted]';
const DEEPEST = 10;

const SECRET =
  /authori[sz]ation|api[-_ ]?key|(?:access|private|signing|encryption|client)[-_ ]?key|^key$|secret|token|passw|passphrase|pwd|cookie|credential|bearer|signature/i;
/** Names of maps of headers, in which `X-Auth` holds a secret, too. */
const HEADERS = /headers$/i;
const IN_HEADERS = /auth|cookie|key|secret|token|passw|credential|signature/i;

/** Credentials in URLs, and parameters of URLs whose name sounds like a secret. */
export const maskedText = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s"'@`]+@/gi, `$1${GONE}@`)
    .replace(/([?&][\w.%-]{0,80}=)[^&\s"'`]+/g, (whole, name: string) =>
      IN_HEADERS.test(name) ? `${name}${GONE}` : whole,
    );

/**
 * The configuration of a middleware or a service without its secrets: users keep their name, but not their hash. Objects
 * are always gone into, because `sticky: { cookie: { name } }` is no secret.
 */
export function masked(value: unknown, name = '', around = '', depth = 0): unknown {
  if (depth > DEEPEST) return '[…]';
  if (typeof value === 'string') return maskedValue(value, name, around);
  if (Array.isArray(value)) return value.map((item) => masked(item, name, around, depth + 1));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key, name, depth + 1)]));
}

function maskedValue(value: string, name: string, around: string): string {
  if (name === 'users') return value.replace(/:[\s\S]*$/, `:${GONE}`);
  if (SECRET.test(name) || (HEADERS.test(around) && IN_HEADERS.test(name))) return value === '' ? '' : GONE;
  return /-----BEGIN [A-Z ]*PRIVATE KEY/.test(value) ? GONE : maskedText(value);
}

/** A rule in which values of headers and parameters that sound like a secret are hidden. */
export const maskedRule = (rule: string): string =>
  rule.replace(
    /((?:headers?|query)(?:regexp)?\()((?:\s*(?:`[^`]*`|"[^"]*")\s*,?)+)/gi,
    (_, call: string, values: string) => call + maskedPairs(values),
  );

function maskedPairs(values: string): string {
  let hides = false;
  return values.replace(/`[^`]*`|"[^"]*"/g, (whole) => {
    const text = whole.slice(1, -1);
    const mark = whole.slice(0, 1);
    if (hides) {
      hides = false;
      return mark + GONE + mark;
    }
    const [, name = text, value] = /^([\w.-]+)=([\s\S]+)$/.exec(text) ?? [];
    if (!IN_HEADERS.test(name)) return whole;
    // Version 2 writes name and value of a parameter in one.
    if (value !== undefined) return `${mark}${name}=${GONE}${mark}`;
    hides = true;
    return whole;
  });
}
