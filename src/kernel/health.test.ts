import { expect, test } from 'vitest';
import { troubleOf } from './health.ts';

test('an n8n "is starting"; a missing file only shows its detail', () => {
  expect(troubleOf({ name: 'local n8n', kind: 'local-n8n', state: 'starting', detail: 'n8n 2' })).toBe(
    'is starting (n8n 2)',
  );
  expect(
    troubleOf({ name: 'watched a', kind: 'watch', state: 'starting', detail: 'the file does not exist yet' }),
  ).toBe('the file does not exist yet');
});
