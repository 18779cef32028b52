import { expect, test } from 'vitest';
import { hint, snippet } from './client-snippet.ts';

const byUrl = { url: 'http://127.0.0.1:3500/mcp' };
const byProgram = {
  command: '/opt/node',
  args: ['/opt/my sluice/bin/sluice.js', 'stdio'],
  env: { SLUICE_HOME: '/srv/x' },
};

test.each([
  ['claude', byUrl, { mcpServers: { sluice: { type: 'http', ...byUrl } } }],
  ['claude', byProgram, { mcpServers: { sluice: { type: 'stdio', ...byProgram } } }],
  ['cursor', byUrl, { mcpServers: { sluice: byUrl } }],
  ['cursor', byProgram, { mcpServers: { sluice: byProgram } }],
  ['vscode', byUrl, { servers: { sluice: { type: 'http', ...byUrl } } }],
  ['vscode', byProgram, { servers: { sluice: { type: 'stdio', ...byProgram } } }],
] as const)('%s %j', (client, connection, expected) => {
  expect(snippet(client, { ...connection })).toEqual(expected);
});

test('the line for Claude Code can be pasted into a shell', () => {
  expect(hint('claude', byUrl)).toContain('\n  claude mcp add --transport http sluice http://127.0.0.1:3500/mcp\n');
  expect(hint('claude', byProgram)).toContain(
    "\n  claude mcp add --env SLUICE_HOME=/srv/x --transport stdio sluice -- /opt/node '/opt/my sluice/bin/sluice.js' stdio\n",
  );
});
