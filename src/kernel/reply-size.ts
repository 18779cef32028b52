/** Default limit of a reply, so that models can afford to ask. */
const REPLY_BYTES = 8 * 1024;
/** Reserved for keys, counts and the result's frame around the items. */
const FRAME_BYTES = 400;

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** How many of these texts (at least one) fit into a text-only reply. */
export function fittingTexts(texts: readonly string[]): number {
  // A line is quoted inside the text, and the text is quoted inside the message.
  return fitting(texts, (text) => sizeOf(JSON.stringify(text)) + 1, FRAME_BYTES);
}

/** How many of these items (at least one) fit into a reply that contains everything twice, as data and as text. */
export function fittingItems(items: readonly unknown[], besides: unknown = {}): number {
  const twice = (item: unknown) => {
    const json = JSON.stringify(item);
    return Buffer.byteLength(json) + sizeOf(json) + 2;
  };
  return fitting(items, twice, FRAME_BYTES + twice(besides));
}

function fitting<T>(items: readonly T[], bytesOf: (item: T) => number, used: number): number {
  let left = REPLY_BYTES - used;
  const over = items.findIndex((item) => {
    left -= bytesOf(item);
    return left < 0;
  });
  return over === -1 ? items.length : Math.max(1, over);
}
