import type { Place } from './drawing.ts';

/** Which part of a drawing one sees. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Larger by a factor, so that what was under `from` is under `to`. */
export function zoomed({ x, y, scale }: View, by: number, from: Place, to: Place): View {
  // A large drawing that is shown whole may be smaller than that.
  const next = by === 1 ? scale : Math.min(4, Math.max(0.05, scale * by));
  const ratio = next / scale;
  return { scale: next, x: to.x - (from.x - x) * ratio, y: to.y - (from.y - y) * ratio };
}

/** Moves no further than to the edges of what is drawn; what is smaller than the room is in its middle. */
export function within(wanted: number, from: number, long: number, room: number): number {
  if (long <= room) return (room - long) / 2 - from;
  return Math.min(-from, Math.max(room - long - from, wanted));
}

/** How far to move what begins there and is so long, so that one sees it. */
export function intoView(from: number, long: number, room: number): number {
  const edge = Math.min(24, Math.max(0, (room - long) / 2));
  if (from < edge) return edge - from;
  return Math.min(0, room - edge - from - long);
}

/** The middle of the fingers, and how far they are apart. */
export function between(all: readonly Place[]): { middle: Place; apart: number } {
  const [first, second = first] = all as [Place, Place?];
  return {
    middle: { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 },
    apart: Math.hypot(first.x - second.x, first.y - second.y),
  };
}
