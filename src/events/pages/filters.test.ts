import { expect, it } from 'vitest';
import { countSet, filterOf } from './filters.ts';

it('turns what stands in the URL into the query of the gateway', () => {
  expect(filterOf({})).toBe('');
  expect(
    filterOf({ type: 'tool.*', trace: 'abc', text: ' a b ', event: '7', view: 'list', limit: '9', source: ' ' }),
  ).toBe('event_type=tool.*&text=a+b&trace_id=abc');
  expect(filterOf(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>)).toBe('');
});

it('counts filters', () => {
  expect(countSet({ type: 'a', tool: '', source: undefined }, ['type', 'tool', 'source', 'constructor'])).toBe(1);
});
