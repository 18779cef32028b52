import { expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import type { Callable } from '../kernel/callable.ts';
import type { CallContext, Outcome } from '../kernel/source.ts';
import { createCallMetrics, durationBounds } from './call-metrics.ts';

const tool = (source: string, name: string) => ({ source, name }) as Callable;
const context = {} as CallContext;
const fine: Outcome = { result: {} };

function call(
  metrics: ReturnType<typeof createCallMetrics>,
  callable: Callable,
  ms = 1,
  reason?: string,
  outcome = fine,
) {
  metrics.observer.begins(
    callable,
    { name: callable.name },
    context,
  )?.({
    ms,
    ...(reason === undefined ? { state: 'completed' } : { state: 'failed', reason }),
    outcome,
  });
}

test('counts calls by outcome and duration', () => {
  const metrics = createCallMetrics({ maxTools: 10 });
  const echo = tool('ref', 'ref__echo');
  call(metrics, echo, 0.4);
  call(metrics, echo, 1);
  call(metrics, echo, 7, 'timeout');
  call(metrics, echo, 1e9);
  const [record] = [...metrics.records()];
  expect(record).toMatchObject({ source: 'ref', tool: 'ref__echo', completed: 3, failed: 1, inFlight: 0 });
  expect([...(record?.reasons ?? [])]).toEqual([['timeout', 1]]);
  const durations = [...(record?.durations ?? [])];
  expect(durations[0]).toBe(2);
  expect(durations[durationBounds.indexOf(10)]).toBe(1);
  expect(durations.at(-1)).toBe(1);
});

test('a call that has not ended is in flight', () => {
  const metrics = createCallMetrics({ maxTools: 10 });
  const ended = metrics.observer.begins(tool('a', 'a__b'), { name: 'a__b' }, context);
  expect([...metrics.records()][0]?.inFlight).toBe(1);
  ended?.({ ms: 1, state: 'unconfirmed', outcome: fine });
  expect([...metrics.records()][0]).toMatchObject({ inFlight: 0, completed: 0, unconfirmed: 1, failed: 0 });
});

test('a tool that is registered again continues its counts', () => {
  const metrics = createCallMetrics({ maxTools: 10 });
  call(metrics, tool('a', 'a__b'));
  call(metrics, tool('a', 'a__b'));
  expect([...metrics.records()].map(({ completed }) => completed)).toEqual([2]);
});

test('distinguishes a limited number of tools, and loses no call', () => {
  const metrics = createCallMetrics({ maxTools: 3 });
  for (let index = 0; index < 50; index++) call(metrics, tool('a', `a__${index}`));
  for (let index = 0; index < 50; index++) call(metrics, tool('b', `b__${index}`));
  const records = [...metrics.records()];
  expect(records.map(({ source, tool: name, completed }) => [source, name, completed])).toEqual([
    ['a', 'a__0', 1],
    ['a', 'a__1', 1],
    ['a', 'a__2', 1],
    ['a', 'other', 47],
    ['b', 'other', 50],
  ]);
});

test('a tool keeps its own series when there are too many others', () => {
  const metrics = createCallMetrics({ maxTools: 1 });
  call(metrics, tool('a', 'a__first'));
  call(metrics, tool('a', 'a__second'));
  call(metrics, tool('a', 'a__first'));
  expect([...metrics.records()].map(({ tool: name, completed }) => [name, completed])).toEqual([
    ['a__first', 2],
    ['other', 1],
  ]);
});

test('limits sources and reasons too', () => {
  const metrics = createCallMetrics({ maxTools: 1000 });
  for (let index = 0; index < 300; index++) call(metrics, tool(`s${index}`, 'x'), 1, `rpc ${index}`);
  expect(new Set([...metrics.records()].map(({ source }) => source)).size).toBe(101);
  const other = [...metrics.records()].find(({ source }) => source === 'other');
  expect(other?.reasons.size).toBe(21);
  expect([...(other?.reasons.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBe(200);
});

test('counts the size of a result if it is known', () => {
  const metrics = createCallMetrics({ maxTools: 10 });
  const echo = tool('a', 'a__b');
  call(metrics, echo, 1, undefined, { result: {}, json: '{"a":1}' });
  call(metrics, echo);
  expect([...metrics.records()][0]).toMatchObject({ sized: 1, totalBytes: 7 });
});

test('a call costs next to nothing', () => {
  const metrics = createCallMetrics({ maxTools: 10 });
  const echo = tool('a', 'a__b');
  const rounds = 200_000;
  for (let round = 0; round < rounds; round++) call(metrics, echo);
  const { ms } = cpuTime(() => {
    for (let round = 0; round < rounds; round++) call(metrics, echo);
  });
  // 0.1 µs on an idle machine.
  expect((ms / rounds) * 1000).toBeLessThan(5);
});

test('a tool named "other" is counted with the others', () => {
  const metrics = createCallMetrics({ maxTools: 1 });
  call(metrics, tool('a', 'other'));
  call(metrics, tool('a', 'x'));
  expect([...metrics.records()]).toMatchObject([{ source: 'a', tool: 'other', completed: 2 }]);
});
