import * as bson from 'bson';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromExtended, withIds } from './extended.ts';
import { shownDocument } from './shown-document.ts';

const read = (value: unknown) => fromExtended(value, bson);
const hex = '64b7f0c2a1b2c3d4e5f60718';

describe('Extended JSON', () => {
  test.each([
    [{ $oid: hex }, bson.ObjectId.createFromHexString(hex)],
    [{ $date: '2026-01-31T12:00:00Z' }, new Date('2026-01-31T12:00:00Z')],
    [{ $numberLong: '9007199254740993' }, bson.Long.fromString('9007199254740993')],
    [{ $numberDecimal: '0.10' }, bson.Decimal128.fromString('0.10')],
    [{ $uuid: '00112233-4455-6677-8899-aabbccddeeff' }, new bson.UUID('00112233-4455-6677-8899-aabbccddeeff')],
  ])('%j is read', (json, value) => {
    expect(String(read(json))).toEqual(String(value));
  });

  test.each([
    { $oid: 'xyz' },
    { $date: 'yesterday' },
    { $numberLong: '1; drop' },
    { $numberInt: 'one' },
    { $numberDecimal: 'much' },
    { $numberDouble: '' },
    { $uuid: 'no' },
    { $binary: 'no' },
  ])('%j is refused with an example', (json) => {
    expect(() => read({ a: [json] })).toThrow('is not a value of the type');
  });

  test('operators keep what stands beside them', () => {
    const filter = { name: { $regex: '^a', $options: 'i', $ne: 'ab' }, kind: { $type: 'string' } };
    expect(read(filter)).toEqual(filter);
  });

  test('names of every kind stay names', () => {
    const json: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "_bsontype": "ObjectId"}');
    expect(JSON.stringify(read(json))).toBe(JSON.stringify(json));
  });

  test('JSON without types comes back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        const plain = JSON.parse(JSON.stringify(json)) as unknown;
        fc.pre(!JSON.stringify(plain).includes('"$'));
        expect(JSON.stringify(read(plain))).toBe(JSON.stringify(plain));
      }),
    );
  });

  test('what is shown can be sent again', () => {
    const values = {
      id: new bson.ObjectId(),
      at: new Date(5),
      long: bson.Long.fromString('9007199254740993'),
      decimal: bson.Decimal128.fromString('1.50'),
      bytes: new bson.Binary(Buffer.from('abc'), 5),
      uuid: new bson.UUID(),
      time: new bson.Timestamp({ t: 1, i: 2 }),
      least: new bson.MinKey(),
      regex: new bson.BSONRegExp('^a', 'i'),
      endless: Number.POSITIVE_INFINITY,
    };
    const { value } = shownDocument(values);
    expect(shownDocument(read(JSON.parse(JSON.stringify(value)))).value).toEqual(value);
  });

  test('JSON that is nested too deeply is refused', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
    expect(() => read(deep)).toThrow('nested');
  });
});

describe('ids', () => {
  const id = bson.ObjectId.createFromHexString(hex);

  test.each([
    [{ _id: hex }, { _id: { $in: [id, hex] } }],
    [{ _id: { $eq: hex } }, { _id: { $in: [id, hex] } }],
    [{ _id: { $ne: hex } }, { _id: { $nin: [id, hex] } }],
    [{ _id: { $in: [hex, 'a', 1] } }, { _id: { $in: [id, hex, 'a', 1] } }],
    [{ $or: [{ _id: hex }, { a: hex }] }, { $or: [{ _id: { $in: [id, hex] } }, { a: hex }] }],
    [{ _id: 'short' }, { _id: 'short' }],
    [{ _id: { $gt: hex } }, { _id: { $gt: hex } }],
    [{ _id: id }, { _id: id }],
  ])('%j also finds ObjectIds', (filter, wider) => {
    expect(withIds(filter, bson)).toEqual(wider);
  });
});
