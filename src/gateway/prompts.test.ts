import { expect, test } from 'vitest';
import type { OwnPrompt, ToolSource } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { createPromptIndex } from './prompts.ts';

const backend = (name: string, names: string[], prefix = name) =>
  ({
    name,
    prefix,
    catalogue: { prompts: names.map((prompt) => ({ name: prompt, description: `${name} ${prompt}` })) },
  }) as unknown as Backend;

test('prompts are named like tools and found by name or alias', () => {
  const [a, b] = [backend('a', ['greet']), backend('b', ['greet'])] as [Backend, Backend];
  const index = createPromptIndex(() => [a, b]);
  expect(index.all().map(({ wire }) => wire)).toEqual([
    { name: 'a__greet', description: 'a greet' },
    { name: 'b__greet', description: 'b greet' },
  ]);
  expect(index.find('b__greet')).toMatchObject({ original: 'greet', backend: b });
  expect(index.find('a:greet')).toMatchObject({ original: 'greet', backend: a });
  expect(['greet', 'c:greet', ':greet', ''].filter((name) => index.find(name))).toEqual([]);
});

test('a transparent backend keeps its names; a second prompt of the same name gets another one', () => {
  const index = createPromptIndex(() => [
    backend('a', ['my.prompt'], ''),
    backend('b', ['My_Prompt', 'my.prompt'], ''),
  ]);
  const names = index.all().map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['my.prompt', 'My_Prompt']);
  expect(names[2]).toMatch(/^b__my_prompt-[0-9a-f]{6}$/);
  expect(new Set(names).size).toBe(3);
});

test('the index is built once, and again after a change', () => {
  const names = ['one'];
  const index = createPromptIndex(() => [backend('a', names)]);
  expect(index.all()).toHaveLength(1);
  names.push('two');
  expect(index.all()).toHaveLength(1);
  index.invalidate();
  expect(index.find('a__two')).toBeDefined();
});

test('a backend that never ran has no prompts', () => {
  expect(createPromptIndex(() => [{ name: 'down', prefix: 'down' } as unknown as Backend]).all()).toEqual([]);
});

test('prompts of our own come first and keep their names; a backend with such a name gets another', () => {
  const prompt = (name: string) => ({ name, title: name, description: name, arguments: [] }) as unknown as OwnPrompt;
  const [recall, again] = [prompt('memory_recall'), prompt('Memory-Recall')];
  const source = { id: 'memory', prompts: [recall, again] } as unknown as ToolSource;
  const index = createPromptIndex(
    () => [backend('clear', ['memory_recall', 'memory:memory_recall'], '')],
    () => [source],
  );
  expect(index.all().map(({ name }) => name)).toEqual([
    'memory_recall',
    expect.stringMatching(/^clear__memory_recall-[0-9a-f]{6}$/),
    'memory:memory_recall',
  ]);
  expect(index.find('memory_recall')).toMatchObject({ own: recall, wire: { name: 'memory_recall' } });
  expect(index.find('clear:memory_recall')).toMatchObject({ original: 'memory_recall', backend: { name: 'clear' } });
});
