import { expect, it } from 'vitest';
import { judgeBloat, type Measured, neededPages, wasteOf } from './bloat.ts';

const table = (more: Partial<Measured> = {}): Measured => ({
  kind: 'table',
  schema: 'public',
  name: 'orders',
  table: 'orders',
  pageBytes: 8192,
  pages: 10_000,
  rows: 100_000,
  width: 100,
  columns: 5,
  hasNulls: false,
  fillfactor: 100,
  unmeasured: 0,
  ...more,
});

it('estimates the pages that rows need', () => {
  // 4 bytes of pointer, 24 of header, 104 of data: 61 rows a page.
  expect(neededPages(table())).toBe(Math.ceil((100_000 * 132) / 8168));
  expect(neededPages(table({ fillfactor: 50 }))).toBeGreaterThan(neededPages(table()) * 1.9);
  expect(neededPages(table({ kind: 'index', width: 8, fillfactor: 90 }))).toBe(Math.ceil(2_000_000 / (8152 * 0.9)) + 1);
});

it('finds no waste in what is smaller than expected', () => {
  expect(wasteOf(table({ pages: 1 }))).toEqual({ bytes: 0, percent: 0 });
});

it('warns of many empty pages, and says which', () => {
  const { severity, findings, summary } = judgeBloat([
    table(),
    table({ kind: 'index', name: 'Orders Index', width: 8, fillfactor: 90, pages: 5000 }),
    table({ name: 'tight', pages: 1700 }),
  ]);
  expect(severity).toBe('warning');
  expect(findings.map(({ fix }) => fix)).toEqual([
    expect.stringContaining('VACUUM FULL public.orders;'),
    'REINDEX INDEX CONCURRENTLY public."Orders Index";',
  ]);
  expect(summary).toMatch(/^2 tables and indexes waste about \d+ MB/);
});

it('is critical for gigabytes only', () => {
  expect(judgeBloat([table({ pages: 3_000_000 })]).severity).toBe('critical');
});

it('leaves out what has no statistics, and says so', () => {
  const { severity, summary } = judgeBloat([table({ unmeasured: 1 }), table({ rows: -1 })]);
  expect(severity).toBe('ok');
  expect(summary).toContain('2 more cannot be estimated');
});
