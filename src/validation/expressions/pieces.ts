/** One piece of code in a text: n8n evaluates what is between `{{` and `}}`, and keeps the rest. */
export interface Piece {
  readonly code: string;
  /** Where the code starts in the text. */
  readonly start: number;
  /** It has its `}}`. Without one, n8n reads everything after it as code. */
  readonly closed: boolean;
}

/**
 * The pieces of code. The first `}}` ends a piece, even inside quotes or braces, because n8n does not parse the code
 * first. A backslash escapes the braces.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (;;) {
    const open = braces(text, '{{', from);
    if (open === -1 || open + 2 >= text.length) return pieces;
    const start = open + 2;
    const end = braces(text, '}}', start);
    if (end === -1) {
      pieces.push({ code: text.slice(start), start, closed: false });
      return pieces;
    }
    pieces.push({ code: unescaped(text.slice(start, end)), start, closed: true });
    from = end + 2;
  }
}

function braces(text: string, wanted: '{{' | '}}', from: number): number {
  let at = text.indexOf(wanted, from);
  while (at !== -1 && isEscaped(text, at, from)) at = text.indexOf(wanted, at + 2);
  return at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0;
  while (at - backslashes > from && text[at - backslashes - 1] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function unescaped(code: string): string {
  // n8n only unescapes the first one.
  return code.replace('\\}}', '}}');
}

/** For a message: `line 2, column 7`, or only the column if there is one line. */
export function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return text.includes('\n') ? `line ${line}, column ${column}` : `column ${column}`;
}
