import type { Beat } from './answers.ts';

const BARS = '▁▂▃▄▅▆▇█';
const COLUMNS = 60;

/**
 * Heartbeats as one line. A bar is the slowest response of its column, `x` means down, `~` pending, `m` maintenance, and
 * a space no heartbeat. What is worse hides what is better.
 */
export function plotOf(beats: readonly Beat[], { from, to }: { readonly from: number; readonly to: number }): string {
  const columns: Beat[][] = Array.from({ length: COLUMNS }, () => []);
  for (const beat of beats) {
    const at = Math.floor(((beat.at - from) / (to - from)) * COLUMNS);
    columns[Math.min(COLUMNS - 1, Math.max(0, at))]?.push(beat);
  }
  const most = beats.reduce((slowest, { ping = 0 }) => Math.max(slowest, ping), 0);
  return columns.map((column) => signOf(column, most)).join('');
}

function signOf(column: readonly Beat[], most: number): string {
  const has = (wanted: Beat['status']) => column.some(({ status }) => status === wanted);
  if (column.length === 0) return ' ';
  if (has('down')) return 'x';
  if (has('pending')) return '~';
  if (!has('up')) return 'm';
  const slowest = column.reduce((slow, { ping = 0 }) => Math.max(slow, ping), 0);
  return BARS.charAt(most === 0 ? 0 : Math.min(BARS.length - 1, Math.floor((slowest / most) * BARS.length)));
}
