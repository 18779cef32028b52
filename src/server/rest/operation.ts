import { z } from 'zod';

type Schema = Record<string, unknown>;

/** JSON Schema of a type, in the form OpenAPI 3.1 uses. */
export function schemaOf(type: z.ZodType, io: 'input' | 'output' = 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  // Answers may get more keys later, so do not promise clients that they will not.
  return io === 'output' ? open(schema) : schema;
}

function open(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'additionalProperties' && value === false ? undefined : value,
    ),
  ) as Schema;
}

/** One response of an operation. */
export function answer(description: string, type: z.ZodType): Schema {
  return { description, content: { 'application/json': { schema: schemaOf(type) } } };
}

/** A result in the JSON-RPC wrapper. */
export function rpcResult(result: z.ZodType): z.ZodType {
  return z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).describe('The id of the request, or a generated one'),
    result,
  });
}

/** OpenAPI query parameters, derived from the type that checks them. */
export function queryParameters(query: z.ZodObject): Schema[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}
