import type { Cell } from '../../client/data-tables.ts';

/**
 * One line of a CSV. A text is quoted where it has to be, and where it would otherwise be read as something else: an empty
 * text, to tell it from no value. Texts that begin with = + - @ are not changed.
 */
export function csvLine(cells: readonly Cell[], delimiter: string): string {
  // A line with nothing on it would be skipped by the reader.
  const isBlank = cells.length === 1 && cells[0] === null;
  return isBlank ? '""\n' : `${cells.map((cell) => field(cell, delimiter)).join(delimiter)}\n`;
}

function field(cell: Cell, delimiter: string): string {
  if (cell === null) return '';
  const text = String(cell);
  const isBare = text !== '' && !text.includes(delimiter) && !/["\r\n]|^\s|\s$|^\u{FEFF}/u.test(text);
  return isBare ? text : `"${text.replaceAll('"', '""')}"`;
}
