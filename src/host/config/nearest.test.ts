import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['host', 'port', 'publicUrl', 'allowedHosts', 'mcpServers'];

test.each([
  ['prot', 'port'],
  ['hosst', 'host'],
  ['public_url', 'publicUrl'],
  ['publicURL', 'publicUrl'],
  ['mcp-servers', 'mcpServers'],
  ['allowedHost', 'allowedHosts'],
  ['mcp', 'mcpServers'],
  ['hostname', 'host'],
  ['colour', undefined],
  ['x', undefined],
])('%s -> %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
