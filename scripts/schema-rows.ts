import type { Json } from '../src/kernel/source.ts';

/** One value of a schema, by its path: `backends[].state`. */
export interface SchemaRow {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback?: unknown;
  readonly description: string;
}

/** Every named value of an object schema; what lies inside lists and objects follows its owner. */
export function schemaRows(schema: Json, prefix = ''): SchemaRow[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const row: SchemaRow = {
      path,
      type: typeOf(value),
      // A value with a default is required in what was parsed, not in what is sent.
      required: required.includes(name) && value.default === undefined,
      description: typeof value.description === 'string' ? value.description : '',
      ...(value.default !== undefined && { fallback: value.default }),
    };
    const inner = value.type === 'array' ? (value.items as Json) : value;
    return [row, ...schemaRows(inner, value.type === 'array' ? `${path}[].` : `${path}.`)];
  });
}

function typeOf(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items as Json)}`;
  if (schema.type === 'object' && schema.properties === undefined) return 'object with any keys';
  const { minimum, maximum } = schema;
  const range = typeof minimum === 'number' && typeof maximum === 'number' ? `, ${minimum} to ${maximum}` : '';
  return `${typeof schema.type === 'string' ? schema.type : 'any'}${range}`;
}
