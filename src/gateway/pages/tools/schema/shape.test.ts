import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blank, initial } from './blank.ts';
import { carried, chosenOption, fit } from './fits.ts';
import { type Shape, shapesIn } from './shape.ts';

const shapeOf = (schema: unknown, root: unknown = schema): Shape => shapesIn(root)(schema);
const kinds = (schema: unknown) => {
  const shapes = shapesIn(schema);
  const shape = shapes(schema);
  if (shape.kind !== 'object') return shape.kind;
  return Object.fromEntries(shape.properties.map(({ name, schema: one }) => [name, shapes(one).kind]));
};

describe('the shape of a schema', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'null' }, 'null'],
    [{ const: 7 }, 'enum'],
    [{ enum: ['a', null] }, 'enum'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ items: { type: 'string' } }, 'list'],
    [{ type: 'object' }, 'object'],
    [{ properties: {} }, 'object'],
    [{ type: ['string', 'number'] }, 'choice'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'choice'],
    [{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'enum'],
    [{}, 'json'],
    [true, 'json'],
    [false, 'never'],
    [{ type: 'hologram' }, 'json'],
    [7, 'json'],
    [null, 'json'],
    [{ allOf: [{ type: 'string' }, false] }, 'never'],
  ])('of %j is %s', (schema, kind) => {
    expect(shapeOf(schema).kind).toBe(kind);
  });

  it('has words for its constraints, and never runs a pattern', () => {
    const limits = (schema: object) => shapeOf(schema).limits;
    expect(limits({ type: 'string', minLength: 2, maxLength: 20, pattern: '^(a+)+$', format: 'date' })).toEqual([
      'a date such as 2026-01-31',
      '2 to 20 characters',
      'matches ^(a+)+$',
    ]);
    expect(limits({ type: 'string', pattern: '(' })).toEqual(['matches (']);
    expect(limits({ patternProperties: { '^x-': true, '^y-': true } })).toEqual(['names match ^x- or ^y-']);
    expect(limits({ type: 'integer', minimum: 1, maximum: 5 })).toEqual(['1 to 5']);
    expect(limits({ type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 })).toEqual([
      'more than 0',
      'a multiple of 0.5',
    ]);
    expect(limits({ type: 'array', minItems: 1, uniqueItems: true })).toEqual(['at least 1 item', 'no item twice']);
    expect(limits({ type: 'array', minItems: 2, maxItems: 2 })).toEqual(['exactly 2 items']);
    expect(limits({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }] })).toEqual([
      'needs at least one of: a, b and c',
    ]);
    expect(limits({ type: 'string', minimum: 'many', minLength: {}, not: { const: 'x' } })).toEqual([
      'some values are excluded',
    ]);
  });

  it('may be null besides', () => {
    expect(shapeOf({ type: ['string', 'null'] })).toMatchObject({ kind: 'text', nullable: true });
    expect(shapeOf({ type: 'string', nullable: true })).toMatchObject({ kind: 'text', nullable: true });
    expect(
      shapeOf({
        title: 'Outer',
        default: null,
        anyOf: [{ type: 'integer', title: 'Inner', minimum: 1 }, { type: 'null' }],
      }),
    ).toMatchObject({ kind: 'number', nullable: true, title: 'Outer', default: null, limits: ['at least 1'] });
    expect(shapeOf({ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] })).toMatchObject({
      kind: 'choice',
      nullable: true,
      options: [{ title: 'text' }, { title: 'number' }],
    });
  });

  it('names the options of a choice by title, constant, or type', () => {
    const schema = {
      oneOf: [
        { title: 'File', type: 'object' },
        { properties: { kind: { const: 'url' } } },
        { type: 'object', required: ['a', 'b'] },
        { type: 'array', items: { type: 'string' } },
        { $ref: '#/$defs/named' },
        {},
      ],
      $defs: { named: { title: 'Named' } },
    };
    const shape = shapeOf(schema) as Shape & { kind: 'choice' };
    expect(shape.options.map(({ title }) => title)).toEqual([
      'File',
      'kind: url',
      'object with a, b',
      'list of string',
      'Named',
      'Form 6',
    ]);
  });

  it('keeps what stands beside a choice in each of its options', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
    };
    const shapes = shapesIn(schema);
    const choice = shapes(schema) as Shape & { kind: 'choice' };
    expect(choice.options.map(({ schema: one }) => (shapes(one) as Shape & { kind: 'object' }).properties)).toEqual([
      [
        { name: 'id', schema: { type: 'string' }, required: true },
        { name: 'a', schema: { type: 'string' }, required: false },
      ],
      [
        { name: 'id', schema: { type: 'string' }, required: true },
        { name: 'b', schema: { type: 'number' }, required: false },
      ],
    ]);
  });

  it('merges all parts', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string' } }, required: ['a'] },
        { properties: { a: { type: 'number', minimum: 3, maximum: 9 } }, required: ['b'] },
        { $ref: '#/$defs/closed' },
      ],
      description: 'Both',
      $defs: { closed: { additionalProperties: false } },
    };
    const shapes = shapesIn(schema);
    const shape = shapes(schema) as Shape & { kind: 'object' };
    expect(shape).toMatchObject({ kind: 'object', description: 'Both', open: false, extra: false });
    expect(shape.properties.map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    expect(shapes(shape.properties[0]?.schema)).toMatchObject({ kind: 'number', integer: true, limits: ['3 to 9'] });
  });

  it('knows which further properties an object may have', () => {
    const object = (schema: object) => shapeOf({ type: 'object', ...schema }) as Shape & { kind: 'object' };
    expect(object({})).toMatchObject({ extra: true, open: true });
    expect(object({ properties: { a: {} } })).toMatchObject({ extra: true, open: false });
    expect(object({ properties: { a: {} }, additionalProperties: true })).toMatchObject({ open: true });
    expect(object({ additionalProperties: false })).toMatchObject({ extra: false, open: false });
    expect(object({ additionalProperties: { type: 'string' } })).toMatchObject({
      extra: { type: 'string' },
      open: true,
    });
    expect(object({ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false })).toMatchObject({
      extra: { type: 'number' },
      open: true,
    });
  });

  it('knows tuples, as they were written before 2020 too', () => {
    const [a, b] = [{ type: 'number' }, { type: 'string' }];
    expect(shapeOf({ type: 'array', prefixItems: [a, b], items: false })).toMatchObject({
      first: [a, b],
      items: false,
    });
    expect(shapeOf({ type: 'array', items: [a], additionalItems: b })).toMatchObject({ first: [a], items: b });
  });

  it('treats the names of built-in properties as any other', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__","hasOwnProperty"]}',
    ) as object;
    expect((shapeOf(schema) as Shape & { kind: 'object' }).properties).toEqual([
      { name: '__proto__', schema: { type: 'string' }, required: true },
      { name: 'constructor', schema: { type: 'integer' }, required: false },
      { name: 'hasOwnProperty', schema: true, required: true },
    ]);
  });
});

