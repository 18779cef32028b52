/** Leaves room for the rest of a reply of 8 KB. */
const MOST_BYTES = 6200;

export interface Part {
  readonly text: string;
  /** Where the rest begins, in characters. */
  readonly next_offset?: number;
}

/** As much of a text, from `offset` on, as fits into a reply that has it twice: as data, and quoted as text. */
export function partOf(text: string, offset = 0, most = MOST_BYTES): Part {
  let end = offset;
  let left = most;
  for (const sign of text.slice(offset, offset + most)) {
    left -= bytesTwice(sign);
    if (left < 0) break;
    end += sign.length;
  }
  return { text: text.slice(offset, end), ...(end < text.length && { next_offset: end }) };
}

const QUOTES = 2;

function bytesTwice(sign: string): number {
  const once = JSON.stringify(sign);
  return Buffer.byteLength(once) - QUOTES + Buffer.byteLength(JSON.stringify(once.slice(1, -1))) - QUOTES;
}
