import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/source.ts';
import { n8nTools } from './own-source.ts';

/** By former name: arguments of that time, and the same request with today's arguments. */
const asked: Record<string, [Json, Json][]> = {
  n8n_activate_workflow: [
    [
      { id: '1', version: 'v' },
      { id: '1', version: 'v' },
    ],
  ],
  n8n_deactivate_workflow: [[{ id: ['1', '2'] }, { id: ['1', '2'] }]],
  n8n_unarchive_workflow: [
    [
      { instance: 'lab', id: '1' },
      { instance: 'lab', id: '1', archived: false },
    ],
  ],
  n8n_get_version: [
    [
      { id: '1', version: 'published', node: 'A' },
      { id: '1', version: 'published', node: 'A' },
    ],
  ],
  n8n_workflow_history: [
    [
      { id: '1', limit: 5 },
      { id: '1', limit: 5 },
    ],
  ],
  n8n_diff_backup: [
    [{ backup: 'default/1/x' }, { before: 'default/1/x', after: 'draft' }],
    [
      { workflow: '1', from: 9 },
      { id: '1', before: 'backup', after: 'draft', from: 9 },
    ],
    [
      { backup: 'default/1/x', against: 'default/1/y' },
      { before: 'default/1/x', after: 'default/1/y' },
    ],
  ],
  n8n_wait_execution: [
    [{ id: '7' }, { id: '7', wait_seconds: 60 }],
    [
      { id: '7', wait_seconds: 300 },
      { id: '7', wait_seconds: 300 },
    ],
  ],
  n8n_failures: [[{ since: '24h' }, { since: '24h' }]],
  n8n_dependencies: [[{ data_table: 't' }, { data_table: 't' }]],
  n8n_credential_usage: [
    [
      { id: 'c', instance: 'lab', limit: 5 },
      { credential: 'c', instance: 'lab' },
    ],
    [{ limit: 5 }, { credentials: true, limit: 5 }],
  ],
  n8n_node_usage: [[{ node: 'slack' }, { node: 'slack' }]],
  n8n_overview: [[{}, {}]],
};

const aliases = n8nTools.flatMap((tool) =>
  Object.entries(tool.aliases ?? {}).map(([name, read]) => ({ name, read, tool })),
);

describe('a former name', () => {
  test.each(aliases)('$name accepts its old arguments', ({ name, read, tool }) => {
    const cases = asked[name] ?? [];
    expect(cases.length).toBeGreaterThan(0);
    for (const [then, now] of cases) {
      expect(read(then)).toEqual(now);
      expect(tool.input.safeParse(read(then)).success).toBe(true);
    }
  });

  test('is not the name of a current tool, and is documented', async () => {
    const names = new Set(n8nTools.map(({ name }) => name));
    expect(aliases.filter(({ name }) => names.has(name))).toEqual([]);
    const page = await readFile(new URL('../../docs/n8n.md', import.meta.url), 'utf8');
    for (const { name, tool } of aliases) expect(page).toMatch(new RegExp(`\\| \`${name}\` \\| \`${tool.name}\``));
  });
});
