import { expect, test } from 'vitest';
import { fittingItems, fittingTexts } from './reply-size.ts';

const KiB = 1024;
const reply = (data: unknown, structured: boolean) =>
  Buffer.byteLength(
    JSON.stringify({
      content: [{ type: 'text', text: JSON.stringify(data) }],
      ...(structured && { structuredContent: data }),
    }),
  );

test.each([
  ['short lines', 'x'.repeat(80)],
  ['lines full of quotes', '"'.repeat(80)],
  ['lines beyond ASCII', 'ü–🎉'.repeat(20)],
])('counts how many %s fit into a reply', (_, line) => {
  const lines = Array.from({ length: 1000 }, () => line);
  const bytes = reply({ tools: lines.slice(0, fittingTexts(lines)), more: 999, cursor: '999' }, false);
  expect(bytes).toBeLessThan(8 * KiB);
  expect(bytes).toBeGreaterThan(7 * KiB);
});

test('counts how many items fit into a reply beside its other data', () => {
  const besides = { version: '1', note: 'n'.repeat(500) };
  const items = Array.from({ length: 1000 }, (_, i) => ({ name: `server-${i}`, state: 'RUNNING', tags: ['"quoted"'] }));
  const bytes = reply({ ...besides, items: items.slice(0, fittingItems(items, besides)), more: 999 }, true);
  expect(bytes).toBeLessThan(8 * KiB);
  expect(bytes).toBeGreaterThan(7 * KiB);
});

test('a few all fit; at least one always does, however large', () => {
  expect(fittingTexts(['a', 'b'])).toBe(2);
  expect(fittingTexts([])).toBe(0);
  expect(fittingTexts(['x'.repeat(100 * KiB), 'b'])).toBe(1);
  expect(fittingItems([{ a: 'x'.repeat(100 * KiB) }, {}])).toBe(1);
});
