import type { Json } from '../src/kernel/source.ts';

/** One value of a schema, by its path: `backends[].state`. */
export interface SchemaRow {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback?: unknown;
  readonly description: string;
}

/** A union of objects that are told apart by one key: `{ op: 'add_node', … }`. */
export interface Variants {
  readonly path: string;
  readonly key: string;
  readonly of: readonly { readonly value: string; readonly rows: readonly SchemaRow[] }[];
}

/** Every named value of an object schema; the contents of lists and objects follow their owner. */
export function schemaRows(schema: Json, prefix = ''): SchemaRow[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return entriesOf(schema).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const row: SchemaRow = {
      path,
      type: typeOf(value),
      // A value with a default is required after parsing, but not in the request.
      required: required.includes(name) && value.default === undefined,
      description: textOf(value),
      ...(value.default !== undefined && { fallback: value.default }),
    };
    return [row, ...schemaRows(innerOf(value), innerPath(path, value))];
  });
}

/** The unions in an object schema that need their own table. */
export function variantsIn(schema: Json, prefix = ''): Variants[] {
  return entriesOf(schema).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const inner = innerOf(value);
    const key = discriminator(inner);
    const rows =
      key === undefined ? [] : [{ path: innerPath(path, value).slice(0, -1), key, of: variants(inner, key) }];
    return [...rows, ...variantsIn(inner, innerPath(path, value))];
  });
}

const entriesOf = (schema: Json) => Object.entries((schema.properties ?? {}) as Record<string, Json>);
const textOf = (schema: Json): string => (typeof schema.description === 'string' ? schema.description : '');
const innerOf = (value: Json): Json => (value.type === 'array' ? ((value.items ?? {}) as Json) : value);
const innerPath = (path: string, value: Json): string => (value.type === 'array' ? `${path}[].` : `${path}.`);
const optionsOf = (schema: Json): Json[] => (schema.oneOf ?? schema.anyOf ?? []) as Json[];

/** The key that every option has, each with its own value. */
function discriminator(schema: Json): string | undefined {
  const options = optionsOf(schema);
  const [first] = options;
  if (!first || options.length < 2) return undefined;
  return entriesOf(first).find(([key]) =>
    options.every((option) => ((option.properties ?? {}) as Record<string, Json>)[key]?.const !== undefined),
  )?.[0];
}

function variants(schema: Json, key: string): Variants['of'] {
  return optionsOf(schema).map((option) => ({
    value: String((option.properties as Record<string, Json>)[key]?.const),
    rows: schemaRows(option).filter(({ path }) => path !== key && !/[.[]/.test(path)),
  }));
}

function typeOf(schema: Json): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(', ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`;
  const options = optionsOf(schema);
  if (options.length > 0 && discriminator(schema) === undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.type === 'object' && schema.properties === undefined) return 'object with any keys';
  const { minimum, maximum } = schema;
  const bounded = typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  const type = typeof schema.type === 'string' ? schema.type : options.length > 0 ? 'object' : 'any';
  return `${type}${bounded ? `, ${minimum} to ${maximum}` : ''}`;
}
