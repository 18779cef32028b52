import { formSpans } from './secret-forms.ts';
import { ending, labelled } from './secret-labels.ts';
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
import { apart, type Span } from './spans.ts';

export interface FieldContext {
  /** The name of the field or header that holds the text. */
  readonly name: string;
  /** A note on the canvas. */
  readonly isNote?: boolean;
}

const userInfo = /:\/\/([^\s/:@"'`<>{}?#]{0,200})(:(?:[^\s/"'`<>{}]|[{}](?![{}])){1,500})?@/g;

/** A parameter of a URL or of a form. */
const parameter = /[?&]([\w.[\]-]{1,60})=([^&#\s"'`<>{}\\]+)/g;
/** Parameters whose value is replaced whatever it looks like. */
const sureParameter =
  /token$|secret$|signature$|passw(?:or)?d$|[-_.]key$|api[-_]?key$|accesskey$|authkey$|appkey$|^(?:key|sig|pwd|pass|auth)$/i;

const scheme = /\b(?:Bearer|Basic|Token|Bot|ApiKey)\s{1,5}([A-Za-z0-9._~+/=-]{6,})/gi;

/** The secrets in a text. Takes time in proportion to the text, whatever it contains. */
export function secretSpans(text: string, context: FieldContext): Span[] {
  return apart([...everySecret(text, context)]);
}

function* everySecret(text: string, { name, isNote = false }: FieldContext): Generator<Span> {
  if (!isNote) yield* inField(text, name);
  yield* formSpans(text);
  for (const match of text.matchAll(userInfo)) {
    const [found, user = '', password] = match;
    if (user === '' && password === undefined) continue;
    if (isStandIn(password ?? user)) continue;
    const start = match.index + '://'.length;
    yield { start, end: match.index + found.length - 1, put: password ? 'YOUR_USER:YOUR_PASSWORD' : 'YOUR_USER' };
  }
  for (const match of text.matchAll(parameter)) {
    const [, key = '', value = ''] = match;
    if (/^[$:]/.test(value) || isStandIn(value)) continue;
    const isSecret = sureParameter.test(key) || (suspicionOf(key) !== undefined && isRandom(decoded(value)));
    if (isSecret) yield ending(match, value, 'YOUR_KEY');
  }
  for (const match of text.matchAll(scheme)) {
    const value = match[1] as string;
    const isPair = /^basic/i.test(match[0]) && isUserAndPassword(value);
    if (value.length > 512 || isPair || isRandom(value)) yield ending(match, value, 'YOUR_TOKEN');
  }
  yield* labelled(text);
}

/** `%3D` is `=`. */
const decoded = (value: string): string => value.replaceAll(/%[0-9a-f]{2}/gi, '=');

const schemes = /^=?\s{0,20}(?:(?:Bearer|Basic|Token|Bot|ApiKey)\s{1,20})?/i;
/** Of `Authorization`, any word before the rest. */
const anyScheme = /^=?\s{0,20}(?:[A-Za-z][\w-]{0,40}\s{1,20}(?=\S))?/;

/** The value of a field whose name says that it is a secret: `{ name: "Authorization", value: "Bearer …" }`. */
function* inField(text: string, name: string): Generator<Span> {
  const suspicion = isCookie(name) ? 'sure' : suspicionOf(name);
  if (suspicion === undefined) return;
  if (text.includes('{{')) return yield* text.startsWith('=') ? inExpression(text, name) : [];
  const isAuthorization = /authorization$/i.test(name);
  const start = ((isAuthorization ? anyScheme : schemes).exec(text) as RegExpExecArray)[0].length;
  const bare = text.slice(start).trimEnd();
  if (bare.length < 4 || bare.startsWith('$') || isStandIn(bare) || /^(?:bearer|basic|token)$/i.test(bare)) return;
  if (/\s/.test(bare) && !isAuthorization && !isCookie(name) && !isPhrase(name, bare)) return;
  const isSecret =
    suspicion === 'sure'
      ? bare.length >= (isPassword(name) ? 4 : 6)
      : isRandom(bare) || (suspicion === 'likely' && (bare.length >= 20 || isChosen(bare)));
  if (isSecret) yield { start, end: start + bare.length, put: standInFor(name) };
}

/** A password of several words. More of them are a sentence about it. */
const isPhrase = (name: string, value: string): boolean =>
  isPassword(name) && value.length <= 128 && value.split(/\s+/).length <= 5;

/** What is written out in an expression: `={{ $json.key || "9f86d081…" }}`. */
function* inExpression(text: string, name: string): Generator<Span> {
  for (const match of text.matchAll(/(["'`])(?:(?:Bearer|Basic|Token) )?([^"'`\s\\{}$]{6,500})(?=\1)/g)) {
    const value = match[2] as string;
    if (isRandom(value) || (isPassword(name) && isChosen(value))) yield ending(match, value, standInFor(name));
  }
}
