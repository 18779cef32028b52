import { shapesIn } from '../../gateway/pages/tools/schema/shape.ts';
import type { Input, Schema } from './shapes.ts';

/** How a value is asked for. */
export type Kind = 'text' | 'long' | 'secret' | 'number' | 'integer' | 'yes-no' | 'choice' | 'texts' | 'form' | 'json';

/** What somebody has typed, by input. */
export type Typed = Readonly<Record<string, string>>;

export function kindOf({ schema, secret }: Pick<Input, 'schema' | 'secret'>): Kind {
  const { type } = schema;
  if (choicesOf(schema).length > 0 && !secret) return 'choice';
  if (type === 'string') return secret ? 'secret' : isLong(schema) ? 'long' : 'text';
  if (type === 'integer' || type === 'number') return secret ? 'secret' : type;
  if (type === 'boolean') return 'yes-no';
  if (type === 'array' && isObject(schema.items) && schema.items.type === 'string' && !schema.items.enum)
    return secret ? 'json' : 'texts';
  return !secret && hasParts(schema) ? 'form' : 'json';
}

/** Whether the schema says enough to ask for each part. */
function hasParts(schema: Schema): boolean {
  const shape = shapesIn(schema)(schema);
  if (shape.kind === 'object') return shape.properties.length > 0;
  return shape.kind === 'choice' || shape.kind === 'enum' || (shape.kind === 'list' && isObject(schema.items));
}

const isLong = ({ maxLength }: Schema): boolean => typeof maxLength === 'number' && maxLength > 1000;

/** Only texts and numbers can be chosen from a list. */
export const choicesOf = ({ enum: all }: Schema): readonly string[] =>
  Array.isArray(all) && all.every((one) => typeof one === 'string' || typeof one === 'number') ? all.map(String) : [];

/** The text of a default, as it would be typed. */
export function defaultText({ schema, secret }: Pick<Input, 'schema' | 'secret'>): string {
  const value = schema.default;
  if (value === undefined || secret) return '';
  switch (kindOf({ schema, secret })) {
    case 'texts':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'json':
    case 'form':
      return JSON.stringify(value, null, 2);
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  }
}

export interface Read {
  readonly values: Readonly<Record<string, unknown>>;
  /** What is wrong, by input. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The inputs to send. What is left empty is not sent, so that its default counts. */
export function readInputs(inputs: readonly Input[], typed: Typed): Read {
  const values: [string, unknown][] = [];
  const problems = new Map<string, string>();
  for (const input of inputs) {
    const text = Object.hasOwn(typed, input.name) ? (typed[input.name] ?? '') : defaultText(input);
    const kind = kindOf(input);
    if (text === '' || (text.trim() === '' && kind !== 'text' && kind !== 'long')) {
      if (!input.required) continue;
      // An empty text is a text; nothing else can be empty.
      if (kind === 'text' || kind === 'long') values.push([input.name, '']);
      else problems.set(input.name, 'A value is needed.');
      continue;
    }
    const read = valueOf(kind, text, input.schema);
    if ('problem' in read) problems.set(input.name, read.problem);
    else values.push([input.name, read.value]);
  }
  return { values: Object.fromEntries(values), problems };
}

function valueOf(kind: Kind, text: string, schema: Schema): { value: unknown } | { problem: string } {
  switch (kind) {
    case 'number':
    case 'integer':
      return numberIn(text, kind === 'integer');
    case 'secret':
      return schema.type === 'string' ? { value: text } : numberIn(text, schema.type === 'integer');
    case 'yes-no':
      return { value: text === 'true' };
    case 'choice':
      return { value: (schema.enum as unknown[]).find((one) => String(one) === text) };
    case 'texts':
      return { value: text.split('\n').filter((line) => line.trim() !== '') };
    case 'json':
    case 'form':
      try {
        return { value: JSON.parse(text) as unknown };
      } catch (error) {
        return { problem: `This is not JSON: ${(error as Error).message}` };
      }
    default:
      return { value: text };
  }
}

function numberIn(text: string, isWhole: boolean): { value: number } | { problem: string } {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'This is not a number.' };
  return isWhole && !Number.isInteger(value) ? { problem: 'A whole number is needed.' } : { value };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
