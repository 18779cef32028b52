import { describe, expect, test } from 'vitest';
import { shorten, showItems } from './shorten.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('shortening', () => {
  test('leaves what fits as it is', () => {
    const value = { a: [1, { b: 'x' }], c: null };
    expect(shorten(value, 1000)).toEqual({ value, cut: false });
  });

  test.each([
    ['a long text', 'x'.repeat(50_000)],
    ['a long list', Array.from({ length: 5000 }, (_, i) => ({ i }))],
    ['many keys', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`key${i}`, i]))],
    ['something deep', JSON.parse(`${'{"a":['.repeat(2000)}1${']}'.repeat(2000)}`) as unknown],
    [
      'all of them',
      Array.from({ length: 50 }, () => ({
        text: 'y'.repeat(5000),
        list: Array.from({ length: 99 }, () => ({ z: 1 })),
      })),
    ],
  ])('%s fits and says that something is missing', (_, value) => {
    const short = shorten(value, 1000);
    expect(short.cut).toBe(true);
    expect(bytes(short.value)).toBeLessThanOrEqual(1000);
    expect(JSON.stringify(short.value)).toMatch(/more|items\]|object\]|bytes of JSON/);
  });

  test('hides secret headers, but not other values with such names', () => {
    const value = {
      headers: { Authorization: 'Bearer x', cookie: 'y', 'x-api-key': 'z', 'x-sluice-bridge': 's', accept: '*' },
      body: { token: 'mine' },
    };
    expect(shorten(value, 1000).value).toEqual({
      headers: {
        Authorization: '[hidden]',
        cookie: '[hidden]',
        'x-api-key': '[hidden]',
        'x-sluice-bridge': '[hidden]',
        accept: '*',
      },
      body: { token: 'mine' },
    });
  });
});

describe('items', () => {
  const items = Array.from({ length: 100 }, (_, i) => ({ json: { i, text: 'x'.repeat(80) } }));

  test('as many as fit are shown whole', () => {
    const { items: shown, total, cut } = showItems(items, 1000);
    expect([total, cut]).toEqual([100, true]);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.at(-1)).toEqual({ i: shown.length - 1, text: 'x'.repeat(80) });
    expect(bytes(shown)).toBeLessThanOrEqual(1100);
  });

  test('offset and limit choose what is shown', () => {
    expect(showItems(items, 100_000, { offset: 98 })).toMatchObject({ items: [{ i: 98 }, { i: 99 }], cut: false });
    expect(showItems(items, 100_000, { offset: 3, limit: 1 })).toMatchObject({ items: [{ i: 3 }], cut: true });
    expect(showItems([], 1000)).toEqual({ items: [], total: 0, cut: false });
  });

  test('one that is too large is shortened rather than left out', () => {
    const { items: shown } = showItems([{ json: { text: 'x'.repeat(9000) } }], 500);
    expect(shown).toHaveLength(1);
    expect(bytes(shown)).toBeLessThan(600);
  });

  test('files are described, not shown', () => {
    const file = { mimeType: 'image/png', fileName: 'a.png', fileSize: '2 kB', data: 'aGVsbG8=' };
    expect(showItems([{ json: {}, binary: { data: file } }], 1000).items).toEqual([
      { json: {}, files: { data: { mimeType: 'image/png', fileName: 'a.png', fileSize: '2 kB' } } },
    ]);
  });
});
