import { harmless } from '../../kernel/harmless.ts';

/** Texts of templates are written by strangers: they are shortened before they are kept or shown. */
export const NAME = 200;
export const DESCRIPTION = 2000;
const NODE_TYPE = 200;
export const MOST_TYPES = 100;

/** Control characters, and marks that reverse or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}]+/gu;

/** Scripts whose letters have three bytes get fewer letters: replies are measured in bytes. */
const BYTES = 1.5;

/** One line of at most so many characters. */
export function line(text: string, most: number): string {
  // Whatever is cut anyway is not searched for spaces.
  const plain = harmless(text.slice(0, most * 4))
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .trim();
  const end = endOf(plain, most);
  return end < plain.length ? `${plain.slice(0, end)}…` : plain;
}

/** Where to cut, so that neither characters nor bytes are too many. Does not cut an emoji in two. */
function endOf(text: string, most: number): number {
  let bytes = 0;
  let end = 0;
  // Leaves room for the ellipsis.
  let cut = 0;
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    end += letter.length;
    if (end > most || bytes > most * BYTES) return cut;
    if (end < most) cut = end;
  }
  return text.length;
}

/** Markdown as one line of plain text. */
export const prose = (markdown: string, most: number): string =>
  line(
    markdown
      .slice(0, most * 4)
      .replaceAll(/<[^<>]{0,200}>/g, ' ')
      .replaceAll(/!?\[([^[\]]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
      .replaceAll(/^\s{0,3}#{1,6}\s/gm, '')
      .replaceAll(/[*_`~|]{1,3}/g, ''),
    most,
  );

/** A time in one form; undefined if it is none. JavaScript reads a date with any text in brackets behind it. */
export function timeIn(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

export const isStickyNote = (type: string): boolean => type === 'n8n-nodes-base.stickyNote';

/** Each type once, without sticky notes. */
export const typesIn = (types: Iterable<string>): string[] =>
  [...new Set(types)].filter((type) => !isStickyNote(type) && type.length <= NODE_TYPE).slice(0, MOST_TYPES);

/** `n8n-nodes-base.slack` as `slack`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf('.') + 1);
