import { expect, test } from 'vitest';
import { isToolFailure } from './tool-failure.ts';

const result = (...texts: unknown[]) => ({ content: texts.map((text) => ({ type: 'text', text })) });

test.each([
  'There was an error: "no stock left"',
  'HTTP 404 There was an error: Not found',
  'NodeOperationError: the sheet is gone',
  "I don't know how to do that.",
])('%s is a failure', (text) => {
  expect(isToolFailure(result(text))).toBe(true);
});

test.each([
  ['an answer', result('1050')],
  ['an answer about errors', result('Yesterday There was an error: 5 of them')],
  ['a longer answer', result("I don't know how to do that. Ask Ana.")],
  ['several texts', result('There was an error: x', 'but here is the rest')],
  ['no text', { content: [{ type: 'image', data: '', mimeType: 'image/png' }] }],
  ['nothing', { content: [] }],
  ['no content', {}],
  ['null in it', result(null)],
])('%s is none', (_, given) => {
  expect(isToolFailure(given)).toBe(false);
});
