import { expect, test } from 'vitest';
import { latencyClass } from '../../store/call-usage.ts';
import type { CallGroup } from '../../store/store.ts';
import { rankUsage } from './usage.ts';

const group = (tool: string, principal: string, calls: number, ms: number, failed = 0, reason = 'timeout') =>
  ({
    tool,
    source: tool.split('__')[0] as string,
    principal,
    calls,
    failed,
    reasons: failed > 0 ? { [reason]: failed } : {},
    latencies: { [latencyClass(ms)]: calls },
  }) satisfies CallGroup;

const groups = [
  group('a__one', 'p', 10, 5),
  group('a__one', 'q', 5, 5, 2),
  group('a__one', 'r', 5, 5, 3, 'tool error'),
  group('a__two', 'p', 3, 1000),
  group('b__three', 'q', 30, 1, 1),
];

test('tools are ranked by calls, by p95 and by failures, over all callers', () => {
  const { mostUsed, slowest, mostFailing, ...rest } = rankUsage(groups, 'tool', 2);
  expect(rest).toEqual({ by: 'tool', calls: 53, failed: 6, distinct: 3 });
  expect(mostUsed.map(({ name, calls }) => [name, calls])).toEqual([
    ['b__three', 30],
    ['a__one', 20],
  ]);
  expect(slowest[0]).toMatchObject({ name: 'a__two', source: 'a' });
  expect(slowest[0]?.p95Ms).toBeGreaterThan(950);
  expect(mostFailing[0]).toMatchObject({ name: 'a__one', failed: 5, reason: 'tool error' });
});

test('sources and keys are counted in the same way', () => {
  expect(rankUsage(groups, 'source', 5).mostUsed.map(({ name, calls }) => [name, calls])).toEqual([
    ['b', 30],
    ['a', 23],
  ]);
  const keys = rankUsage(groups, 'key', 5).mostUsed;
  expect(keys.map(({ name, calls }) => [name, calls])).toEqual([
    ['q', 35],
    ['p', 13],
    ['r', 5],
  ]);
  expect(keys[0]).not.toHaveProperty('source');
});

test('mostFailing has only tools that failed, and the given groups are not changed', () => {
  const before = structuredClone(groups);
  expect(rankUsage(groups, 'tool', 9).mostFailing.map(({ name }) => name)).toEqual(['a__one', 'b__three']);
  expect(groups).toEqual(before);
  expect(rankUsage([], 'tool', 5)).toMatchObject({ calls: 0, distinct: 0, mostUsed: [] });
});
