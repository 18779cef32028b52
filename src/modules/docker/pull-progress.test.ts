import { expect, test } from 'vitest';
import { pullProgress, step } from './pull-progress.ts';

test('adds up the layers, and never falls', () => {
  const seen: number[] = [];
  let time = 0;
  const report = pullProgress(
    (progress) => seen.push(progress),
    () => (time += 1000),
  );
  const line = (id: string, status: string, current: number) =>
    report(step(JSON.stringify({ id, status, progressDetail: { current, total: 100 } })) ?? { error: undefined });
  line('a', 'Downloading', 10);
  line('b', 'Downloading', 5);
  line('a', 'Downloading', 100);
  line('a', 'Extracting', 1);
  line('b', 'Downloading', 3);
  expect(seen).toEqual([10, 15, 105, 105]);
});

test('a line that is not JSON is left out', () => {
  expect(step('<html>')).toBeUndefined();
  expect(step('{"error":"denied"}')).toMatchObject({ error: 'denied' });
});
