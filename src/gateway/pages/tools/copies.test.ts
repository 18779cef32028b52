import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canPaste, inShell } from '../../../console/client/in-shell.ts';
import { asCommand, asCurl, asMessage } from './copies.ts';

/** What a shell makes of the words. */
const words = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
    env: { SLUICE_KEY: 'the key' },
  })
    .split('\0')
    .slice(0, -1);

describe('a call is copied', () => {
  const args = { text: `it's "$HOME" \`id\` \\ !\n<b> \u0003\u007f\u009b`, list: [1, null] };

  it('for a terminal', () => {
    expect(asCommand({ name: 'ref__echo', args: {} })).toBe('sluice call ref__echo');
    const [program, verb, name, text = ''] = words(asCommand({ name: 'ref__echo', args }));
    expect([program, verb, name]).toEqual(['sluice', 'call', 'ref__echo']);
    expect(JSON.parse(text)).toEqual(args);
    expect(canPaste(asCommand({ name: 'ref__echo', args }))).toBe(true);
    expect(words(asCommand({ name: '😈 $(id)', args: {} }))).toEqual(['sluice', 'call', '😈 $(id)']);
  });

  it('for a script, which has its own key', () => {
    const line = asCurl({ name: 'ref__echo', args }, 'https://example.com/x/api/v1/mcp/invoke');
    const given = words(line);
    expect(given.slice(0, 3)).toEqual(['curl', 'https://example.com/x/api/v1/mcp/invoke', '-H']);
    expect(given).toContain('Authorization: Bearer the key');
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ name: 'ref__echo', arguments: args });
  });

  it('for an MCP client', () => {
    expect(JSON.parse(asMessage({ name: 'ref__echo', args }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ref__echo', arguments: args },
    });
  });
});

it('any text is one word of a shell', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = text.replaceAll('\0', '');
      expect(words(inShell(plain))).toEqual([plain]);
    }),
    { numRuns: 40 },
  );
});
