import { isSame } from '../schema/json.ts';

const MOST = 2_000_000;

/** Many tools put their data into a text, too, for clients that know only texts. */
export function repeats(part: { readonly type?: string; readonly text?: string }, structured: unknown): boolean {
  const { type, text } = part;
  if (type !== 'text' || typeof text !== 'string' || text.length > MOST) return false;
  const value = jsonIn(text);
  return value !== undefined && isSame(value, structured);
}

/** The object or list that a text is; undefined if it is just a text. */
export function jsonIn(text: string): object | undefined {
  if (text.length > MOST || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
