import { Int32, Long, ObjectId } from 'bson';
import { expect, test } from 'vitest';
import { schemaOf } from './schema.ts';

test('keys that are ids count as one field', () => {
  const { fields } = schemaOf([
    { votes: { [new ObjectId().toHexString()]: new Int32(1), 17: new Int32(2) } },
    { votes: { '00112233-4455-6677-8899-aabbccddeeff': Long.fromNumber(3) } },
  ]);
  expect(fields).toEqual([
    { field: 'votes', share: 1, types: ['object'] },
    { field: 'votes.*', share: 1, types: ['int', 'long'], example: 2 },
  ]);
});

test('documents with endless fields are looked at only in part', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}x`, at]));
  const { fields, isCut } = schemaOf([wide]);
  expect(fields).toHaveLength(1000);
  expect(isCut).toBe(true);
});

test('a share is that of documents, not of items', () => {
  const { fields } = schemaOf([{ tags: ['a', 'b', null] }, {}, {}, {}]);
  expect(fields).toEqual([
    { field: 'tags', share: 0.25, types: ['array'] },
    { field: 'tags[]', share: 0.25, types: ['string', 'null'], example: 'a' },
  ]);
});

test('fields may be called anything', () => {
  const { fields } = schemaOf([JSON.parse('{"__proto__": 1, "constructor": "x"}') as object]);
  expect(fields.map(({ field }) => field)).toEqual(['__proto__', 'constructor']);
});