describe('references', () => {
  it('are followed within the document', () => {
    const schema = {
      properties: {
        plain: { $ref: '#/$defs/a~1b' },
        beside: { $ref: '#/$defs/a~1b', description: 'Nearer', maxLength: 3 },
        encoded: { $ref: '#/$defs/two%20words' },
        anchor: { $ref: '#there' },
        first: { $ref: '#/$defs/list/prefixItems/0' },
        chain: { $ref: '#/properties/plain' },
      },
      $defs: {
        'a/b': { type: 'string', description: 'Far', maxLength: 9 },
        'two words': { type: 'integer' },
        c: { $anchor: 'there', type: 'boolean' },
        list: { prefixItems: [{ type: 'null' }] },
      },
    };
    expect(kinds(schema)).toEqual({
      plain: 'text',
      beside: 'text',
      encoded: 'number',
      anchor: 'boolean',
      first: 'null',
      chain: 'text',
    });
    expect(shapeOf(schema.properties.beside, schema)).toMatchObject({
      description: 'Nearer',
      limits: ['at most 3 characters'],
    });
  });

  it.each(['#/$defs/gone', 'https://example.com/schema.json', 7, '#/__proto__', '#/$defs/%', 'other.json#/a', null])(
    '%j leads nowhere, and says so',
    ($ref) => {
      expect(shapeOf({ $ref, $defs: {} })).toMatchObject({
        kind: 'json',
        why: expect.stringContaining('not in the schema') as string,
      });
    },
  );

  it('in a circle end as JSON, and say so', () => {
    const schema = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } };
    expect(shapeOf(schema)).toMatchObject({ kind: 'json', why: 'it refers to itself' });
  });

  it('that double at each step are given up', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { allOf: [next, next] }];
      }),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d60: { type: 'string' } } };
    expect(shapeOf(schema)).toMatchObject({ kind: 'json', why: 'it has too many parts' });
  });

  it('to what is around them are opened level by level', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
    const shapes = shapesIn(schema);
    let at: unknown = schema;
    for (let level = 0; level < 100; level++) {
      const shape = shapes(at) as Shape & { kind: 'object' };
      expect(shape.kind).toBe('object');
      at = shape.properties[0]?.schema;
    }
    expect(initial(shapes, schema)).toEqual({});
  });

  it('of choices among themselves have no end, and cost nothing', () => {
    const all = { anyOf: [{ $ref: '#/$defs/all' }, { allOf: [{ $ref: '#/$defs/all' }] }] };
    const schema = { type: 'object', properties: { all: { $ref: '#/$defs/all' } }, $defs: { all } };
    const shapes = shapesIn(schema);
    expect(shapes(schema.properties.all).kind).toBe('choice');
    expect(blank(shapes, schema.properties.all)).toBeNull();
    expect(fit(shapes, schema.properties.all, null)).toBeGreaterThan(0);
  });
});

