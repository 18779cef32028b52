/*
 * Reads the few elements that S3 answers with. Finds them by their tags in one pass and knows only the entities of XML
 * itself, so nothing in an answer can make it slow, large or read other files.
 */

/** The text of the first element of this name; undefined if there is none. */
export function textOf(xml: string, name: string): string | undefined {
  const inner = innerOf(xml, name, 0)?.inner;
  return inner === undefined ? undefined : decoded(inner);
}

/** What is inside of each element of this name. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  for (let at = 0; ; ) {
    const next = innerOf(xml, name, at);
    if (!next) return found;
    found.push(next.inner);
    at = next.end;
  }
}

function innerOf(xml: string, name: string, from: number): { inner: string; end: number } | undefined {
  const open = `<${name}`;
  const close = `</${name}>`;
  for (let at = xml.indexOf(open, from); at >= 0; at = xml.indexOf(open, at + open.length)) {
    const after = xml[at + open.length];
    // Another name that begins alike: <Key> and <KeyCount>.
    if (after !== '>' && after !== ' ') continue;
    const start = xml.indexOf('>', at) + 1;
    const end = xml.indexOf(close, start);
    return start === 0 || end < 0 ? undefined : { inner: xml.slice(start, end), end: end + close.length };
  }
  return undefined;
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? all;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** For the text of an element. */
export const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
