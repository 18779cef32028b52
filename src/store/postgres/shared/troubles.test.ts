import { expect, test } from 'vitest';
import { type Condition, joined, troublesOf } from './troubles.ts';

const fine: Condition = {
  cutOff: undefined,
  skewMs: 0,
  parts: { atStart: new Map([['store', 1]]), now: new Map([['store', 1]]) },
  limits: [],
};

test('nothing is wrong', () => {
  expect(troublesOf({ ...fine, skewMs: 29_000 })).toEqual([]);
});

test.each([
  [-600_000, "10 minutes behind the database's"],
  [31_000, "31 seconds ahead of the database's"],
  [7_200_000, "2 hours ahead of the database's"],
])('a clock that is off by %s ms', (skewMs, text) => {
  expect(troublesOf({ ...fine, skewMs })).toMatchObject([
    { state: 'degraded', message: expect.stringContaining(`The clock of this machine is ${text}.`) as string },
  ]);
});

test('the worst comes first', () => {
  const now = new Map([
    ['store', 2],
    ['memory', 1],
  ]);
  const parts = { ...fine.parts, now };
  const troubles = troublesOf({ cutOff: new Error('gone'), skewMs: 60_000, parts, limits: ['Redis is away.'] });
  expect(troubles.map(({ message }) => message.slice(0, 14))).toEqual([
    'gone',
    'A newer Sluice',
    'The clock of t',
    'Redis is away.',
  ]);
  expect(troubles[0]?.state).toBe('failing');
  expect(troubles[1]?.message).toContain('(store 2, memory 1)');
});

test('all of them become one', () => {
  expect(joined([])).toBeUndefined();
  expect(
    joined([
      { state: 'failing', message: 'Gone.' },
      { state: 'degraded', message: 'Slow.' },
    ]),
  ).toEqual({ state: 'failing', message: 'Gone. Slow.' });
});
