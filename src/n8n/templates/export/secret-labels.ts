import {
  isChosen,
  isCookie,
  isPassword,
  isRandom,
  isStandIn,
  isUserAndPassword,
  standInFor,
  suspicionOf,
} from './secret-words.ts';
import type { Span } from './spans.ts';

/** `apiKey: "…"`, `TOKEN='…'`, `\"password\":\"…\"`, `x-api-key: …`, `Password=…;`, `**Password:** …` */
const label =
  /(?<!YOUR_[A-Z_]{0,30})(api[-_ ]?key|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|token|pass(?:word|wd|phrase|code|wort)|kennwort|contrase[nñ]a|senha|pwd|authorization|private[-_]?key|cookie|key|auth|session(?:[-_]?id)?|jwt|bearer|signature|credentials?|app[-_]?id|pass)\\{0,3}["'`]?[\s*]{0,20}(?::|=>?)/gi;

/** `{ "name": "dbPassword", "value": "…" }` in a text. */
const pairLabel =
  /\bname\\{0,3}["']?\s{0,5}[:=]\s{0,5}\\{0,3}["']?([\w-]{3,60})\\{0,3}["']?,?\s{1,60}\\{0,3}["']?value\\{0,3}["']?\s{0,5}[:=]/gi;

/** `<wsse:Password Type="…">…</wsse:Password>` */
const element =
  /<[\w-]{0,40}:?(api[-_]?key|secret|token|password|passwd|pwd|authorization)(?:\s[^<>]{0,200})?>([^<>]{4,300})</gi;

/** `--password …`; with `=` it is a label. */
const flag = /--[\w-]{0,30}?(password|passwd|passphrase|token|secret|api-?key)\s{1,3}["']?([^\s"'-][^\s"']{3,300})/gi;

/** A user and a password: `curl -u user:password`, `btoa("user:password")`. */
const pair =
  /(?:(?:^|\s)(?:-u|--user)[\s=]{1,3}["']?|\b(?:btoa|Buffer\.from|b64encode)\(\s{0,5}b?["'`])[^\s:"'`${}]{1,100}:([^\s"'`{}]{3,200})/g;

const sql = /\bidentified\s{1,5}by\s{1,5}["']([^"'\s]{4,200})/gi;

/** Secrets that a name before them tells. */
export function* labelled(text: string): Generator<Span> {
  const labels = new RegExp(label);
  for (let match = labels.exec(text); match; match = labels.exec(text)) {
    const found = valueAt(text, labels.lastIndex, match[1] as string);
    if (!found) continue;
    yield found;
    labels.lastIndex = found.end;
  }
  for (const match of text.matchAll(pairLabel)) {
    const name = match[1] as string;
    const found = suspicionOf(name) && valueAt(text, match.index + match[0].length, name);
    if (found) yield found;
  }
  for (const match of text.matchAll(element)) {
    const [, name = '', value = ''] = match;
    if (isSecret(name, value.trim(), true)) {
      const end = match.index + match[0].length - 1;
      yield { start: end - value.length, end, put: standInFor(name) };
    }
  }
  for (const match of text.matchAll(flag)) {
    const [, name = '', value = ''] = match;
    if (isSecret(name, value, isPassword(name))) yield ending(match, value, standInFor(name));
  }
  for (const form of [pair, sql]) {
    for (const match of text.matchAll(form)) {
      const value = match[1] as string;
      if (!isStandIn(value)) yield ending(match, value, 'YOUR_PASSWORD');
    }
  }
}

/** The value is the end of the match. */
export function ending(match: RegExpExecArray, value: string, put: string): Span {
  const end = match.index + match[0].length;
  return { start: end - value.length, end, put };
}

const LONGEST = 600;
const unquoted = /^[^"'`\s\\,;&{}()<>|]*/;
const further = /[^"'`\s\\,;&{}()<>|]*/y;
/** Ends a sentence, not a value. */
const fullStop = /[.:]+$/;

/** The value after a label, if it is a secret. */
function valueAt(text: string, at: number, name: string): Span | undefined {
  const rest = text.slice(at, at + LONGEST);
  const [lead, quote = ''] = /^[\s*]{0,20}(\\{0,3}["'`])?/.exec(rest) as RegExpExecArray & [string];
  const inner = rest.slice(lead.length);
  const quoted = quote === '' ? undefined : within(inner, quote);
  const whole = quoted ?? inner;
  // The scheme stays: `Bearer …`.
  const scheme = /authorization$/i.test(name) ? (/^[A-Za-z][\w-]{1,30} {1,3}(?=\S)/.exec(whole)?.[0] ?? '') : '';
  const start = at + lead.length + scheme.length;
  const after = whole.slice(scheme.length);
  const value = quoted === undefined ? (unquoted.exec(after) as RegExpExecArray)[0].replace(fullStop, '') : after;
  if (value === '' || !isSecret(name, value, quoted !== undefined, scheme.trim())) return undefined;
  // It may be longer than what was read of it.
  further.lastIndex = start + value.length;
  const more = quoted === undefined ? (further.exec(text)?.[0].replace(fullStop, '').length ?? 0) : 0;
  return { start, end: start + value.length + more, put: standInFor(name) };
}

/** What is before the closing quote on the same line. */
function within(text: string, quote: string): string | undefined {
  const inside =
    quote.length > 1
      ? text.slice(0, Math.max(0, text.indexOf(quote)))
      : ((quote === '"' ? /^(?:[^"\\]|\\.)*(?=")/ : quote === "'" ? /^(?:[^'\\]|\\.)*(?=')/ : /^[^`]*(?=`)/).exec(
          text,
        )?.[0] ?? '');
  return inside === '' || inside.includes('\n') ? undefined : inside;
}

/** Types and states, as descriptions of fields have them: `{ "password": "string" }`. */
const word =
  /^(?:string|text|number|integer|boolean|object|array|null|undefined|none|true|false|required|optional|password|token|secret|hidden|api[-_ ]?key|access[-_]?token|auth|header|bearer|basic|oauth2?|unknown|missing|invalid|valid|expired|empty)$/i;

/** Not a value, but code that has it: `response.data.token`. */
const isCode = (value: string): boolean => /\{\{|\$\{|^[$=]|^(?:[A-Za-z_$][\w$]*[.[?])+/.test(value);

function isSecret(name: string, value: string, isQuoted: boolean, scheme = ''): boolean {
  if (value.length < 4 || /\{\{|\$\{|^[$=<[]/.test(value) || word.test(value) || isStandIn(value)) return false;
  if (value.length > 512) return !/\s/.test(value);
  if (/^basic$/i.test(scheme) && isUserAndPassword(value)) return true;
  if (isRandom(value)) return true;
  if (isPassword(name)) return isQuoted ? isTyped(value) : isTypedUnquoted(value);
  if (isCookie(name)) return isQuoted && /^[\w.-]{1,100}=[^\s;]{4}/.test(value);
  if (!isQuoted || /\s/.test(value)) return false;
  if (scheme !== '') return value.length >= 8;
  if (/^(?:secret|api[-_ ]?key|private)/i.test(name)) return value.length >= 8 && !isCode(value);
  return /^(?:token|authorization)$/i.test(name) && isChosen(value);
}

/** A password in quotes may be several words, but is no sentence. */
const isTyped = (value: string): boolean => value.length <= 128 && value.split(/\s+/).length <= 5;

/** Without quotes a word may be anything: it takes a digit or a sign besides letters, or digits alone. */
const isTypedUnquoted = (value: string): boolean =>
  !isCode(value) &&
  (/^\d{4,20}$/.test(value) || (/[A-Za-z]/.test(value) && /[\d!#%&+?^~@$]/.test(value) && value.length >= 6));
