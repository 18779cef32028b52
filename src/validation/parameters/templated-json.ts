import { problemOf } from './json-text.ts';

/** Nobody writes more by hand. */
const LONGEST = 200_000;

/**
 * What is wrong with the fixed text of `{ "a": {{ $json.a }}, "b": "{{ $json.b }}" }`. An expression may return
 * anything, even commas and names, so only text that is wrong for every result is a problem.
 */
export function templatedProblem(text: string, read = problemOf): string | undefined {
  if (!text.includes('{{')) {
    return text.trim() === '' ? undefined : read(text);
  }
  if (text.length > LONGEST) return undefined;
  const pieces = piecesOf(text);
  // The whole text is one expression, or an unclosed one, which the expression rules report.
  if (!pieces || pieces.every((piece) => piece.trim() === '')) return undefined;
  if (!/^\s*[[{]/.test(pieces[0] as string)) return undefined;
  const problem = read(fill(pieces, '0'));
  if (problem === undefined) return undefined;
  const others = ['', '"x"', '"x":0', ',"x":0', '"x":0,', '0,'];
  return others.some((one) => read(fill(pieces, one)) === undefined) ? undefined : problem;
}

/** The text between the expressions; `undefined` if one is not closed. */
function piecesOf(text: string): string[] | undefined {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('{{', from);
    if (start < 0) break;
    const end = text.indexOf('}}', start + 2);
    if (end < 0) return undefined;
    pieces.push(text.slice(from, start));
    from = end + 2;
    // `{{ {a: {b: 1}} }}`: the last of several braces closes the expression.
    while (text[from] === '}' && text.slice(start, from).split('{').length > text.slice(start, from).split('}').length)
      from++;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function fill(pieces: readonly string[], outside: string): string {
  let isInText = false;
  const filled: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    isInText = endsInText(piece, isInText);
    filled.push(piece);
    if (index === pieces.length - 1) break;
    // After a colon there can only be a value.
    filled.push(isInText ? 'x' : /:\s*$/.test(piece.slice(-50)) ? '0' : outside);
  }
  return filled.join('');
}

function endsInText(piece: string, begins: boolean): boolean {
  let isIn = begins;
  for (let index = 0; index < piece.length; index++) {
    if (piece[index] === '\\') index++;
    else if (piece[index] === '"') isIn = !isIn;
  }
  return isIn;
}
