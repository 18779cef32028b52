import { shortened } from '../shown.ts';

/** In JSON, all together. */
const MOST_BYTES = 900;
const LONGEST = 80;

/** Arguments and headers for a reply: as many as have room, each of them short. */
export function shownArguments(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = Object.entries(given);
  let room = MOST_BYTES;
  const over = all.findIndex((one) => {
    room -= Buffer.byteLength(JSON.stringify(shortEntry(one)));
    return room < 0;
  });
  const some = (over === -1 ? all : all.slice(0, over)).map(shortEntry);
  return Object.fromEntries(over === -1 ? some : [...some, ['…', `${all.length - over} more`]]);
}

const shortEntry = ([name, value]: readonly [string, unknown]): [string, unknown] => [
  shortened(name, LONGEST),
  short(value),
];

function short(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, LONGEST);
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= LONGEST ? value : shortened(json, LONGEST);
}
