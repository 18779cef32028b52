import type { Event } from './event.ts';
import { lightEvent } from './light-event.ts';

/** More are neither kept nor shown: a page that is open for days stays small. */
export const MOST_HELD = 10_000;

/** The events of the list, newest first. Those that came while somebody reads further down wait. */
export interface HeldEvents {
  readonly rows: readonly Event[];
  readonly waiting: readonly Event[];
  /** How many came live. */
  readonly came: number;
  /** How many are no longer here, because newer ones took their place. */
  readonly leftOut: number;
  /** The highest id that was seen: a stream continues there. */
  readonly newest: number;
}

export const noEvents: HeldEvents = { rows: [], waiting: [], came: 0, leftOut: 0, newest: 0 };

/** The first page. */
export function heldFrom(page: readonly Event[]): HeldEvents {
  return { ...noEvents, rows: page.map(lightEvent), newest: page[0]?.id ?? 0 };
}

/** Adds live events, oldest first as they come. An event that comes again is ignored. */
export function withNew(held: HeldEvents, batch: readonly Event[], isReading: boolean): HeldEvents {
  let { newest } = held;
  const fresh: Event[] = [];
  for (const event of batch) {
    if (event.id <= newest) continue;
    newest = event.id;
    fresh.push(lightEvent(event));
  }
  if (fresh.length === 0) return held;
  const waiting = [...fresh.toReversed(), ...held.waiting];
  const leftOut = held.leftOut + Math.max(0, waiting.length - MOST_HELD);
  const next = { ...held, newest, came: held.came + fresh.length, waiting: waiting.slice(0, MOST_HELD), leftOut };
  return isReading ? next : withWaiting(next);
}

/** Shows what waits. */
export function withWaiting(held: HeldEvents): HeldEvents {
  if (held.waiting.length === 0) return held;
  const rows = [...held.waiting, ...held.rows];
  const leftOut = held.leftOut + Math.max(0, rows.length - MOST_HELD);
  return { ...held, rows: rows.slice(0, MOST_HELD), waiting: [], leftOut };
}

/** Adds a page of older events at the end. */
export function withOlder(held: HeldEvents, page: readonly Event[]): HeldEvents {
  const oldest = held.rows.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  const older = page.filter(({ id }) => id < oldest).map(lightEvent);
  return { ...held, rows: [...held.rows, ...older].slice(0, MOST_HELD) };
}
