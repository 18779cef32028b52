import { expect, test } from 'vitest';
import { inWords } from './conditions.ts';

test.each([
  [undefined, undefined],
  [{}, undefined],
  [
    { show: { resource: ['message'], operation: ['post', 'update'] } },
    'resource is message and operation is post or update',
  ],
  [{ show: { '@version': [{ _cnd: { gte: 2.2 } }] } }, 'typeVersion is at least 2.2'],
  [{ show: { '@version': [1, { _cnd: { between: { from: 3, to: 4 } } }] } }, 'typeVersion is 1 or is between 3 and 4'],
  [{ show: { '/options.mode': [''] } }, 'options.mode is empty'],
  [{ hide: { url: [{ _cnd: { exists: true } }] } }, 'not if url is set'],
  [{ show: { simple: [false] }, hide: { operation: ['get'] } }, 'simple is false and not if operation is get'],
])('%j in words', (options, words) => {
  expect(inWords(options)).toBe(words);
});
