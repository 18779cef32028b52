import type { Json } from '../../../kernel/source.ts';

const DEEPEST = 6;
const MOST_KEYS = 100;

/** The schema that an example value suggests. Null suggests nothing, and an empty list only that it is a list. */
export function inferSchema(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case 'string':
      return { type: 'string' };
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    default:
  }
  if (value === null || value === undefined || depth >= DEEPEST) return {};
  if (Array.isArray(value)) {
    const items = value.length === 0 ? {} : value.map((item) => inferSchema(item, depth + 1)).reduce(common);
    return { type: 'array', ...(Object.keys(items).length > 0 && { items }) };
  }
  const properties = Object.entries(value as Json)
    .slice(0, MOST_KEYS)
    .map(([name, inner]) => [name, inferSchema(inner, depth + 1)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The schema that fits both. */
export function common(one: Json, other: Json): Json {
  if (one.type === undefined || one.type !== other.type) return {};
  if (one.type === 'array') {
    const items = common((one.items ?? {}) as Json, (other.items ?? {}) as Json);
    return { type: 'array', ...(Object.keys(items).length > 0 && { items }) };
  }
  if (one.type !== 'object') return one;
  const mine = new Map(Object.entries((one.properties ?? {}) as Record<string, Json>));
  const merged = new Map(mine);
  for (const [name, theirs] of Object.entries((other.properties ?? {}) as Record<string, Json>)) {
    const own = mine.get(name);
    merged.set(name, own ? common(own, theirs) : theirs);
  }
  return { type: 'object', properties: Object.fromEntries(merged) };
}
