import { expect, test } from 'vitest';
import { placed, settled, spanOf } from './bars.ts';
import type { Bar, Timeline } from './shapes.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const bar = (from: number, to?: number): Bar => ({
  phase: 'do',
  state: to === undefined ? 'running' : 'done',
  started_at: at(from),
  ...(to !== undefined && { ended_at: at(to) }),
  attempts: 1,
});

test('bars stand where they were in the time of the run', () => {
  const steps = [{ bars: [bar(0, 5), bar(5)] }];
  const span = spanOf(steps, at(0), at(10));
  expect(placed(steps[0]?.bars ?? [], span, at(10)).map(({ left, wide, ms }) => [left, wide, ms])).toEqual([
    [0, 50, 5000],
    [50, 50, 5000],
  ]);
});

test('an undo long after the end is inside, and so is what another clock dates before the beginning', () => {
  const bars = [bar(0, 1), bar(90, 100)];
  const span = spanOf([{ bars }], at(0), at(200), at(10));
  expect(span.to - span.from).toBe(100_000);
  const [early] = placed([bar(-5, 1)], span, at(200));
  expect(early?.left).toBe(0);
  const [late] = placed([bar(150, 160)], span, at(200));
  expect((late?.left ?? 0) + (late?.wide ?? 0)).toBeLessThanOrEqual(100);
});

test('nothing began yet', () => {
  const span = spanOf([{ bars: [] }], at(3), at(3));
  expect(span.to).toBeGreaterThan(span.from);
});

test('what still waited when the run ended was given up then', () => {
  const step = { step: 'go', kind: 'approval', does: 'Go?', bars: [bar(0, 1), { ...bar(1), state: 'waiting' }] };
  const run = { state: 'undone', ended_at: at(5), steps: [step] } as unknown as Timeline;
  expect(settled(run).steps[0]?.bars).toEqual([bar(0, 1), { ...bar(1, 5), state: 'cancelled' }]);
  const open = { ...run, state: 'waiting' };
  expect(settled(open)).toBe(open);
});
