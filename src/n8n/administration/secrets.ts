import { secretSpans } from '../templates/export/secret-spans.ts';
import { replaced } from '../templates/export/spans.ts';

/** Stands for a value that is not shown. */
export const HIDDEN = '[hidden]';

const SECRET_WORDS: ReadonlySet<string> = new Set(
  'password passwd passphrase pwd pass secret secrets token apikey privatekey authorization cookie signature bearer credential credentials'.split(
    ' ',
  ),
);

/** A name that ends in one of these before `key` is that of a secret: `apiKey`, `X-API-KEY`, `signing_key`. */
const SECRET_KEYS: ReadonlySet<string> = new Set(
  'api private secret access auth encryption signing license licence activation master session service client account hmac ssh jwt webhook'.split(
    ' ',
  ),
);

/** Whether something of this name is likely a secret: `DB_PASSWORD`, `apiKey`, `slack-token`; not `monkey` or `key`. */
export function isSecretName(name: string): boolean {
  const words = wordsIn(name);
  return words.some(
    (word, index) => SECRET_WORDS.has(word) || (word === 'key' && SECRET_KEYS.has(words[index - 1] ?? '')),
  );
}

/** The same for the name of a variable. There is no telling what a `KEY` opens, so all of them count. */
export const isSecretVariable = (key: string): boolean =>
  isSecretName(key) || wordsIn(key).some((word) => word === 'key' || word === 'keys' || word === 'tokens');

const wordsIn = (name: string): string[] =>
  name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Short forms and old ones that `secretSpans` leaves alone, because they may be placeholders. */
const SECRET_TEXT =
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]{0,50}PRIVATE KEY-----|\b(?:sk|pk|rk|xox[abprs]|gh[pousr]|glpat|n8n_api)[-_][\w-]{16,}/;
const PASSWORD_IN_URL = /(:\/\/[^/\s:@]{0,200}:)[^/\s@]{1,200}@/g;

/** A text without the secrets that can be told by their form. */
export function withoutSecrets(text: string): string {
  if (SECRET_TEXT.test(text)) return HIDDEN;
  const open = text.replaceAll(PASSWORD_IN_URL, `$1${HIDDEN}@`);
  const spans = secretSpans(open, { name: '' }).filter(({ start, end }) => !open.slice(start, end).includes(HIDDEN));
  return replaced(
    open,
    spans.map((span) => ({ ...span, put: HIDDEN })),
  );
}
