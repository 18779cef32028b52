/** From about this size on, Node keeps a text that it decodes outside of V8's heap. */
export const LARGE = 1024 * 1024;

/**
 * A text of three parts, of which the middle one may be large. V8 copies what is concatenated to its heap as soon as it
 * is read, and a few answers of the largest size would fill a small one.
 */
export function joined(before: string, text: string, after = ''): string {
  if (text.length < LARGE) return before + text + after;
  return Buffer.concat([before, text, after].map((part) => Buffer.from(part))).toString();
}

/** What to write for a text: with a large string, Node makes copies on the heap. */
export function toWrite(text: string): string | Buffer {
  return text.length < LARGE ? text : Buffer.from(text);
}
