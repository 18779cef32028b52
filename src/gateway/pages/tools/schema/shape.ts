import { brief, isObject, type Json, own } from './json.ts';
import { limitsOf, onlyRequires, requiredIn } from './limits.ts';
import { merge } from './merge.ts';
import { target } from './refs.ts';

/** A schema as it stands in the document: `true` and `false` are schemas, too, and a server may send anything. */
export type Schema = unknown;

export interface Property {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

export interface Option {
  readonly title: string;
  readonly schema: Schema;
}

interface Facts {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples: readonly unknown[];
  /** Constraints in words. */
  readonly limits: readonly string[];
  /** It may also be null. */
  readonly nullable: boolean;
}

/** How one level of a value is put in. What is inside is a schema again, so that a schema without an end costs nothing. */
export type Shape = Facts &
  (
    | { readonly kind: 'text' }
    | { readonly kind: 'number'; readonly integer: boolean }
    | { readonly kind: 'boolean' }
    | { readonly kind: 'null' }
    | { readonly kind: 'enum'; readonly values: readonly unknown[]; readonly titles: readonly string[] }
    | {
        readonly kind: 'list';
        /** The first items, each of its own kind. */
        readonly first: readonly Schema[];
        /** The items after those; false if there are none. */
        readonly items: Schema;
        readonly most: number;
      }
    | {
        readonly kind: 'object';
        readonly properties: readonly Property[];
        /** The schema of further properties; false if there are none. */
        readonly extra: Schema;
        /** Whether further properties are meant, not just not forbidden. */
        readonly open: boolean;
      }
    | { readonly kind: 'choice'; readonly options: readonly Option[] }
    /** Given as JSON: nothing is known, or it is more than a form can say. */
    | { readonly kind: 'json'; readonly why?: string }
    | { readonly kind: 'never' }
  );

export type ShapeOf = (schema: Schema) => Shape;

/** Reads schemas of one document, each once. */
export function shapesIn(root: Schema): ShapeOf {
  const known = new WeakMap<object, Shape>();
  return (schema) => {
    if (typeof schema !== 'object' || schema === null) return shapeOf(root, schema);
    let shape = known.get(schema);
    if (!shape) known.set(schema, (shape = shapeOf(root, schema)));
    return shape;
  };
}

/** What no value fits. */
const never: Json = { not: {} };
const nothing = { examples: [], limits: [], nullable: false };
/** Parts may refer to parts that refer to parts, each twice: that is more than anybody means, and would take for ever. */
const MOST_PARTS = 500;

/** Follows references and merges parts until the keywords of this level are together. */
function flattened(root: Schema, schema: Json, followed = new Set<unknown>(), read = { parts: 0 }): Json | string {
  if (followed.has(schema)) return 'it refers to itself';
  if (++read.parts > MOST_PARTS) return 'it has too many parts';
  followed.add(schema);
  const { $ref: reference, allOf: parts, ...rest } = schema;
  let all: Json = rest;
  const below: unknown[] = [];
  if (Object.hasOwn(schema, '$ref')) {
    const found = typeof reference === 'string' ? target(root, reference) : undefined;
    if (found === undefined) return `it refers to ${brief(reference)}, which is not in the schema`;
    below.push(found);
  }
  if (Array.isArray(parts)) below.push(...parts);
  // What stands beside a reference is nearer to the reader, so it comes last.
  let base: Json = {};
  for (const part of below) {
    if (part === false) return never;
    if (!isObject(part)) continue;
    const flat = flattened(root, part, followed, read);
    if (typeof flat === 'string' || flat === never) return flat;
    base = merge(base, flat);
  }
  if (below.length > 0) all = merge(base, all);
  followed.delete(schema);
  return all;
}

function shapeOf(root: Schema, schema: Schema): Shape {
  if (schema === false) return { ...nothing, kind: 'never' };
  if (!isObject(schema)) return { ...nothing, kind: 'json' };
  const flat = flattened(root, schema);
  if (typeof flat === 'string') return { ...nothing, ...factsOf(schema), kind: 'json', why: flat };
  if (flat === never) return { ...nothing, kind: 'never' };
  return kindOf(root, flat);
}

function factsOf(schema: Json): Facts {
  const [title, description] = [own(schema, 'title'), own(schema, 'description')];
  const examples = own(schema, 'examples');
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(Object.hasOwn(schema, 'default') && { default: schema.default }),
    examples: Array.isArray(examples) ? examples.slice(0, 5) : [],
    limits: limitsOf(schema),
    nullable: own(schema, 'nullable') === true,
  };
}

