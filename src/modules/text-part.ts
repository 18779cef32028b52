/** What a text takes in a reply, which has it as data and, quoted once more, as text. */
function costOf(text: string): number {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Leaves room for the frame of a reply of 8 KB, and a few short fields. */
const USUAL_ROOM = 6200;

/** What these fields leave of it. */
export const roomBesides = (fields: object): number =>
  Math.max(1000, USUAL_ROOM + 800 - costOf(JSON.stringify(fields)));

/** How many characters from `offset` on take no more than `room` bytes of a reply: at least one, and no half ones. */
function fittingLength(text: string, offset: number, room: number): number {
  // A character takes two bytes at least.
  let length = Math.min(text.length - offset, Math.ceil(room / 2));
  for (let cost = costOf(text.slice(offset, offset + length)); cost > room && length > 1; ) {
    length = Math.max(1, Math.min(length - 1, Math.floor((length * room) / cost)));
    cost = costOf(text.slice(offset, offset + length));
  }
  const cutsPair = offset + length < text.length && /[\ud800-\udbff]/.test(text.charAt(offset + length - 1));
  return cutsPair ? (length > 1 ? length - 1 : 2) : length;
}

export interface TextPart {
  readonly text: string;
  /** Of the whole, if this is a part of it. */
  readonly characters?: number;
  /** Where the rest begins, in characters. */
  readonly next_offset?: number;
}

/** As much of a text as fits into a reply, from `offset` on. */
export function textPart(whole: string, offset = 0, room = USUAL_ROOM): TextPart {
  const from = Math.min(offset, whole.length);
  const end = from === whole.length ? from : from + fittingLength(whole, from, room);
  return {
    text: whole.slice(from, end),
    ...((from > 0 || end < whole.length) && { characters: whole.length }),
    ...(end < whole.length && { next_offset: end }),
  };
}

/** The beginning of a text that takes at most `room` bytes of a reply, with what was left out said at its end. */
export function brief(whole: string, room: number): string {
  const { text, next_offset } = textPart(whole, 0, room);
  return next_offset === undefined ? whole : `${text}… (${whole.length} characters)`;
}
