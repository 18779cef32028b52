import { expect, test } from 'vitest';
import type { CallContext } from '../kernel/source.ts';
import { createNestedCalls } from './nested-calls.ts';

const by = (name: string) => ({ client: { info: { name } } }) as unknown as CallContext;

test('those that may be a loop are held back at some depth, and let in again when it has ended', () => {
  const enter = createNestedCalls({ clients: '\\.mcpClient$', most: 2 });
  const first = enter('a', by('n8n.mcpClient'));
  enter('a', by('n8n.mcpClient'));
  expect(() => enter('a', by('n8n.mcpClient'))).toThrow(/^a was not called: 2 calls .* as in a loop/);
  expect(() => enter('a', by('somebody'))).not.toThrow();
  first[Symbol.dispose]();
  expect(() => enter('a', by('n8n.mcpClient'))).not.toThrow();
});

test('other servers are called by anybody as often as they like', () => {
  const enter = createNestedCalls(undefined);
  expect(() => Array.from({ length: 1000 }, () => enter('a', by('n8n.mcpClient')))).not.toThrow();
});
