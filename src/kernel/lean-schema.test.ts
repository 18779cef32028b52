import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { asOneObject, downTo, outlineOf } from './lean-schema.ts';
import type { Json } from './source.ts';

const schemaOf = (type: z.ZodType): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' });
  return schema;
};

describe('a union of objects as one object', () => {
  const node = z.string().describe('Name of the node');

  test('lists each property once, and the properties of each variant', () => {
    const union = z.discriminatedUnion('op', [
      z.strictObject({ op: z.literal('rename'), node, to: z.string().min(2).describe('Its new name') }),
      z.strictObject({
        op: z.literal('connect'),
        node,
        to: z.string().describe('Name of another'),
        kind: node.optional(),
      }),
      z.strictObject({ op: z.literal('enable'), node }),
      z.strictObject({ op: z.literal('disable'), node }),
    ]);
    expect(asOneObject(schemaOf(union))).toEqual({
      type: 'object',
      properties: {
        op: {
          type: 'string',
          enum: ['rename', 'connect', 'enable', 'disable'],
          description: 'rename {node, to}; connect {node, to, kind?}; enable, disable {node}',
        },
        node: { type: 'string', description: 'Name of the node' },
        to: { type: 'string', description: 'rename: Its new name; connect: Name of another' },
        kind: { type: 'string', description: 'Name of the node' },
      },
      required: ['op', 'node'],
      additionalProperties: false,
    });
  });

  test('a property with different types in two variants accepts either', () => {
    const union = z.discriminatedUnion('op', [
      z.strictObject({ op: z.literal('add'), node: z.strictObject({ name: z.string() }) }),
      z.strictObject({ op: z.literal('remove'), node }),
    ]);
    const { properties } = asOneObject(schemaOf(union)) as { properties: Json };
    expect(properties.node).toMatchObject({ anyOf: [{ type: 'object' }, { type: 'string' }] });
  });

  test.each<[string, z.ZodType]>([
    [
      'objects that no word tells apart',
      z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
    ],
    ['unions that contain non-objects', z.union([z.string(), z.strictObject({ a: z.string() })])],
    ['open objects', z.union([z.looseObject({ a: z.literal('x') }), z.looseObject({ a: z.literal('y') })])],
    ['one object', z.strictObject({ a: z.literal('x') })],
  ])('%s stay unchanged', (_, type) => {
    const schema = schemaOf(type);
    expect(asOneObject(schema)).toBe(schema);
  });
});

const output = schemaOf(
  z.object({
    name: z.string().describe('Which'),
    items: z.array(z.object({ id: z.string(), deep: z.object({ at: z.string() }) })).optional(),
    either: z.union([z.string(), z.number()]),
    any: z.unknown(),
  }),
);

test('an outline has the required properties', () => {
  expect(outlineOf(output)).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, either: { type: ['string', 'number'] }, any: {} },
  });
});

test('cuts a schema at a level, also inside lists', () => {
  expect(downTo(9, output)).toEqual(output);
  expect(downTo(2, output)).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Which' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, deep: { type: 'object' } },
          required: ['id', 'deep'],
        },
      },
      either: { type: ['string', 'number'] },
      any: {},
    },
    required: ['name', 'either', 'any'],
  });
});
