import { z } from 'zod';
import type { Json } from '../../kernel/source.ts';
import { common, inferSchema } from '../../n8n/running/arguments/infer.ts';

/** What is known from the results so far. */
export interface Learned {
  /** A schema with the type of every property. */
  readonly seen: Json;
}

export function learn(known: Learned | undefined, result: Json): Learned {
  const now = inferSchema(result);
  return { seen: known ? common(known.seen, now) : now };
}

/** The schema to list. Results differ, so nothing is required and everything may be null. */
export function outputSchemaOf({ seen }: Learned): Json {
  const properties = Object.entries((seen.properties ?? {}) as Record<string, Json>);
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(([name, schema]) => [name, nullable(schema)])),
  };
}

function nullable(schema: Json): Json {
  const { type } = schema;
  if (type === undefined) return {};
  return type === 'object' || type === 'array' ? { type: [type, 'null'] } : { ...schema, type: [type, 'null'] };
}

/** The properties of a result that satisfy the listed schema. The text of the result contains everything. */
export function fitting(schema: Json, result: Json): Json {
  const properties = new Map(Object.entries((schema.properties ?? {}) as Record<string, Json>));
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => {
      const own = properties.get(name);
      return !own || z.fromJSONSchema(own).safeParse(value).success;
    }),
  );
}
