const characters = new Intl.Segmenter();

/** Without cutting a character in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const all = Array.from(characters.segment(text.slice(0, 8 * most)), ({ segment }) => segment);
  return all.length > most || text.length > 8 * most ? `${all.slice(0, most - 1).join('')}…` : text;
}
