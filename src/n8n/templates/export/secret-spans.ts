import { secretName } from '../../../validation/credentials/secret-names.ts';
import { knownForms, looksChosen, looksRandom } from '../../../validation/credentials/secret-patterns.ts';
import { apart, type Span } from './spans.ts';

export interface FieldContext {
  /** The name of the field or header that holds the text. */
  readonly name: string;
  /** A note on the canvas. */
  readonly isNote?: boolean;
}

/** Whether the value only shows where a secret goes. Narrower than the validator's list: a doubtful one is replaced. */
const isStandIn = (value: string): boolean =>
  /\byour|your[-_]|<[^>]{0,100}>|x{5,}|\*{3,}|\.{3}|…|example|placeholder|change[-_ ]?me|redacted/i.test(
    value.slice(0, 500),
  );

const userInfo = /:\/\/([^\s/:@"'`<>{}?#]{0,200})(:(?:[^\s/@"'`<>{}]|[{}](?![{}])){1,500})?@/g;

/** Parameters of a URL whose names say that they hold a secret. The value is replaced whatever it looks like. */
const inQuery =
  /[?&](?:[\w.-]{0,40}(?:token|secret|signature|passw(?:or)?d|[-_.]key|api[-_]?key|accesskey|authkey|appkey)|key|sig|pwd|pass|auth)=([^&#\s"'`<>{}\\]{1,2000})/gi;

const scheme = /\b(?:Bearer|Basic|Token|Bot|ApiKey)\s{1,5}([A-Za-z0-9._~+/=-]{16,2000})/gi;

/** `apiKey: "…"`, `TOKEN='…'`, `\"password\":\"…\"`, `x-api-key: …`, `Password=…;` */
const assigned =
  /(api[-_ ]?key|secret(?:[-_ ]?(?:access)?[-_ ]?key)?|token|passw(?:or)?d|passphrase|pwd|authorization|private[-_]?key)\\{0,3}["'`]?\s{0,20}(?::|=>?)\s{0,20}(\\{0,3}["'`])?(?:(?:Bearer|Basic|Token) )?([^"'`\s\\,;&{}()<>]{8,512})/gi;

const isPassword = (name: string): boolean => /^(?:passw|passphrase|pwd)/i.test(name);

/** The secrets in a text. Takes time in proportion to the text, whatever it contains. */
export function secretSpans(text: string, context: FieldContext): Span[] {
  return apart([...everySecret(text, context)]);
}

function* everySecret(text: string, { name, isNote = false }: FieldContext): Generator<Span> {
  const field = isNote ? undefined : inField(text, name);
  if (field) yield field;
  for (const { what, index, length } of knownForms(text)) {
    const found = text.slice(index, index + Math.min(length, 500));
    if (!isStandIn(found)) yield { start: index, end: index + length, put: knownStandIn(what, found) };
  }
  for (const match of text.matchAll(userInfo)) {
    const [found, user = '', password] = match;
    if (user === '' && password === undefined) continue;
    if (isStandIn(found)) continue;
    const start = match.index + '://'.length;
    yield { start, end: match.index + found.length - 1, put: password ? 'YOUR_USER:YOUR_PASSWORD' : 'YOUR_USER' };
  }
  for (const match of text.matchAll(inQuery)) {
    const value = match[1] as string;
    if (!/^[$:]/.test(value) && !isStandIn(value)) yield ending(match, value, 'YOUR_KEY');
  }
  for (const match of text.matchAll(scheme)) {
    const value = match[1] as string;
    if (value.length > 512 || isRandom(value)) yield ending(match, value, 'YOUR_TOKEN');
  }
  for (const match of text.matchAll(assigned)) {
    const [, word = '', quote, value = ''] = match;
    const isSecret = isRandom(value) || ((quote !== undefined || isPassword(word)) && isChosen(value));
    if (isSecret) yield ending(match, value, standInFor(word));
  }
}

const isRandom = (value: string): boolean => !isStandIn(value) && looksRandom(value);
const isChosen = (value: string): boolean => !isStandIn(value) && looksChosen(value);

/** The value is the end of the match. */
function ending(match: RegExpExecArray, value: string, put: string): Span {
  const end = match.index + match[0].length;
  return { start: end - value.length, end, put };
}

const sureName = /authorization$|passw(?:or)?d|passphrase|secret|private[-_ ]?key/i;

/** The whole value of a field whose name says that it is a secret: `{ name: "Authorization", value: "Bearer …" }`. */
function inField(text: string, name: string): Span | undefined {
  if (name.length > 200) return undefined;
  const isCookie = /^(?:set-)?cookie$/i.test(name);
  if (!isCookie && !secretName.test(name) && !/^(?:passwd|pwd)$|client[-_ ]?secret$/i.test(name)) return undefined;
  const start = (/^=?\s{0,20}(?:(?:Bearer|Basic|Token|Bot|ApiKey)\s{1,20})?/i.exec(text) as RegExpExecArray)[0].length;
  const bare = text.slice(start).trimEnd();
  if (bare.length < 6 || bare.startsWith('$') || bare.includes('{{') || isStandIn(bare)) return undefined;
  if (!isCookie && /\s/.test(bare)) return undefined;
  if (!isCookie && !sureName.test(name) && bare.length < 20 && !isRandom(bare) && !isChosen(bare)) return undefined;
  return { start, end: start + bare.length, put: isCookie ? 'YOUR_COOKIE' : standInFor(name) };
}

function standInFor(name: string): string {
  if (/passw|passphrase|pwd/i.test(name)) return 'YOUR_PASSWORD';
  if (/secret/i.test(name)) return 'YOUR_SECRET';
  if (/key/i.test(name)) return 'YOUR_KEY';
  return 'YOUR_TOKEN';
}

/** `a GitHub token` becomes `YOUR_GITHUB_TOKEN`. Of a webhook's URL the host stays, so that it is still a URL. */
function knownStandIn(what: string, found: string): string {
  const word = /web token/.test(what) ? 'TOKEN' : what.replace(/^an? /, '').replaceAll(/\W+/g, '_').toUpperCase();
  return `${what.endsWith('URL') ? found.slice(0, found.indexOf('/') + 1) : ''}YOUR_${word}`;
}
