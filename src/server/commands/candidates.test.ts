import { expect, test } from 'vitest';
import { describeEntry, mergeCandidates } from './candidates.ts';

const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };

test('the same server of two clients is one; two of one name get two names', () => {
  const merged = mergeCandidates([
    { client: 'Claude', servers: { memory, github: { command: 'a' } } },
    { client: 'Cursor', servers: { memory: { ...memory }, github: { command: 'b' } } },
    { client: 'VS Code', servers: { github: { command: 'b' } } },
  ]);
  expect(merged).toEqual([
    { name: 'memory', entry: memory, clients: ['Claude', 'Cursor'] },
    { name: 'github', entry: { command: 'a' }, clients: ['Claude'] },
    { name: 'github-2', entry: { command: 'b' }, clients: ['Cursor', 'VS Code'] },
  ]);
});

test('a second name never takes that of another server', () => {
  const merged = mergeCandidates([
    { client: 'Claude', servers: { a: { command: '1' }, 'a-2': { command: '2' } } },
    { client: 'Cursor', servers: { a: { command: '3' } } },
  ]);
  expect(merged.map(({ name }) => name)).toEqual(['a', 'a-2', 'a-3']);
});

test.each([
  [memory, 'npx @modelcontextprotocol/server-memory'],
  [{ command: '/usr/bin/node', args: ['server.js', '--token', 'hunter2'] }, 'node server.js'],
  [{ command: 'uvx', args: ['postgres://me:hunter2@host/db'] }, 'uvx'],
  [{ command: 'docker', args: ['run', '-e', 'TOKEN=hunter2', 'img'] }, 'docker run'],
  [{ url: 'https://me:hunter2@example.com/mcp?key=hunter2' }, 'https://example.com/mcp'],
  [{ serverUrl: 'hunter2' }, 'a URL'],
])('%j is described without its secrets', (entry, text) => {
  expect(describeEntry(entry)).toBe(text);
  expect(describeEntry(entry)).not.toContain('hunter2');
});
