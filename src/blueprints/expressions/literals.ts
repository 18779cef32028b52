const RAW = /^(?:r|br|rb)$/i;
const WORD = /[A-Za-z0-9_]+/y;

/**
 * What begins here in CEL, where braces and quotes mean nothing: a word, a text, a comment. Returns the index after it, the
 * same index if nothing of that kind begins here, and -1 if a text has no closing quote.
 */
export function afterLiteral(text: string, at: number): number {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? '';
  const begin = at + word.length;
  const first = text.charAt(begin);
  if (first === '"' || first === "'") return afterText(text, begin, RAW.test(word));
  if (word === '' && text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  return begin;
}

function afterText(text: string, begin: number, raw: boolean): number {
  const one = text.charAt(begin);
  const many = one.repeat(3);
  const quote = text.startsWith(many, begin) ? many : one;
  for (let at = begin + quote.length; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at + quote.length;
    const here = text.charAt(at);
    // Only texts in triple quotes go over several lines.
    if (quote === one && (here === '\n' || here === '\r')) return -1;
    if (here === '\\' && !raw) at++;
  }
  return -1;
}
