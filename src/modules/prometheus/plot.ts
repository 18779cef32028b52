import type { Window } from './times.ts';

const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 60;
const GAP = ' ';

/** A point: unix seconds and the value, which may be NaN or infinite. */
export type Point = readonly [time: number, value: number];

/** How many columns a plot of this window has: one a step, at most 60. */
export const columnsOf = ({ start, end, step }: Window): number =>
  Math.max(1, Math.min(WIDTH, Math.floor((end - start) / step + 1e-9) + 1));

/**
 * A series as one line of bars from its lowest value to its highest. A space means no value, `?` NaN, `↑` and `↓`
 * infinite. Where several points share a column, the one furthest from the average shows, so that no spike is lost.
 */
export function plot(points: readonly Point[], window: Window, columns = columnsOf(window)): string {
  const { low, high, average } = statsOf(points) ?? { low: 0, high: 0, average: 0 };
  const cells: (number | undefined)[] = Array.from({ length: columns });
  const width = (window.end - window.start + window.step) / columns;
  for (const [time, value] of points) {
    const at = Math.min(columns - 1, Math.max(0, Math.floor((time - window.start) / width + 1e-9)));
    const held = cells[at];
    if (held === undefined || further(value, held, average)) cells[at] = value;
  }
  return cells.map((value) => bar(value, low, high)).join('');
}

/** NaN tells the least. */
function further(value: number, held: number, average: number): boolean {
  if (Number.isNaN(value)) return false;
  return Number.isNaN(held) || Math.abs(value - average) > Math.abs(held - average);
}

function bar(value: number | undefined, low: number, high: number): string {
  if (value === undefined) return GAP;
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return value > 0 ? '↑' : '↓';
  if (high === low) return BARS.charAt(value === 0 ? 0 : 3);
  // Halves first: the difference of the two largest numbers is infinite.
  const share = (value / 2 - low / 2) / (high / 2 - low / 2);
  return BARS.charAt(Math.min(BARS.length - 1, Math.floor(share * BARS.length)));
}

export interface Stats {
  readonly low: number;
  readonly high: number;
  readonly average: number;
}

/** Of the finite values; undefined if there are none. */
export function statsOf(points: readonly Point[]): Stats | undefined {
  let [low, high, average, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const [, value] of points) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
    count += 1;
    // Cannot overflow, as a sum could.
    average += value / count - average / count;
  }
  return count === 0 ? undefined : { low, high, average };
}

const DAY = 86_400;
const SHORTEST_AXIS = 24;

/** The times under a plot, in UTC: its first, middle and last column. */
export function axisOf({ start, end }: Window, columns: number): string {
  const label = (seconds: number) => {
    const iso = new Date(seconds * 1000).toISOString();
    const time = end - start < 300 ? iso.slice(11, 19) : iso.slice(11, 16);
    return end - start < DAY ? time : `${iso.slice(5, 10)} ${time}`;
  };
  const [first, last] = [label(start), label(end)];
  if (columns < first.length + last.length + 2) return `${first} – ${last}`;
  if (columns < Math.max(SHORTEST_AXIS, first.length * 3 + 4)) return first + last.padStart(columns - first.length);
  const middle = label((start + end) / 2);
  const before = Math.floor((columns - middle.length) / 2);
  return (
    first + middle.padStart(before + middle.length - first.length) + last.padStart(columns - before - middle.length)
  );
}
