/** How many texts to remember in each of two generations. */
const MOST = 100_000;

/**
 * Tells whether a text is there for the first time in at least `ms`. Memory is bounded: with more than MOST texts in that
 * time, the oldest are forgotten.
 */
export function createOnce(ms: number, most = MOST): (text: string) => boolean {
  let fresh = new Set<string>();
  let older = new Set<string>();
  let since = Date.now();
  return (text) => {
    const age = Date.now() - since;
    if (age >= ms || fresh.size >= most) {
      older = age >= 2 * ms ? new Set() : fresh;
      fresh = new Set();
      since = Date.now();
    }
    if (fresh.has(text) || older.has(text)) return false;
    fresh.add(text);
    return true;
  };
}
