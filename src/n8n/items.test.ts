import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemsOf, pinsInput, pinsOf } from './items.ts';

const plain = fc.dictionary(
  fc.string().filter((key) => !['json', '__proto__'].includes(key)),
  fc.jsonValue(),
);

describe('items', () => {
  test('can be given as plain data or in the form of n8n', () => {
    fc.assert(
      fc.property(fc.array(plain), (data) => {
        const wrapped = data.map((json) => ({ json }));
        expect(itemsOf(data)).toEqual(wrapped);
        expect(itemsOf(wrapped)).toEqual(wrapped);
      }),
    );
    expect(itemsOf({ a: 1 })).toEqual([{ json: { a: 1 } }]);
    expect(itemsOf({ json: { a: 1 } })).toEqual([{ json: { a: 1 } }]);
    expect(itemsOf([{ json: { a: 1 } }, { b: 2 }])).toEqual([{ json: { a: 1 } }, { json: { b: 2 } }]);
    expect(itemsOf('text')).toEqual([{ json: { data: 'text' } }]);
    expect(itemsOf([])).toEqual([]);
  });

  test('keep the keys that n8n has beside the data', () => {
    const item = {
      json: { a: 1 },
      binary: { file: { mimeType: 'text/plain', data: 'aGk=' } },
      pairedItem: { item: 0 },
    };
    expect(itemsOf([item])).toEqual([item]);
    expect(itemsOf(item)).toEqual([item]);
  });

  test('can have a data key "json"', () => {
    for (const data of [
      { json: { a: 1 }, id: 7 },
      { json: '{"a":1}' },
      { json: [1, 2] },
      { json: null },
      { json: { a: 1 }, binary: {}, name: 'x' },
      { binary: { a: 1 } },
      { json: { a: 1 }, error: null },
      { json: { a: 1 }, metadata: { page: 3 } },
    ]) {
      expect(itemsOf([data])).toEqual([{ json: data }]);
    }
    expect(itemsOf([{ json: { json: { a: 1 } } }])).toEqual([{ json: { json: { a: 1 } } }]);
  });

  test('are pinned by any node name', () => {
    const pins = pinsOf(JSON.parse('{ "__proto__": [{ "a": 1 }], "B": { "json": { "b": 2 } } }') as object as never);
    expect(Object.entries(pins)).toEqual([
      ['__proto__', [{ json: { a: 1 } }]],
      ['B', [{ json: { b: 2 } }]],
    ]);
  });
});

test.each(['[{ "id": 1 }]', ['text'], 5])('%j is refused, and the error shows what items look like', (given) => {
  expect(pinsInput.safeParse({ A: given }).error?.issues[0]).toMatchObject({
    path: ['A'],
    message: 'items must be an array of objects, like [{ "id": 1 }], or one object',
  });
});
