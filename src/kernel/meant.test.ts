import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { meantBy } from './meant.ts';

const input = z.strictObject({
  id: z.union([z.string(), z.array(z.string())]).optional(),
  name: z.string().optional(),
  limit: z.int().min(1).optional(),
  share: z.number().optional(),
  full: z.boolean().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  both: z.union([z.boolean(), z.string()]).optional(),
  mode: z.enum(['1', '2', 'all']).optional(),
  nothing: z.number().nullable().optional(),
  position: z.tuple([z.number(), z.string()]).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  query: z.record(z.string(), z.string()).optional(),
  outputs: z.record(z.string(), z.array(z.strictObject({ index: z.int() }))).optional(),
  loose: z.looseObject({ id: z.string() }).optional(),
  anything: z.unknown().optional(),
  node: z.strictObject({ typeVersion: z.number(), parameters: z.record(z.string(), z.unknown()) }).optional(),
  operations: z
    .array(
      z.discriminatedUnion('op', [
        z.strictObject({ op: z.literal('move'), x: z.number() }),
        z.strictObject({ op: z.literal('name'), x: z.string() }),
      ]),
    )
    .optional(),
  unmarked: z.union([z.strictObject({ x: z.string() }), z.strictObject({ x: z.number() })]).optional(),
});

const schema = z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>;
const meant = meantBy(schema);

describe('corrects a value with only one reading', () => {
  test.each([
    [{ name: 5 }, { name: '5' }],
    [{ name: 1.5 }, { name: '1.5' }],
    [{ id: 5 }, { id: '5' }],
    [{ id: [5, 'x', 7] }, { id: ['5', 'x', '7'] }],
    [{ limit: '3' }, { limit: 3 }],
    [{ share: '-0.5' }, { share: -0.5 }],
    [{ full: 'true' }, { full: true }],
    [{ full: 'false' }, { full: false }],
    [{ mode: 2 }, { mode: '2' }],
    [{ nothing: '4' }, { nothing: 4 }],
    [{ position: ['1', 2] }, { position: [1, '2'] }],
    [{ query: { page: 2, word: 'x' } }, { query: { page: '2', word: 'x' } }],
    [{ outputs: { A: [{ index: '0' }] } }, { outputs: { A: [{ index: 0 }] } }],
    [
      { node: { typeVersion: '3.4', parameters: { amount: '1' } } },
      { node: { typeVersion: 3.4, parameters: { amount: '1' } } },
    ],
    [
      {
        operations: [
          { op: 'move', x: '10' },
          { op: 'name', x: 10 },
        ],
      },
      {
        operations: [
          { op: 'move', x: 10 },
          { op: 'name', x: '10' },
        ],
      },
    ],
  ])('%j', (given, expected) => {
    expect(meant(given)).toEqual(expected);
    expect(input.safeParse(meant(given)).success).toBe(true);
  });
});

describe('leaves unchanged', () => {
  test.each([
    [{ either: 5 }],
    [{ either: '5' }],
    [{ both: 'true' }],
    [{ name: true }],
    [{ name: null }],
    [{ name: 2 ** 60 }],
    [{ limit: 'three' }],
    [{ limit: '03' }],
    [{ limit: '1e3' }],
    [{ limit: '' }],
    [{ limit: ' 3' }],
    [{ limit: '2.5' }],
    [{ share: 'Infinity' }],
    [{ full: 'yes' }],
    [{ full: 1 }],
    [{ mode: 3 }],
    [{ data: { id: 5, full: 'true', deep: [{ limit: '3' }] } }],
    [{ loose: { id: 5 } }],
    [{ anything: '5' }],
    [{ unmarked: { x: 5 } }],
    [{ unknown: '5' }],
    [{ operations: [{ op: 'other', x: '5' }] }],
    [{ operations: 'move' }],
    [JSON.parse('{"__proto__": 5, "constructor": 5}') as Record<string, unknown>],
  ])('%j', (given) => {
    expect(meant(given)).toBe(given);
  });

  test('valid values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(input.shape)), fc.jsonValue()), (given) => {
        if (input.safeParse(given).success) expect(meant(given)).toBe(given);
      }),
    );
    expect.hasAssertions();
  });
});

test('follows references to shared definitions', () => {
  const shared = meantBy({
    type: 'object',
    properties: { id: { $ref: '#/$defs/id' }, all: { type: 'array', items: { $ref: '#/$defs/id' } } },
    additionalProperties: false,
    $defs: { id: { type: 'string' } },
  });
  expect(shared({ id: 5, all: [6] })).toEqual({ id: '5', all: ['6'] });
});
