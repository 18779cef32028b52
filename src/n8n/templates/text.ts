import { harmless } from '../../kernel/harmless.ts';

/** Texts of templates are written by strangers: they are shortened before they are kept or shown. */
export const NAME = 200;
export const DESCRIPTION = 2000;
const NODE_TYPE = 200;
export const MOST_TYPES = 100;

/** Control characters, and marks that reverse or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}]+/gu;

/** One line of at most so many characters. */
export function line(text: string, most: number): string {
  // Whatever is cut anyway is not searched for spaces.
  const plain = harmless(text.slice(0, most * 4))
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .trim();
  return plain.length > most ? `${wholeLetters(plain, most - 1)}…` : plain;
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

/** Does not cut an emoji in two. */
function wholeLetters(text: string, most: number): string {
  const cut = text.slice(0, most);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export const isStickyNote = (type: string): boolean => type === 'n8n-nodes-base.stickyNote';

/** Each type once, without sticky notes. */
export const typesIn = (types: Iterable<string>): string[] =>
  [...new Set(types)].filter((type) => !isStickyNote(type) && type.length <= NODE_TYPE).slice(0, MOST_TYPES);

/** `n8n-nodes-base.slack` as `slack`. */
export const shortType = (type: string): string => type.slice(type.lastIndexOf('.') + 1);
