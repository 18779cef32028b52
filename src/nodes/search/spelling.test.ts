import { expect, test } from 'vitest';
import { nearestWord } from './spelling.ts';

const known = ['slack', 'google', 'sheet', 'send', 'coher', 'spreadsheet', 'telegram', 'telegraph', 'message'];

test.each([
  ['slak', 'slack'],
  ['gogle', 'google'],
  ['sned', 'send'],
  ['spredsheat', 'spreadsheet'],
  ['mesage', 'message'],
  ['telegrm', 'telegram'],
  ['spreads', 'spreadsheet'],
])('%s is corrected to %s', (word, meant) => {
  expect(nearestWord(word, known)).toBe(meant);
});

test.each(['cover', 'abc', 'umbrella', '12345', '', 'lack'])('%j is not corrected', (word) => {
  expect(nearestWord(word, known)).toBeUndefined();
});
