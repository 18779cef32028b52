import { expect, test } from 'vitest';
import { shownOutputs } from './outputs.ts';

test('small outputs are shown as they are', () => {
  expect(shownOutputs({ text: 'hi', list: [1, 2] })).toEqual({ outputs: { text: 'hi', list: [1, 2] }, cut: [] });
});

test('long ones are cut, each visibly', () => {
  const { outputs, cut } = shownOutputs({ long: 'x'.repeat(50_000), rows: Array(5000).fill('y'), short: 7 });
  expect(cut).toEqual(['long', 'rows']);
  expect(outputs).toMatchObject({ long: expect.stringMatching(/… \(50000 characters\)$/) as string, short: 7 });
  expect(JSON.stringify(outputs).length).toBeLessThan(3000);
});

test('very many are named as a number', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`output ${n}`, 'x'.repeat(200)]));
  const { outputs, cut } = shownOutputs(many);
  expect(Object.keys(outputs)).toHaveLength(15);
  expect(cut.at(-1)).toBe('and 85 more');
});
