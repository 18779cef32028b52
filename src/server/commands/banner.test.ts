import { expect, test } from 'vitest';
import { type Access, banner, partLine } from './banner.ts';
import { localHealth } from '../../n8n/local/health.ts';

const closed = { open: false, token: false } as const;
const text = (access: Access) => banner('0.1.0', 'http://127.0.0.1:3500', undefined, access);

test.each<[string, Access, string, string | undefined]>([
  ['nobody is asked', { mode: 'none', token: false, open: true }, 'open to every program on this machine', undefined],
  [
    'a token is set',
    { mode: 'none', token: true, open: false },
    'by the token in MCP_AUTH_TOKEN',
    'YOUR_MCP_AUTH_TOKEN',
  ],
  ['keys', { ...closed, mode: 'keys' }, 'by key (`sluice keys create', 'YOUR_KEY'],
  ['keys and a token', { mode: 'keys', token: true, open: false }, 'makes one), or by the token in MCP', 'YOUR_KEY'],
  ['signing in', { ...closed, mode: 'oauth' }, 'by signing in', undefined],
  ['both', { ...closed, mode: 'both' }, 'by signing in, or by key', undefined],
])('says how to get in: %s', (_, access, words, placeholder) => {
  expect(text(access)).toContain(`  Access   ${words.startsWith('makes') ? 'by key' : words}`);
  expect(text(access)).toContain(words);
  const snippet = /^ {2}(\{.*\})$/m.exec(text(access))?.[1] as string;
  const { headers } = (JSON.parse(snippet) as { mcpServers: { sluice: { headers?: object } } }).mcpServers.sluice;
  expect(headers).toEqual(placeholder && { Authorization: `Bearer ${placeholder}` });
});

test('both names the way with a key, too', () => {
  expect(text({ ...closed, mode: 'both' })).toMatch(
    /where it cannot sign in,\n.*--header "Authorization: Bearer YOUR_KEY"/,
  );
});

test('an n8n that starts is starting, and later connected', () => {
  const base = { pid: 1, keptBy: 'gateway', version: '2.41.1', restarts: 0, since: '2026-01-01T00:00:00Z' } as const;
  const line = (state: Parameters<typeof localHealth>[0]) => partLine(localHealth(state));
  expect(line({ ...base, state: 'preparing' })).toBe('  local n8n: is starting (n8n 2.41.1)');
  expect(line({ ...base, state: 'installing' })).toBe('  local n8n: is starting (n8n 2.41.1 is being installed)');
  expect(line({ ...base, state: 'starting', url: 'http://x' })).toBe(
    '  local n8n: is starting (n8n 2.41.1 at http://x)',
  );
  expect(line({ ...base, state: 'ready', url: 'http://x', n8nPid: 2 })).toBe(
    '  local n8n: connected (n8n 2.41.1 at http://x)',
  );
  expect(line({ ...base, state: 'failed', reason: 'No room.' })).toMatch(
    /^ {2}local n8n: No room\. Its log is in .*n8n\.log/,
  );
  const keyless = { name: 'n8n far', kind: 'n8n', state: 'degraded', detail: 'http://y has no API key' } as const;
  expect(partLine({ ...keyless, fix: 'Make one.' })).toBe('  n8n far: http://y has no API key. Make one.');
  expect(partLine({ name: 'n8n far', kind: 'n8n', state: 'starting', detail: 'http://y' })).toBe(
    '  n8n far: connecting to http://y',
  );
});
