import { own } from './own.ts';
import type { Json } from './source.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Corrects arguments to what was meant: `"5"` to `5`, `3` to `"3"` and `"true"` to `true`, if the schema allows only
 * one reading. An object open to any key and value is user data and is not touched.
 */
export function meantBy(schema: Schema): (given: Json) => Json {
  return (given) => objectAs(given, [schema], schema);
}

function read(value: unknown, schema: unknown, root: Schema): unknown {
  const branches = branchesOf(schema, root);
  // Anything is allowed here, so the value is meant as it is.
  if (branches.some((branch) => kindsOf(branch).length === 0)) return value;
  if (Array.isArray(value)) return listAs(value, branches, root);
  if (typeof value === 'object' && value !== null) return objectAs(value as Json, branches, root);
  return scalarAs(value, branches);
}

function scalarAs(value: unknown, branches: readonly Schema[]): unknown {
  const kinds = new Set(branches.flatMap(kindsOf));
  const meant = otherForm(value, kinds);
  if (meant === value) return value;
  // Convert only if the result is one of the allowed values. Otherwise the error lists them.
  const fits = branches.some((branch) => {
    const choice = choiceOf(branch);
    return choice?.includes(meant) ?? kindsOf(branch).some((kind) => isOf(kind, meant));
  });
  return fits ? meant : value;
}

function otherForm(value: unknown, kinds: ReadonlySet<string>): unknown {
  if (typeof value === 'number' && !kinds.has('number') && !kinds.has('integer') && kinds.has('string')) {
    // A larger integer has already lost its last digits.
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : value;
  }
  if (typeof value !== 'string' || kinds.has('string')) return value;
  if (kinds.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (!kinds.has('number') && !kinds.has('integer')) return value;
  const number = Number(value);
  return String(number) === value && Number.isFinite(number) ? number : value;
}

function listAs(value: unknown[], branches: readonly Schema[], root: Schema): unknown[] {
  const lists = branches.filter((branch) => kindsOf(branch).includes('array'));
  const [list] = lists;
  if (lists.length !== 1 || !list) return value;
  const first = Array.isArray(list.prefixItems) ? list.prefixItems : [];
  const meant = value.map((item, index) => read(item, first[index] ?? list.items ?? {}, root));
  return meant.some((item, index) => item !== value[index]) ? meant : value;
}

function objectAs(value: Json, branches: readonly Schema[], root: Schema): Json {
  const objects = branches.filter((branch) => kindsOf(branch).includes('object') && isMarkedAs(value, branch));
  const [object] = objects;
  const others = object?.additionalProperties;
  if (objects.length !== 1 || !object || isOpen(others)) return value;
  const properties = (object.properties ?? {}) as Schema;
  const entries = Object.entries(value);
  const meant = entries.map(([key, inner]) => read(inner, own(properties, key) ?? (others || {}), root));
  if (meant.every((inner, index) => inner === entries[index]?.[1])) return value;
  return Object.fromEntries(entries.map(([key], index) => [key, meant[index]]));
}

/** Whether additional keys may have any value. */
const isOpen = (others: unknown): boolean =>
  others !== false && (typeof others !== 'object' || others === null || Object.keys(others).length === 0);

/** Whether the constants that identify a variant (`op: "add_node"`) match this one. */
function isMarkedAs(value: Json, { properties = {} }: Schema): boolean {
  return Object.entries(properties as Schema).every(([key, schema]) => {
    const mark = typeof schema === 'object' && schema !== null ? (schema as Schema).const : undefined;
    return mark === undefined || own(value, key) === mark;
  });
}

/** The variants of a schema. */
function branchesOf(schema: unknown, root: Schema): Schema[] {
  if (typeof schema !== 'object' || schema === null) return [{}];
  const { $ref, anyOf, oneOf } = schema as Schema;
  if (typeof $ref === 'string')
    return branchesOf(own((root.$defs ?? {}) as Schema, $ref.replace('#/$defs/', '')), root);
  const forms = anyOf ?? oneOf;
  return Array.isArray(forms) ? forms.flatMap((form) => branchesOf(form, root)) : [schema as Schema];
}

function choiceOf({ enum: words, const: word }: Schema): readonly unknown[] | undefined {
  return Array.isArray(words) ? words : word === undefined ? undefined : [word];
}

/** The types a schema allows; empty if it does not say. */
function kindsOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as string[];
  return choiceOf(schema)?.map(kindOf) ?? [];
}

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value);

const isOf = (kind: string, value: unknown): boolean =>
  kind === 'integer' ? Number.isInteger(value) : kind === kindOf(value);
