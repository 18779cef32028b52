import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolsFor, wireTool } from './tool.ts';

const make = toolsFor<{ count: number }>({ category: 'test' });
const base = {
  name: 'x',
  title: 'X',
  description: 'Does x.',
  scope: 'x:read',
  input: z.strictObject({ id: z.string().describe('Which one'), limit: z.int().default(5) }),
  output: z.object({ id: z.string() }),
  run: async ({ id }: { id: string }) => ({ id }),
} as const;

test('derives the wire form from the tool', () => {
  expect(wireTool(make({ ...base, effect: 'read' }))).toEqual({
    name: 'x',
    title: 'X',
    description: 'Does x.',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Which one' },
        limit: { type: 'integer', default: 5 },
      },
      required: ['id'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  });
});

test('a record of anything is a plain object', () => {
  const input = z.strictObject({ any: z.record(z.string(), z.unknown()), numbers: z.record(z.string(), z.number()) });
  const { properties } = wireTool(make({ ...base, input, run: async () => ({ id: '' }), effect: 'read' })).inputSchema;
  expect(properties).toEqual({
    any: { type: 'object' },
    numbers: { type: 'object', additionalProperties: { type: 'number' } },
  });
});

test('only deleting tools have a confirm parameter', () => {
  const properties = (effect: 'read' | 'create' | 'update' | 'delete' | 'execute') =>
    Object.keys(wireTool(make({ ...base, effect })).inputSchema.properties as object);
  expect(properties('delete')).toEqual(['id', 'limit', 'confirm']);
  for (const effect of ['read', 'create', 'update', 'execute'] as const)
    expect(properties(effect)).toEqual(['id', 'limit']);
});

test.each([
  ['create', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  ['update', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ['delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ['execute', { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
] as const)('%s has its annotations', (effect, annotations) => {
  expect(wireTool(make({ ...base, effect })).annotations).toMatchObject(annotations);
});

test('leaves out obvious keywords of the input schema', () => {
  const input = z.strictObject({ name: z.string().min(1), at: z.tuple([z.number(), z.number()]) });
  const { properties } = wireTool(make({ ...base, input, run: async () => ({ id: '' }), effect: 'read' })).inputSchema;
  expect(properties).toEqual({
    name: { type: 'string' },
    at: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  });
});