function kindOf(root: Schema, schema: Json): Shape {
  const facts = factsOf(schema);
  if (Object.hasOwn(schema, 'const')) {
    return { ...facts, kind: 'enum', values: [schema.const], titles: [brief(schema.const)] };
  }
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return { ...facts, kind: 'enum', values, titles: titlesOf(schema, values) };
  const branched = branches(root, schema, facts);
  if (branched) return branched;
  const given = own(schema, 'type') ?? implied(schema);
  const types = (Array.isArray(given) ? given : [given]).filter((type) => typeof type === 'string');
  const others = types.filter((type) => type !== 'null');
  const nullable = facts.nullable || (others.length < types.length && others.length > 0);
  if (others.length > 1) {
    const options = others.map((type) => ({ title: type, schema: { ...schema, type, title: undefined } }));
    return { ...facts, nullable, kind: 'choice', options };
  }
  return { ...facts, nullable, ...ofType(others[0] ?? types[0], schema) };
}

const implied = (schema: Json): string | undefined =>
  ['properties', 'additionalProperties', 'patternProperties', 'required'].some((name) => Object.hasOwn(schema, name))
    ? 'object'
    : ['items', 'prefixItems'].some((name) => Object.hasOwn(schema, name))
      ? 'array'
      : undefined;

type Kind = Shape extends infer S ? (S extends Facts ? Omit<S, keyof Facts> : never) : never;

function ofType(type: string | undefined, schema: Json): Kind {
  if (type === 'string') return { kind: 'text' };
  if (type === 'number' || type === 'integer') return { kind: 'number', integer: type === 'integer' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'null') return { kind: 'null' };
  if (type === 'array') return listOf(schema);
  if (type === 'object') return objectOf(schema);
  return type === undefined ? { kind: 'json' } : { kind: 'json', why: `its type ${brief(type)} is unknown` };
}

function listOf(schema: Json): Kind {
  const [prefix, items] = [own(schema, 'prefixItems'), own(schema, 'items')];
  const most = own(schema, 'maxItems');
  const limit = typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
  // Before 2020, `items` was the list of the first ones.
  if (Array.isArray(items))
    return { kind: 'list', first: items, items: own(schema, 'additionalItems') ?? true, most: limit };
  return { kind: 'list', first: Array.isArray(prefix) ? prefix : [], items: items ?? true, most: limit };
}

function objectOf(schema: Json): Kind {
  const given = own(schema, 'properties');
  const declared = isObject(given) ? Object.entries(given) : [];
  const required = requiredIn(schema);
  const names = new Set(declared.map(([name]) => name));
  const properties = [
    ...declared.map(([name, one]) => ({ name, schema: one, required: required.includes(name) })),
    // A property may be required and described nowhere.
    ...[...new Set(required)]
      .filter((name) => !names.has(name))
      .map((name) => ({ name, schema: true, required: true })),
  ];
  const patterns = own(schema, 'patternProperties');
  const byPattern = isObject(patterns) ? Object.values(patterns) : [];
  const further = own(schema, 'additionalProperties');
  const extra = byPattern.length > 0 ? (byPattern.length === 1 ? byPattern[0] : true) : (further ?? true);
  const open = byPattern.length > 0 || (further !== undefined && further !== false) || properties.length === 0;
  return { kind: 'object', properties, extra, open: open && extra !== false };
}