describe('what the arguments begin with', () => {
  const begin = (schema: object) => initial(shapesIn(schema), schema);

  it('are defaults and constants of what is required; the rest stays out', () => {
    expect(
      begin({
        type: 'object',
        properties: {
          a: { type: 'integer', default: 3 },
          b: { const: 'x' },
          c: { type: 'string', default: 'optional' },
          d: { type: 'string' },
          e: { type: 'object', properties: { f: { default: [] } }, required: ['f'] },
          g: { type: 'object' },
          h: { type: 'object', properties: { i: { type: 'string' } }, required: ['i'] },
        },
        required: ['a', 'b', 'd', 'e', 'g', 'h'],
      }),
    ).toEqual({ a: 3, b: 'x', e: { f: [] }, g: {} });
  });

  it('of an item that was just added are as short as can be', () => {
    const add = (schema: unknown) => blank(shapesIn(schema), schema);
    expect([{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { enum: ['b', 'a'] }, {}].map(add)).toEqual([
      '',
      0,
      false,
      'b',
      null,
    ]);
    expect([{ type: 'array' }, { type: 'object' }, { type: 'string', default: 'x' }].map(add)).toEqual([[], {}, 'x']);
    expect(add({ oneOf: [{ properties: { kind: { const: 'a' } }, required: ['kind'] }, {}] })).toEqual({ kind: 'a' });
  });
});

describe('the option that a value is of', () => {
  const choose = (options: object[], value: unknown) => {
    const shape = shapeOf({ oneOf: options }) as Shape & { kind: 'choice' };
    return chosenOption(shapesIn({ oneOf: options }), shape.options, value);
  };
  const file = { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] };
  const url = { properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] };

  it('is told by its constant, its type, its names', () => {
    expect(choose([file, url], { kind: 'file' })).toBe(0);
    expect(choose([file, url], { kind: 'url' })).toBe(1);
    expect(choose([file, url], { url: 'x' })).toBe(1);
    expect(choose([file, url], { kind: 'other' })).toBeUndefined();
    expect(choose([file, url], undefined)).toBeUndefined();
    expect(choose([{ type: 'string' }, { type: 'number' }, { type: 'integer' }], 7)).toBe(2);
    expect(
      choose(
        [
          { type: 'array', items: { type: 'string' } },
          { type: 'array', items: { type: 'number' } },
        ],
        [1],
      ),
    ).toBe(1);
  });
});

it('what was typed into another form stays, but for constants and what has no place any more', () => {
  const note = { type: 'string' };
  const url = { properties: { kind: { const: 'url' }, url: { type: 'string' }, note }, required: ['kind', 'url'] };
  const typed = { kind: 'file', path: '/x', note: 'kept' };
  expect(carried(shapesIn(url), url, typed)).toEqual({ kind: 'url', note: 'kept' });
  expect(carried(shapesIn(note), note, typed)).toBe('');
});

const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '');
const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'boolean', 'hologram', 7, null);

/** Schemas as bad as a server may send them. */
const anything = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.constantFrom<unknown>(true, false, null, 7, 'text', [], {}, { type: 'string' }, { $ref: '#' }, { const: null }),
    fc.record(
      {
        type: fc.oneof(type, fc.array(type, { maxLength: 2 })),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 2 }),
        required: fc.array(name, { maxLength: 2 }),
        items: fc.oneof(tie('schema'), fc.tuple(tie('schema'))),
        prefixItems: fc.array(tie('schema'), { maxLength: 1 }),
        additionalProperties: tie('schema'),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
        $ref: fc.constantFrom('#', '#/$defs/x', '#/properties/a', '#/gone', 'https://example.com', 7),
        $defs: fc.record({ x: tie('schema') }),
        default: fc.constantFrom(null, 1, 'a', {}),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

it('of any schema is found, at every depth, with what it begins with', () => {
  /** What went wrong, anywhere within. */
  const troubleIn = (schema: unknown, value: unknown): string | undefined => {
    const shapes = shapesIn(schema);
    const waiting = [schema];
    for (let visits = 0; visits < 100 && waiting.length > 0; visits++) {
      const one = waiting.shift();
      const shape = shapes(one);
      initial(shapes, one);
      if (typeof JSON.stringify(blank(shapes, one)) !== 'string') return `${shape.kind}: its blank is no JSON`;
      if (!(fit(shapes, one, value) >= 0)) return `${shape.kind}: fits by no number`;
      if (shape.kind === 'object') waiting.push(...shape.properties.map((property) => property.schema));
      if (shape.kind === 'list') waiting.push(...shape.first, shape.items);
      if (shape.kind === 'choice') waiting.push(...shape.options.map((option) => option.schema));
    }
    return undefined;
  };
  fc.assert(
    fc.property(anything, fc.jsonValue({ maxDepth: 3 }), (schema, value) => {
      expect(troubleIn(schema, value)).toBeUndefined();
    }),
    { numRuns: 200 },
  );
});
