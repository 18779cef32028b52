import { expect, test, vi } from 'vitest';
import { IDLE_MS } from '../../kernel/kept-while-used.ts';
import type { Effect } from '../../kernel/effect.ts';
import type { ToolSource } from '../../kernel/source.ts';
import type { Registered } from '../registry.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import { toolSearch } from './tool-search.ts';

function tool(
  name: string,
  description: string,
  { source = '', phrases = '', effect = 'execute' }: { source?: string; phrases?: string; effect?: Effect } = {},
) {
  const wire = { name, description, inputSchema: { type: 'object' } };
  const entry = { tool: name, wire, effect, scope: '', call: () => Promise.reject(new Error('not called')) };
  const origin = { id: source, prefix: source } as unknown as ToolSource;
  const said = phrases === '' ? entry : { ...entry, phrases: phrases.split('; ') };
  return { name: source === '' ? name : `${source}__${name}`, source, entry: said, wire, origin } satisfies Registered;
}

const tools = [
  tool('restore_workflow', 'Makes a workflow what it was in a backup.', { phrases: 'undo my last change; roll back' }),
  tool('delete_workflow', 'Deletes a workflow for good.', { effect: 'delete', phrases: 'throw it away' }),
  tool('list_workflows', 'Lists the workflows.', { effect: 'read' }),
  tool('delete_file', 'Delete a file', { source: 'fs' }),
  tool('delete_file', 'Delete a file', { source: 'drive' }),
];
const names = async (wish: string, meanings?: ToolMeanings) =>
  (await toolSearch(tools, meanings)(wish, 3)).map(({ name }) => name);

test.each([
  ['take my change back', 'restore_workflow'],
  ['revert what I changed', 'restore_workflow'],
  ['get rid of a workflow', 'delete_workflow'],
  ['could you please erase this automation', 'delete_workflow'],
  ['which automations are there', 'list_workflows'],
  ['remove the file', 'drive__delete_file'],
  ['remove the file with fs', 'fs__delete_file'],
  ['delete_file', 'drive__delete_file'],
  ['fs:delete_file', 'fs__delete_file'],
])('%s -> %s', async (wish, wanted) => {
  expect((await names(wish))[0]).toBe(wanted);
});

test('meaning decides only if words do not, and is not asked otherwise', async () => {
  const alike = vi.fn<ToolMeanings['alike']>(async (texts) =>
    Float64Array.from(texts, (text) => (text === 'throw it away' ? 1 : 0)),
  );
  const meanings = { alike, prepare: async () => true };
  expect((await names('workflow', meanings))[0]).toBe('delete_workflow');
  expect(alike).toHaveBeenCalledOnce();
  expect((await names('undo my last change', meanings))[0]).toBe('restore_workflow');
  expect(alike).toHaveBeenCalledOnce();
});

test('without an answer about meaning, words decide', async () => {
  const meanings = { alike: async () => undefined, prepare: async () => false };
  expect(await names('workflow', meanings)).toEqual(await names('workflow'));
});

test('finds the same after the index was dropped', async () => {
  vi.useFakeTimers();
  const search = toolSearch(tools);
  const before = await search('remove the file', 3);
  vi.advanceTimersByTime(IDLE_MS);
  expect(await search('remove the file', 3)).toEqual(before);
  vi.useRealTimers();
});
