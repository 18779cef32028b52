/** The text of a description, if it is one: a community node may have any value there. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Three dots, not `…`: a character outside Latin-1 doubles the memory and write cost of the whole string in V8. */
const CUT = '...';

/** Removes the HTML tags that n8n puts into descriptions, and cuts at a word boundary. */
export function shortened(text: string, most: number): string {
  const plain = text
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most - CUT.length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), Math.floor(most / 2)))}${CUT}`;
}

/** Cuts a list and says how many more there are. */
export function upTo(list: readonly string[], most: number): string[] {
  return list.length <= most ? [...list] : [...list.slice(0, most), `${CUT} ${list.length - most} more`];
}
