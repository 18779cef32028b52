import { expect, test } from 'vitest';
import { history } from './history.ts';

test('puts versions and backups together, newest first', () => {
  const backup = { id: 'default/w/1', workflow: 'w', name: 'W', nodes: 1, bytes: 9, why: 'asked for', reason: 'asked' };
  const all = history(
    [
      { version: 'v2', saved: '2026-11-02T00:00:00Z', by: 'Ada', is: 'draft' },
      { version: 'v1', saved: '2026-10-01T00:00:00Z', is: 'live' },
      { version: 'v0' },
    ],
    [{ ...backup, taken: '2026-10-15T00:00:00Z', active: true }],
  );
  expect(all.map(({ id, what, isDraft }) => [id, what, isDraft])).toEqual([
    ['v2', 'Draft in n8n', true],
    ['default/w/1', 'Backup asked for, was live', false],
    ['v1', 'Live in n8n', false],
    ['v0', 'Version in n8n', false],
  ]);
});
