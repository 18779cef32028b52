import { expect, test } from 'vitest';
import { inUrl, trailIn, walked } from './trail.ts';

test('a trail grows with each step, and is cut when one comes back', () => {
  const trail = walked(walked([], 'Ada', 'Acme'), 'Acme', 'Bob');
  expect(trail).toEqual(['Ada', 'Acme']);
  expect(walked(trail, 'Bob', 'Ada')).toEqual([]);
  expect(walked(trail, 'Bob', 'Bob')).toEqual(trail);
});

test('it stands in the URL, is never long, and nonsense is no trail', () => {
  expect(trailIn(inUrl(['a/b', '__proto__', '"']))).toEqual(['a/b', '__proto__', '"']);
  expect(inUrl([])).toBeUndefined();
  expect(trailIn('{')).toEqual([]);
  expect(trailIn('{"a":1}')).toEqual([]);
  expect(trailIn('[1,"a"]')).toEqual(['a']);
  expect(trailIn(JSON.stringify(Array.from({ length: 100 }, String)))).toHaveLength(6);
});
