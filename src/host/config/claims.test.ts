import { expect, test } from 'vitest';
import { type Claim, clashesIn, ownSource, takerOf, yieldingSource } from './claims.ts';

const server = (name: string): Claim => ({ name, owner: `the server "${name}"`, path: ['mcpServers', name] });

test('a server of the file clashes with a source of ours, unless that one yields', () => {
  const clashes = clashesIn([ownSource('n8n'), yieldingSource('memory'), server('N8N'), server('Memory')]);
  expect(clashes.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['mcpServers.N8N', 'the server "N8N" and Sluice\'s own "n8n" tools would have the same tool names'],
  ]);
});

test('the server that has the name is known, however the two spell it, and by its prefix', () => {
  const prefix: Claim = { name: 'memory', owner: 'the server "notes"', path: ['mcpServers', 'notes', 'prefix'] };
  expect(takerOf('my_memory', [yieldingSource('my_memory'), server('MY-Memory')])).toEqual(server('MY-Memory'));
  expect(takerOf('memory', [server('notes'), prefix])).toBe(prefix);
  expect(takerOf('memory', [yieldingSource('memory'), ownSource('memory'), server('other')])).toBeUndefined();
});

test('two servers with a name that ours gave up still clash, and so do two sources of ours', () => {
  expect(clashesIn([yieldingSource('memory'), server('memory'), server('Memory')])).toMatchObject([
    { path: ['mcpServers', 'Memory'], message: expect.stringContaining('the server "memory"') as string },
  ]);
  expect(clashesIn([yieldingSource('memory'), { ...ownSource('Memory'), owner: 'another' }])).toHaveLength(1);
});
