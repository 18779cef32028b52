import { MOST_SHOWN, type Shown, shortened, shown } from '../shown.ts';
import { nameOf } from './names.ts';

/** What a text costs in a reply, which has it twice: as data, and as text in which it is quoted again. */
const costOf = (text: string): number => {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

/** For a value that has a reply to itself. */
const WHOLE_ROOM = 6400;
/** For one of many values. */
export const ITEM_ROOM = 1000;
/** How many bytes are fetched to show a part: more than are shown, so that the last character is whole. */
export const FETCHED = MOST_SHOWN + 4;

interface View {
  /** Where the part begins in the value. */
  readonly offset?: number;
  /** The size of the value, if these are not all its bytes. */
  readonly total?: number;
  readonly room?: number;
  /** What else the reply holds, such as the name of a long key. */
  readonly beside?: string;
}

/** Shows a part of a value, cut to the room that it has in the reply. */
export function viewed(part: Buffer, { offset = 0, total = part.length, room, beside = '' }: View = {}): Shown {
  const mostCost = Math.max(500, (room ?? WHOLE_ROOM) - costOf(beside));
  let most = MOST_SHOWN;
  let cut = shown(part, { most });
  // Quotes and line ends take several bytes each once they are quoted.
  while (costOf(cut.value) > mostCost && most > 16) {
    most = Math.floor(most * 0.7);
    cut = shown(part, { most });
  }
  const end = offset + (cut.next_offset ?? part.length);
  return {
    value: cut.value,
    ...(cut.encoding && { encoding: cut.encoding }),
    ...((offset > 0 || end < total) && { bytes: total }),
    ...(end < total && { next_offset: end }),
  };
}

/** One of many values: cut, with its whole size, and nowhere to go on from. */
export function viewedItem(bytes: Buffer, room = ITEM_ROOM): Omit<Shown, 'next_offset'> {
  const { next_offset: _, ...rest } = viewed(bytes, { room });
  return rest;
}

const LONGEST_NAME = 1000;

/** A name for lists. One that is longer than anybody would type is cut. */
export const viewedName = (bytes: Buffer): string => {
  const name = bytes.length > 4096 ? `${nameOf(bytes.subarray(0, 4096))}…` : nameOf(bytes);
  return shortened(name, LONGEST_NAME);
};
