import { expect, test } from 'vitest';
import type { SourceVerdict } from '../ai-tools/wanted-tools.ts';
import type { FoundTool } from '../ai-tools/ai-tools.ts';
import { onlyNamed, placesIn } from './named-places.ts';
import { distinctNames, type NamedTool, namedTools } from './named-tools.ts';

const support = { id: 'w1', name: 'Support agent' };
const calculator = { id: 'n1', name: 'Calculator', type: '@n8n/n8n-nodes-langchain.toolCalculator' };

test.each<[NamedTool, boolean]>([
  [{ name: 'calculator' }, true],
  [{ name: 'Calculator', workflow: 'w1' }, true],
  [{ name: 'Calculator', workflow: 'Support agent' }, true],
  [{ name: 'Calculator', workflow: 'w2' }, false],
  [{ name: 'anything', node: 'n1' }, true],
  [{ name: 'Calculator', node: 'n2' }, false],
  [{ name: 'calc' }, false],
  [{ name: 'Calculator', disabled: true }, false],
])('%j means the calculator: %j', (tool, meant) => {
  expect(namedTools([{ name: 'other' }, tool]).has(support, calculator)).toBe(meant);
});

test.each(['web_search', 'web-search', 'Web Search'])('case, spaces, - and _ do not matter: %s', (name) => {
  expect(namedTools([{ name }]).has(support, { name: 'Web Search', type: 'x' })).toBe(true);
});

/** What n8n has: workflows, how each is chosen, and the names of its tools. A name with ! cannot be bridged. */
const verdicts = (all: readonly [id: string, chosen: string | undefined, ...names: string[]][]): SourceVerdict[] =>
  all.map(([id, chosen, ...names]) => ({
    found: { id, name: `Workflow ${id}`, tags: [], published: false, archived: false, aiTools: [] },
    slug: id,
    ...(chosen !== undefined && { chosen }),
    tools: names.map((name) => ({
      tool: { node: { id: `${id}/${name}`, name: name.replace('!', ''), type: 'tool' } } as unknown as FoundTool,
      name,
      ...(name.endsWith('!') && { reason: 'It needs a run.' }),
    })),
  }));
const kept = (all: readonly SourceVerdict[]) =>
  all.flatMap(({ chosen, tools }) =>
    chosen === undefined ? [] : tools.filter(({ reason }) => reason === undefined).map(({ tool }) => tool.node.id),
  );

test.each<[string, NamedTool[], Parameters<typeof verdicts>[0], string[]]>([
  [
    'one of many of the same name',
    [{ name: 'sum' }],
    [
      ['a', 'file', 'sum', 'mail'],
      ['b', 'file', 'sum'],
    ],
    ['a/sum'],
  ],
  [
    'none, if a workflow that is chosen otherwise has it',
    [{ name: 'sum' }],
    [
      ['a', 'file', 'sum'],
      ['b', 'tag', 'sum', 'mail'],
    ],
    ['b/sum', 'b/mail'],
  ],
  [
    'one that can be bridged',
    [{ name: 'sum' }],
    [
      ['a', 'file', 'sum!'],
      ['b', 'file', 'sum'],
    ],
    ['b/sum'],
  ],
  [
    'the one of the workflow that the file says',
    [{ name: 'sum', workflow: 'Workflow b' }],
    [
      ['a', 'file', 'sum'],
      ['b', 'file', 'sum'],
    ],
    ['b/sum'],
  ],
  ['nothing of a workflow that is not chosen', [{ name: 'sum' }], [['a', undefined, 'sum']], []],
])('of workflows that only the file chooses, keeps %s', (_, named, all, ids) => {
  expect(kept(onlyNamed(verdicts(all), namedTools(named)))).toEqual(ids);
});

test('a call goes to a workflow that is chosen otherwise first, and the order does not change', () => {
  const all = verdicts([
    ['a', 'file', 'sum'],
    ['b', undefined, 'sum'],
    ['c', 'config', 'Sum'],
  ]);
  const ids = placesIn(all)({ name: 'sum' }).map(({ verdict }) => verdict.found.id);
  expect(ids).toEqual(['b', 'c', 'a']);
});

test('many named tools and many workflows are compared without multiplying them', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `tool ${index}`);
  const all = verdicts(Array.from({ length: 200 }, (_, at) => [`w${at}`, 'file', ...names.slice(at * 5, at * 5 + 50)]));
  const began = performance.now();
  expect(kept(onlyNamed(all, namedTools(names.map((name) => ({ name })))))).toHaveLength(1000);
  // A hundred times less than comparing each with each.
  expect(performance.now() - began).toBeLessThan(2000);
});

test('every tool has a name of its own', () => {
  const names = distinctNames([
    { name: 'calculator', workflow: 'a' },
    { name: 'Calculator', workflow: 'b' },
    { name: 'calculator' },
    { name: 'Web Search' },
  ]);
  expect([...names.keys()]).toEqual(['calculator', 'Calculator_b', 'Web_Search']);
});
