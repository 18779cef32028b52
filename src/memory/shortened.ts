const SHORT = 300;

/** The beginning of a text, for a list. */
export function shortened(text: string, most = SHORT): { text: string; truncated?: true } {
  if (text.length <= most) return { text };
  // Never half a character.
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return { text: `${cut}…`, truncated: true };
}
