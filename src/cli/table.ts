import { harmless } from '../kernel/harmless.ts';

/** Rows as aligned columns. With a width, the last column is cut to fit. */
export function table(rows: readonly (readonly string[])[], width?: number): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
  return rows.map((row) => {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : padded(cell, widths[column] as number)));
    return cut(line.join('  ').trimEnd(), width);
  });
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/gu;

/** How many columns a text takes in a terminal. */
const columnsOf = (text: string): number => text.replace(/\p{M}/gu, '').replace(WIDE, '##').replace(/./gsu, '#').length;

const padded = (cell: string, columns: number): string => cell + ' '.repeat(Math.max(0, columns - columnsOf(cell)));

export function cut(line: string, width: number | undefined): string {
  return width === undefined || line.length <= width ? line : `${line.slice(0, Math.max(1, width - 1))}…`;
}

/** The first line of foreign text, without runs of blanks and without control characters. */
export function firstLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? '';
  return harmless(line).replace(/\s+/g, ' ');
}
