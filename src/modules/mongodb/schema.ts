import { shownDocument } from './shown-document.ts';

/** A field as the sampled documents have it. */
export interface Field {
  /** `address.city`; `[]` stands for the items of a list, `*` for keys that are numbers or ids. */
  readonly field: string;
  /** The share of documents that have it, from 0 to 1. */
  readonly share: number;
  /** Types by how often they occur. */
  readonly types: string[];
  readonly example?: unknown;
}

export interface Schema {
  readonly fields: Field[];
  /** Set if there are more fields than are looked at. */
  readonly isCut: boolean;
}

const MOST_FIELDS = 1000;
const MOST_DEPTH = 8;
const MOST_ITEMS = 20;
const EXAMPLE_BYTES = 160;

interface Seen {
  documents: number;
  readonly types: Map<string, number>;
  example?: unknown;
}

/** What the fields of these documents are. Values must have the driver's own types: promoteValues off. */
export function schemaOf(documents: readonly object[]): Schema {
  const seen = new Map<string, Seen>();
  let isCut = false;

  function note(path: string, value: unknown, inThis: Set<string>): void {
    let field = seen.get(path);
    if (!field) {
      if (seen.size >= MOST_FIELDS) {
        isCut = true;
        return;
      }
      field = { documents: 0, types: new Map() };
      seen.set(path, field);
    }
    if (!inThis.has(path)) field.documents += 1;
    inThis.add(path);
    const type = typeOf(value);
    field.types.set(type, (field.types.get(type) ?? 0) + 1);
    if (field.example === undefined && !/^(?:object|array|null|undefined)$/.test(type)) field.example = value;
  }

  function look(value: unknown, path: string, depth: number, inThis: Set<string>): void {
    if (depth > MOST_DEPTH) return;
    const type = typeOf(value);
    if (type === 'array')
      for (const item of (value as unknown[]).slice(0, MOST_ITEMS)) {
        note(`${path}[]`, item, inThis);
        look(item, `${path}[]`, depth + 1, inThis);
      }
    else if (type === 'object')
      for (const [key, inner] of Object.entries(value as object)) {
        const name = path === '' ? nameOf(key) : `${path}.${nameOf(key)}`;
        note(name, inner, inThis);
        look(inner, name, depth + 1, inThis);
      }
  }

  for (const document of documents) look(document, '', 0, new Set());
  const fields = [...seen].map(
    ([field, { documents: count, types, example }]): Field => ({
      field,
      share: Math.round((count / documents.length) * 1000) / 1000,
      types: [...types].toSorted(([, a], [, b]) => b - a).map(([type]) => type),
      ...(example !== undefined && { example: shownDocument(example, EXAMPLE_BYTES).value }),
    }),
  );
  return { fields, isCut };
}

/** Keys that are ids make a field of every document: they count as one. */
const nameOf = (key: string): string =>
  /^(?:\d+|[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(key) ? '*' : key.slice(0, 100);

const NAMES = new Map([
  ...(['ObjectId', 'MinKey', 'MaxKey', 'Timestamp'] as const).map(
    (type) => [type, type[0]?.toLowerCase() + type.slice(1)] as const,
  ),
  ['Int32', 'int'],
  ['Double', 'double'],
  ['Long', 'long'],
  ['Decimal128', 'decimal'],
  ['Binary', 'binData'],
  ['BSONRegExp', 'regex'],
  ['Code', 'javascript'],
  ['DBRef', 'dbRef'],
  ['BSONSymbol', 'symbol'],
]);

/** The name that $type has for it. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'double';
  if (typeof value !== 'object') return typeof value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return 'object';
  return NAMES.get(String((value as { _bsontype?: unknown })._bsontype)) ?? 'object';
}
