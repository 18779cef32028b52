import { describe, expect, test } from 'vitest';
import type { ColumnType } from '../client/data-tables.ts';
import { checkedCell } from './cell.ts';

describe('a value of a data table', () => {
  test.each<[ColumnType, unknown, unknown]>([
    ['string', 'x', 'x'],
    ['string', true, 'true'],
    ['string', 1.5, '1.5'],
    ['string', null, null],
    ['number', 3, 3],
    ['number', ' -3.5e2 ', -350],
    ['number', '-0', 0],
    ['number', '100000000000000000000', 1e20],
    ['number', 1e21, 1e21],
    ['boolean', 'TRUE', true],
    ['boolean', 0, false],
    ['date', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['date', '2026-01-31 10:00', '2026-01-31T10:00:00.000Z'],
    ['date', '2026-01-31T10:00:00.5+02:00', '2026-01-31T08:00:00.500Z'],
    ['date', '2026-01-31T00:30-0130', '2026-01-31T02:00:00.000Z'],
  ])('%s: %j is stored as %j', (type, given, value) => {
    expect(checkedCell(type, given)).toEqual({ value });
  });

  test.each<[ColumnType, unknown]>([
    ['string', { a: 1 }],
    ['string', ['a']],
    ['string', 'a\0b'],
    // JSON.parse has already rounded it.
    ['string', JSON.parse('12345678901234567890')],
    ['number', JSON.parse('9007199254740993')],
    ['date', '9999-12-31T23:00:00-05:00'],
    ['date', '0000-01-01T00:00:00+05:00'],
    ['number', ''],
    ['number', '1,5'],
    ['number', '0x10'],
    ['number', true],
    ['number', Number.POSITIVE_INFINITY],
    ['number', '1e999'],
    ['number', '9007199254740993'],
    ['boolean', 'yes'],
    ['boolean', 2],
    ['date', '2026-02-30'],
    ['date', '2026-01-01T25:00'],
    ['date', '01/02/2026'],
    ['date', '20260101'],
    ['date', 1_700_000_000_000],
    ['date', '2026-01-01T10:00:00+99:99'],
  ])('%s: %j is refused', (type, given) => {
    expect(checkedCell(type, given)).toEqual({ problem: expect.any(String) as string });
  });
});
