import { expect, it } from 'vitest';
import { shownPoint } from './shown-point.ts';

it('cuts long texts, lists and payloads, and says so', () => {
  const { payload, more_keys: more } = shownPoint(
    {
      id: 7,
      score: 0.123456789,
      payload: {
        text: 'x'.repeat(1000),
        list: Array.from({ length: 50 }, (_, n) => n),
        deep: { a: { b: { c: { d: { e: { f: 1 } } } } } },
        ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`key${n}`, 'value'])),
      },
    },
    { chars: 100 },
  );
  expect(payload?.text).toContain('(1000 characters)');
  expect(payload?.list).toContain('… 30 more');
  expect(JSON.stringify(payload?.deep)).toContain('[…]');
  expect(more).toBeGreaterThan(200);
});

it('never shows a vector whole', () => {
  const vector = Array.from({ length: 512 }, () => 1 / 3);
  expect(shownPoint({ id: 'a', payload: {}, vector }, { chars: 10 })).toEqual({
    id: 'a',
    vector: { vector: `[${Array(8).fill('0.3333').join(', ')}, …] (512 dimensions)` },
  });
  expect(
    shownPoint(
      { id: 'a', payload: {}, vector: { m: [1, 2], s: { indices: [1], values: [1] }, n: [[1]] } },
      { chars: 10 },
    ).vector,
  ).toEqual({ m: '[1.000, 2.000] (2 dimensions)', s: 'sparse, 1 terms', n: '[[…]] (1 dimensions)' });
});
