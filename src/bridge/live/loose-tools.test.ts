import { expect, test } from 'vitest';
import { inWordsOf, isMeantBy, looseNames } from './loose-tools.ts';

const support = { id: 'w1', name: 'Support agent' };
const calculator = { id: 'n1', name: 'Calculator', type: '@n8n/n8n-nodes-langchain.toolCalculator' };

test.each([
  [{ name: 'calculator' }, true],
  [{ name: 'Calculator', workflow: 'w1' }, true],
  [{ name: 'Calculator', workflow: 'Support agent' }, true],
  [{ name: 'Calculator', workflow: 'w2' }, false],
  [{ name: 'anything', node: 'n1' }, true],
  [{ name: 'Calculator', node: 'n2' }, false],
  [{ name: 'calc' }, false],
])('%j means the calculator: %j', (tool, meant) => {
  expect(isMeantBy(tool, support, calculator)).toBe(meant);
});

test('case, spaces, - and _ do not matter', () => {
  expect(isMeantBy({ name: 'web_search' }, support, { name: 'Web Search', type: 'x' })).toBe(true);
  expect(isMeantBy({ name: 'web-search' }, support, { name: 'Web Search', type: 'x' })).toBe(true);
});

test('every tool has a name of its own, and one that is off has none', () => {
  const names = looseNames([
    { name: 'calculator', workflow: 'a' },
    { name: 'Calculator', workflow: 'b' },
    { name: 'calculator' },
    { name: 'off', disabled: true },
    { name: 'Web Search' },
  ]);
  expect([...names.keys()]).toEqual(['calculator', 'Calculator_b', 'Web_Search']);
});

const one = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });

test('a single parameter gets the name that n8n has for it', () => {
  const tool = { name: 'calculator', inputSchema: one('expression') };
  expect(inWordsOf(one('input'), tool, { expression: '1' })).toEqual({ input: '1' });
  expect(inWordsOf(one('input'), tool, { input: '1' })).toEqual({ input: '1' });
  expect(inWordsOf(one('expression'), tool, { expression: '1' })).toEqual({ expression: '1' });
  expect(inWordsOf({ type: 'object' }, tool, { expression: '1' })).toEqual({ expression: '1' });
  expect(inWordsOf(one('input'), { name: 'calculator' }, { expression: '1' })).toEqual({ expression: '1' });
  expect(inWordsOf(one('input'), tool, undefined)).toBeUndefined();
});
