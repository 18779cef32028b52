import { z } from 'zod';
import type { Json } from '../../kernel/source.ts';
import { common, inferSchema } from '../../n8n/running/arguments/infer.ts';

/** What results were like so far, as an output schema that every result can be made to satisfy. */
export interface Learned {
  /** What is known of it, the kind of every property. */
  readonly seen: Json;
}

export function learn(known: Learned | undefined, result: Json): Learned {
  const now = inferSchema(result);
  return { seen: known ? common(known.seen, now) : now };
}

/** As it is listed: nothing in it is required, and everything may be missing or null, for results differ. */
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

/** The part of a result that satisfies what is listed; the text of the result says all of it. */
export function fitting(schema: Json, result: Json): Json {
  const properties = new Map(Object.entries((schema.properties ?? {}) as Record<string, Json>));
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => {
      const own = properties.get(name);
      return !own || z.fromJSONSchema(own).safeParse(value).success;
    }),
  );
}
