import { describe, expect, it } from 'vitest';
import { valueOf } from './values.ts';

const most = 100;
const shown = (text: string | null, type: number, category?: string) =>
  valueOf(text, { type, most, ...(category !== undefined && { category }) }).value;

describe('values of PostgreSQL as JSON', () => {
  it.each([
    ['t', 16, true],
    ['f', 16, false],
    ['42', 23, 42],
    ['9007199254740993', 20, '9007199254740993'],
    ['12', 20, 12],
    ['1.50', 1700, '1.50'],
    ['1.5', 1700, 1.5],
    ['NaN', 1700, 'NaN'],
    ['Infinity', 701, 'Infinity'],
    ['0.1', 701, 0.1],
    ['2026-01-02 03:04:05.678901+00', 1184, '2026-01-02T03:04:05.678901Z'],
    ['2026-01-02 03:04:05+05:30', 1184, '2026-01-02T03:04:05+05:30'],
    ['2026-01-02 03:04:05+02', 1184, '2026-01-02T03:04:05+02:00'],
    ['2026-01-02 03:04:05', 1114, '2026-01-02T03:04:05'],
    ['infinity', 1184, 'infinity'],
    ['2026-01-02', 1082, '2026-01-02'],
    ['{"a":9007199254740993,"b":[1.5]}', 3802, { a: '9007199254740993', b: [1.5] }],
    ['\\x00ff', 17, { base64: 'AP8=', bytes: 2 }],
    ['\\x6869', 17, { text: 'hi', bytes: 2 }],
    ['plain', 25, 'plain'],
  ])('%s of type %i', (text, type, value) => {
    expect(shown(text, type)).toEqual(value);
  });

  it('keeps null apart from the text', () => {
    expect(shown(null, 25)).toBeNull();
    expect(shown('null', 25)).toBe('null');
  });

  it('reads arrays and rows where they were asked for as JSON', () => {
    expect(shown('[1,null]', 1007, 'A')).toEqual([1, null]);
    expect(shown('{1,NULL}', 1007)).toBe('{1,NULL}');
  });

  it('says how long a value is that is cut', () => {
    expect(valueOf('x'.repeat(100), { type: 25, most, whole: 5000 })).toEqual({
      value: `${'x'.repeat(100)}… (5000 characters)`,
      isCut: true,
    });
    expect(valueOf(`\\x${'00'.repeat(100)}`, { type: 17, most, whole: 5000 }).value).toMatchObject({ bytes: 5000 });
  });
});
