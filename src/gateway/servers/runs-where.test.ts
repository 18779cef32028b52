import { expect, it } from 'vitest';
import { runsWhere } from './runs-where.ts';

it('says where a server is, but nothing that may be a secret', () => {
  const program = { kind: 'stdio', command: '/opt/bin/tool', args: ['--key', 'secret'], env: {} } as const;
  expect(runsWhere({ ...program, args: [...program.args] }, true)).toBe(
    'Sluice starts the program /opt/bin/tool with 2 arguments',
  );
  expect(runsWhere({ ...program, args: ['secret'] }, false)).toBe('Sluice starts the program tool with 1 argument');
  const url = 'https://me:secret@example.com/secret/mcp?key=secret';
  expect(runsWhere({ kind: 'http', url, headers: {} }, true)).toBe('HTTP: https://example.com/secret/mcp');
  expect(runsWhere({ kind: 'sse', url, urls: [url, url, url], headers: {} }, false)).toBe(
    'HTTP with SSE: https://example.com and 2 more',
  );
});