/** `anyOf` and `oneOf`: one of several kinds. */
function branches(root: Schema, schema: Json, facts: Facts): Shape | undefined {
  const keyword = Array.isArray(own(schema, 'anyOf')) ? 'anyOf' : 'oneOf';
  const list = own(schema, keyword);
  if (!Array.isArray(list) || list.every(onlyRequires)) return undefined;
  const constants = list.map((branch) => (isObject(branch) && Object.hasOwn(branch, 'const') ? branch : undefined));
  if (constants.every((branch) => branch !== undefined)) {
    const titles = constants.map((branch) => titled(branch) ?? brief(branch.const));
    return { ...facts, kind: 'enum', values: constants.map((branch) => branch.const), titles };
  }
  const { [keyword]: _, title: _title, description: _description, default: _default, ...base } = schema;
  const isPlain = Object.keys(base).every((name) => name.startsWith('$') || name === 'definitions');
  const inside = list.map((branch) => (isPlain || !isObject(branch) ? branch : { allOf: [base, branch] }));
  const isNull = (branch: unknown) => isObject(branch) && own(branch, 'type') === 'null';
  const others = inside.filter((_branch, at) => !isNull(list[at]));
  const nullable = facts.nullable || (others.length < inside.length && others.length > 0);
  if (others.length === 1) {
    const only = isObject(others[0]) ? flattened(root, others[0]) : undefined;
    if (isObject(only)) {
      // What stands outside says more about this place than the branch does.
      const outer = Object.fromEntries(
        Object.entries(schema).filter(([name]) => ['title', 'description', 'default', 'examples'].includes(name)),
      );
      const { anyOf: again, oneOf: others_, ...plain } = merge(only, outer);
      if (again === undefined && others_ === undefined) return { ...kindOf(root, plain), nullable };
    }
  }
  const options = (others.length > 0 ? others : inside).map((branch, at) => ({
    title: optionTitle(root, branch, at),
    schema: branch,
  }));
  return { ...facts, nullable, kind: 'choice', options };
}

function optionTitle(root: Schema, branch: Schema, at: number): string {
  const fallback = `Form ${at + 1}`;
  if (!isObject(branch)) return branch === true ? 'anything' : fallback;
  const flat = flattened(root, branch);
  if (typeof flat === 'string') return titled(branch) ?? fallback;
  const type = own(flat, 'type') ?? implied(flat);
  return (
    titled(branch) ?? titled(flat) ?? constantIn(flat) ?? (typeof type === 'string' ? wordFor(type, flat) : fallback)
  );
}

const titled = (schema: Json): string | undefined => {
  const title = own(schema, 'title');
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
};

/** Many unions tell their members apart by a constant: `kind: "file"`. */
function constantIn(schema: Json): string | undefined {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return Object.hasOwn(schema, 'const') ? brief(schema.const) : undefined;
  for (const [name, one] of Object.entries(properties))
    if (isObject(one) && Object.hasOwn(one, 'const')) return `${name}: ${brief(one.const)}`;
  return undefined;
}

function wordFor(type: string, schema: Json): string {
  if (type === 'object') {
    const names = requiredIn(schema);
    return names.length > 0 ? `object with ${names.slice(0, 3).join(', ')}` : 'object';
  }
  if (type !== 'array') return type === 'string' ? 'text' : type;
  const items = own(schema, 'items');
  const inner = isObject(items) ? own(items, 'type') : undefined;
  return typeof inner === 'string' ? `list of ${inner}` : 'list';
}

function titlesOf(schema: Json, values: readonly unknown[]): string[] {
  const names = own(schema, 'enumNames');
  return values.map((value, at) =>
    Array.isArray(names) && typeof names[at] === 'string' ? names[at] : value === '' ? '(empty text)' : brief(value),
  );
}
