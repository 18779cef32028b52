import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownDocument } from './shown-document.ts';

const replyBytes = (value: unknown) => {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

test('a document that fits is shown whole', () => {
  const id = new ObjectId();
  expect(
    shownDocument({ _id: id, n: new Int32(1), d: new Double(1.5), l: Long.MAX_VALUE, nothing: undefined }),
  ).toEqual({
    value: {
      _id: { $oid: id.toHexString() },
      n: 1,
      d: 1.5,
      l: { $numberLong: '9223372036854775807' },
      nothing: null,
    },
    isShortened: false,
  });
});

test('a field that is called _bsontype is a field', () => {
  const odd = { _bsontype: 'ObjectId', inner: { _bsontype: 'Binary' } };
  expect(shownDocument(odd).value).toEqual(odd);
});

test.each<[string, object]>([
  ['a long text', { text: 'x'.repeat(1_000_000) }],
  ['a text of quotes', { text: '"\\'.repeat(5000) }],
  ['many fields', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field ${at}`, at]))],
  ['long names of fields', Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}`.padEnd(5000, 'k'), 1]))],
  ['a long list', { list: Array.from({ length: 100_000 }, (_, at) => ({ at })) }],
  ['lists of lists', { list: Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'word'.repeat(9))) }],
  ['binary data', { bytes: new Binary(Buffer.alloc(1_000_000)) }],
  ['deep nesting', { deep: JSON.parse(`${'{"name":'.repeat(3000)}1${'}'.repeat(3000)}`) as object }],
  ['emoji', { text: '😀'.repeat(10_000) }],
])('%s is cut to what a reply can hold', (_, document) => {
  const { value, isShortened } = shownDocument(document);
  expect(isShortened).toBe(true);
  expect(JSON.stringify(value)).toContain('…');
  expect(replyBytes(value)).toBeLessThanOrEqual(6400);
});

test('no document is too odd to be shown', () => {
  fc.assert(
    fc.property(
      fc.object({ withBigInt: true, withDate: true, withTypedArray: true }),
      fc.integer({ min: 400, max: 6400 }),
      (document, most) => {
        const { value } = shownDocument(document, most);
        expect(replyBytes(value)).toBeLessThanOrEqual(most);
      },
    ),
  );
});

test('decimals keep their digits', () => {
  expect(shownDocument({ price: Decimal128.fromString('10.50') }).value).toEqual({
    price: { $numberDecimal: '10.50' },
  });
});
