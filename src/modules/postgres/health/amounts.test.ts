import { expect, it } from 'vitest';
import { ageText, counted, percent, sizeText } from './amounts.ts';

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 kB'],
  [9.5 * 1024 ** 2, '9.5 MB'],
  [128 * 1024 ** 2, '128 MB'],
  [3 * 1024 ** 4, '3.0 TB'],
  [5 * 1024 ** 6, '5120 PB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

it.each([
  [-3, '0 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3600, '1 h'],
  [90_061, '1 d 1 h'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(ageText(seconds)).toBe(text);
});

it('counts', () => {
  expect([percent(1, 3), percent(1, 0), counted(1, 'index', 'indexes'), counted(2, 'slot')]).toEqual([
    33,
    0,
    '1 index',
    '2 slots',
  ]);
});
