import { isDeepStrictEqual } from 'node:util';
import { own } from './own.ts';
import type { Json } from './source.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The required properties with their types: enough for a list. The whole schema is shown on demand. */
export function outlineOf(schema: Schema): Json {
  const outlined = Object.entries(propertiesOf(schema))
    .filter(([name]) => isRequired(schema, name))
    .map(([name, { type }]) => [name, type === undefined ? {} : { type }] as const);
  return { type: 'object', properties: Object.fromEntries(outlined) };
}

/** The schema down to this many levels of keys. What lies below is visible in the data. */
export function downTo(levels: number, schema: Schema): Json {
  const { properties, required, items, ...rest } = schema;
  const inner = isSchema(items) && { items: downTo(levels, items) };
  if (!isSchema(properties)) return { ...rest, ...inner };
  if (levels === 0) return rest;
  const kept = Object.entries(properties as Record<string, Schema>).map(
    ([name, value]) => [name, downTo(levels - 1, value)] as const,
  );
  return { ...rest, properties: Object.fromEntries(kept), ...(required !== undefined && { required }), ...inner };
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/**
 * Merges a union of objects that one word distinguishes into one object. Each property appears once, and the
 * description of the word lists the properties of each variant: `rename_node {node, to}`. It takes a third of the
 * space, and clients that do not support `oneOf` understand it too.
 */
export function asOneObject(schema: Json): Json {
  const forms = formsOf(schema);
  const mark = forms && markOf(forms);
  if (!forms || mark === undefined) return schema;
  const { oneOf: _, anyOf: __, ...rest } = schema;
  const lines = Map.groupBy(forms, (form) => {
    const others = Object.keys(propertiesOf(form)).filter((name) => name !== mark);
    return `{${others.map((name) => (isRequired(form, name) ? name : `${name}?`)).join(', ')}}`;
  });
  const said = [...lines].map(([takes, those]) => `${those.map((form) => constOf(form, mark)).join(', ')} ${takes}`);
  const names = new Set(forms.flatMap((form) => Object.keys(propertiesOf(form))));
  names.delete(mark);
  const shared = [...names].map((name) => {
    const given = forms.flatMap((form) => {
      const property = own(propertiesOf(form), name);
      return property ? [{ word: String(constOf(form, mark)), property }] : [];
    });
    return [name, unionOf(given)] as const;
  });
  const word = { type: 'string', enum: forms.map((form) => constOf(form, mark)), description: said.join('; ') };
  const required = [...names].filter((name) => forms.every((form) => isRequired(form, name)));
  return {
    ...rest,
    type: 'object',
    properties: { [mark]: word, ...Object.fromEntries(shared) },
    required: [mark, ...required],
    additionalProperties: false,
  };
}

const propertiesOf = ({ properties }: Schema) => (properties ?? {}) as Record<string, Schema>;
const isRequired = ({ required }: Schema, name: string) => Array.isArray(required) && required.includes(name);
const constOf = (form: Schema, name: string) => own(propertiesOf(form), name)?.const;

function formsOf({ oneOf, anyOf }: Schema): Schema[] | undefined {
  const forms = oneOf ?? anyOf;
  if (!Array.isArray(forms) || forms.length < 2) return undefined;
  return forms.every((form: Schema) => form.type === 'object' && form.additionalProperties === false)
    ? (forms as Schema[])
    : undefined;
}

/** The property whose constant differs in each variant. */
function markOf(forms: readonly Schema[]): string | undefined {
  const [first = {}] = forms;
  return Object.keys(propertiesOf(first)).find((name) => {
    const words = forms.map((form) => constOf(form, name));
    return words.every((word) => typeof word === 'string') && new Set(words).size === forms.length;
  });
}

/** A description shared by more variants than this is the general case. */
const MOST_WORDS = 5;

/** The union of these properties. Different descriptions are each prefixed with their variants. */
function unionOf(given: readonly { word: string; property: Schema }[]): Schema {
  const kinds: Schema[] = [];
  for (const { property } of given) {
    const { description: _, ...schema } = property;
    if (!kinds.some((kind) => isDeepStrictEqual(kind, schema))) kinds.push(schema);
  }
  const texts = Map.groupBy(given, ({ property }) => property.description);
  texts.delete(undefined);
  const said = [...texts].map(([text, those]) => {
    if (texts.size === 1) return text;
    const words = those.length > MOST_WORDS ? 'otherwise' : those.map(({ word }) => word).join(', ');
    return `${words}: ${String(text)}`;
  });
  const description = said.length > 0 && { description: said.join('; ') };
  const [only] = kinds;
  if (kinds.length === 1) return { ...only, ...description };
  // The same type with different bounds: drop the bounds and let the tool check them.
  const [first, ...others] = kinds.map(unbounded);
  return others.every((other) => isDeepStrictEqual(other, first))
    ? { ...first, ...description }
    : { anyOf: kinds, ...description };
}

const bounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']);

const unbounded = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([word]) => !bounds.has(word)));
