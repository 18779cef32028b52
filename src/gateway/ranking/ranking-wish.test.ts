import { expect, test } from 'vitest';
import { readWish } from './ranking-wish.ts';

test.each([
  ['please post it to https://example.com/delete/workflow', 'post it to url'],
  ['is {{ $json.workflow.name }} right?', 'is expression right?'],
  ['what is {{ $json.a }}/{{ $json.b }}', 'what is expression/expression'],
  ['{{ left open', '{{ left open'],
])('"%s" is searched as: %s', (query, text) => {
  expect(readWish(query).text).toBe(text);
});
