import { expect, test } from 'vitest';
import { withNumbers } from './tables.ts';

test('each ? outside quotes is the next value', () => {
  expect(withNumbers(`SELECT '?', "a?b", x FROM t WHERE a = ? AND b = 'it''s ?' AND c IN (?, ?)`)).toBe(
    `SELECT '?', "a?b", x FROM t WHERE a = $1 AND b = 'it''s ?' AND c IN ($2, $3)`,
  );
});
