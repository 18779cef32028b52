/** What a description says. A community node may have put anything there. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Three dots: the one character for them is beyond Latin-1, and a text with such a one is kept and written at twice the cost. */
const CUT = '...';

/** Marks of HTML, which n8n puts into descriptions, say nothing to a model. */
export function shortened(text: string, most: number): string {
  const plain = text
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most - CUT.length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), Math.floor(most / 2)))}${CUT}`;
}

/** A list that says where it was cut. */
export function upTo(list: readonly string[], most: number): string[] {
  return list.length <= most ? [...list] : [...list.slice(0, most), `${CUT} ${list.length - most} more`];
}
