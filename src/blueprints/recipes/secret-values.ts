import { REDACTED, redactNamed } from '../../kernel/redact.ts';
import { secretSpans } from '../../n8n/templates/export/secret-spans.ts';
import { hasRandomText, isPassword } from '../../n8n/templates/export/secret-words.ts';

/** What Sluice knows about secrets. */
export interface SecretKnowledge {
  /** Whether the text contains a value that a tool has revealed. */
  holdsRevealed(text: string): boolean;
  redact(text: string): string;
}

const pin = /^(?:pin|otp)(?:[-_ ]?code)?$/i;
/** `X-Auth`, and `OPENAI_KEY` of an environment. Other keys are names: `key: "stock:total"`. */
const header = /^x-auth(?:-\w+)*$/i;
const variable = /^[A-Z][A-Z0-9_]*_(?:KEY|PASS|PAT|AUTH|CREDS?)$/;

/** Whether even a number under this name is a secret. */
export const isPasswordName = (name: string): boolean => isPassword(name) || pin.test(name);

/** Whether a value under this name is a secret, whatever it looks like. */
export const isSecretName = (name: string): boolean =>
  isPasswordName(name) ||
  header.test(name) ||
  variable.test(name) ||
  Object.values((redactNamed({ value: { [name]: 'x' } }) as { value: object }).value).includes(REDACTED);

/** `alter role ana password '…'`. After `=` or `identified by` every secret is found. */
const passwordLiteral = /\bpassword\s{1,5}(?:as\s{1,5})?[en]?'[^']/i;
/** `insert into users (name, password) values ('ana', '…')` */
const passwordColumn =
  /\binsert\s{1,5}into\s[^;()]{1,200}\([^()]{0,1000}(?:passw|secret|token|api_?key)[^()]{0,1000}\)\s{0,20}values\s{0,20}\([^)]{0,2000}'[^']/i;
/** `X-Api-Key: …` in a text, as in `curl -H`. */
const headerLine = /(?<![\w-])(authorization|(?:x|proxy)-[\w-]{1,40}):[ \t]{0,5}[^\s"']{4}/gi;

const hasHeader = (text: string): boolean => text.matchAll(headerLine).some(([, name = '']) => isSecretName(name));

/** What is shorter is only a secret if its name says so. */
const SHORTEST = 6;

/**
 * Whether a text holds a secret. Doubtful ones count: a value that is asked for again does no harm, a secret that is stored
 * does.
 */
export function holdsSecret(text: string, name: string, { holdsRevealed, redact }: SecretKnowledge): boolean {
  if (text.length < SHORTEST) return false;
  return (
    holdsRevealed(text) ||
    redact(text) !== text ||
    secretSpans(text, { name }).length > 0 ||
    hasRandomText(text) ||
    passwordLiteral.test(text) ||
    passwordColumn.test(text) ||
    hasHeader(text)
  );
}

const MASK = '[secret]';
const DEEPEST_SHOWN = 6;
const MOST_SHOWN = 50;

/** A value as it may be shown: without secrets, and no more of it than people read. */
export function masked(root: unknown, areIn: (text: string, name: string) => boolean): unknown {
  let left = MOST_SHOWN;
  const shown = (value: unknown, name: string, depth: number): unknown => {
    if (left-- <= 0) return '…';
    if (typeof value === 'string') return areIn(value, name) ? MASK : value;
    if (typeof value !== 'object' || value === null) return isPasswordName(name) ? MASK : value;
    if (depth >= DEEPEST_SHOWN) return '…';
    if (Array.isArray(value)) return value.slice(0, MOST_SHOWN).map((one) => shown(one, name, depth + 1));
    const entries = Object.entries(value).slice(0, MOST_SHOWN);
    return Object.fromEntries(
      entries.map(([key, inner]) => [
        areIn(key, '') ? MASK : key,
        isSecretName(key) && !isPlain(inner) ? MASK : shown(inner, key, depth + 1),
      ]),
    );
  };
  return shown(root, '', 0);
}

/** Numbers and flags are not secrets: `tokens: 812`. Those of passwords are. */
export const isPlain = (value: unknown): boolean =>
  value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean';
