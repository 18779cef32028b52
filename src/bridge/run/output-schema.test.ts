import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../kernel/source.ts';
import { inferSchema } from '../../n8n/running/arguments/infer.ts';
import { fitting, learn, outputSchemaOf } from './output-schema.ts';

test('infers types from values: null is unknown, items of different types are anything', () => {
  expect(inferSchema({ a: 'x', b: 1, c: [true, false], d: null, e: [1, 'x'], f: [{ g: 1 }, { h: '' }] })).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'array', items: { type: 'boolean' } },
      d: {},
      e: { type: 'array' },
      f: { type: 'array', items: { type: 'object', properties: { g: { type: 'number' }, h: { type: 'string' } } } },
    },
  });
});

test('cuts deeply nested values', () => {
  let value: unknown = 1;
  for (let i = 0; i < 1000; i++) value = { value };
  expect(JSON.stringify(inferSchema(value)).length).toBeLessThan(1000);
});

test('every result can be made to fit the schema learnt from others', () => {
  const results: Json[] = [
    { total: 1, name: 'a', lines: [{ n: 1 }] },
    { total: null, name: 'b' },
    { total: 'many', more: true },
    { lines: 'none' },
  ];
  let learned = learn(undefined, results[0] as Json);
  for (const result of results) {
    const schema = outputSchemaOf(learned);
    const given = fitting(schema, result);
    expect(z.fromJSONSchema(schema as never).safeParse(given).error).toBeUndefined();
    learned = learn(learned, result);
  }
  expect(outputSchemaOf(learned).properties).toMatchObject({ total: {}, name: { type: ['string', 'null'] } });
});
