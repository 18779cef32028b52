import { expect, it } from 'vitest';
import { queryTexts } from './query-text.ts';

const texts = queryTexts(['hidden', 'My.Own'], new Set(['secrets', 'odd name']));

it.each([
  'SELECT * FROM hidden.orders',
  'SELECT * FROM "hidden" . "orders"',
  'SELECT * FROM HIDDEN.orders',
  'SELECT * FROM "My.Own".x',
  'SELECT * FROM secrets',
  'SELECT * FROM orders, secrets WHERE true',
  'SELECT * FROM orders o JOIN secrets USING (id)',
  'SELECT * FROM "odd name"',
  'INSERT INTO secrets VALUES (1)',
  'UPDATE ONLY secrets SET x = 1',
])('hides %s', (sql) => {
  expect(texts.isHidden(sql)).toBe(true);
  expect(texts.shown(sql, 100)).toBe('(touches a schema that is out of reach)');
});

it.each([
  'SELECT * FROM orders',
  'SELECT not_hidden.x FROM not_hidden',
  'SELECT secrets.x FROM orders secrets',
  "SELECT 'hidden'",
])('shows %s', (sql) => {
  expect(texts.shown(sql, 100)).toBe(sql);
});

it('shortens, and takes line ends out', () => {
  expect(texts.shown('SELECT\n  1,\n  2', 100)).toBe('SELECT 1, 2');
  expect(texts.shown('SELECT 1234567890', 8)).toBe('SELECT 1… (17 characters)');
});

it('shows nothing of Sluice itself, and says what a user may not see', () => {
  expect(texts.shown('SELECT 1', 100, 'sluice-7')).toBe('(Sluice itself)');
  expect(texts.shown('<insufficient privilege>', 100, 'psql')).toContain('pg_monitor');
  expect(texts.shown(null, 100, null)).toContain('pg_monitor');
});

it('takes linear time', () => {
  const started = performance.now();
  texts.isHidden(`SELECT ${'hidden '.repeat(20_000)}${'from '.repeat(20_000)}${', '.repeat(20_000)}`);
  expect(performance.now() - started).toBeLessThan(1000);
});
