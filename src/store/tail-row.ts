import type { TailPlace } from './store.ts';

export interface TailRow {
  file: string;
  offset: number;
  head: string;
  skipping: number;
  bad: number;
  too_long: number;
}

export function tailOf(row: TailRow | undefined): TailPlace | undefined {
  if (!row) return undefined;
  const { file, offset, head, skipping, bad, too_long } = row;
  return { file, offset, head, skipping: skipping === 1, bad, tooLong: too_long };
}
