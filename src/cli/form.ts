import type { Json } from '../kernel/source.ts';
import { isObject } from '../wire/jsonrpc.ts';
import { firstLine } from './table.ts';

/** One question of a form that a tool wants filled in. */
export interface Field {
  readonly key: string;
  readonly question: string;
  readonly required: boolean;
  /** The value of an empty line. */
  readonly fallback: unknown;
  /** The value of a line of input, or what is wrong with it. */
  read(text: string): { value: unknown } | { problem: string };
}

/** The fields of an elicitation's schema: texts, numbers, yes or no, and choices. */
export function fieldsOf(schema: unknown): Field[] {
  const { properties, required } = isObject(schema) ? schema : {};
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([key, given]) => {
    const property: Json = isObject(given) ? given : {};
    const choices = choicesOf(property);
    const hint = hintFor(property, choices);
    const fallback = property.default;
    const shown = fallback === undefined ? '' : ` [${show(fallback)}]`;
    const title = firstLine(typeof property.title === 'string' ? property.title : key);
    const about = typeof property.description === 'string' ? ` – ${firstLine(property.description)}` : '';
    return {
      key,
      question: `${title}${about}${hint === '' ? '' : ` (${hint})`}${shown}: `,
      required: needed.includes(key),
      fallback,
      read: (text) =>
        text === '' && fallback !== undefined ? { value: fallback } : read(text, property, choices, hint),
    };
  });
}

function read(text: string, property: Json, choices: Choice[], hint: string): ReturnType<Field['read']> {
  if (property.type === 'array') {
    const picked = text.split(',').map((part) => choose(part.trim(), choices));
    return picked.includes(undefined) ? { problem: `Write some of: ${hint}` } : { value: picked };
  }
  if (choices.length > 0) {
    const picked = choose(text, choices);
    return picked === undefined ? { problem: `Write one of: ${hint}` } : { value: picked };
  }
  if (property.type === 'boolean') {
    if (/^(y|yes|true)$/i.test(text)) return { value: true };
    return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: 'Write yes or no.' };
  }
  if (property.type === 'number' || property.type === 'integer') {
    const value = Number(text);
    const fits = text !== '' && Number.isFinite(value) && (property.type === 'number' || Number.isInteger(value));
    return fits ? { value } : { problem: `Write ${property.type === 'integer' ? 'a whole number' : 'a number'}.` };
  }
  return { value: text };
}

interface Choice {
  value: string;
  title: string;
}

/** Choices as every version of the protocol writes them: enum, enumNames, and titled constants. */
function choicesOf(property: Json): Choice[] {
  const source = isObject(property.items) ? property.items : property;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray) as unknown[] | undefined;
  if (titled) {
    return titled.filter(isObject).map((option) => ({
      value: String(option.const),
      title: typeof option.title === 'string' ? option.title : String(option.const),
    }));
  }
  if (!Array.isArray(source.enum)) return [];
  const names: unknown[] = Array.isArray(source.enumNames) ? source.enumNames : [];
  return source.enum.map((value, index) => ({ value: String(value), title: String(names[index] ?? value) }));
}

function choose(text: string, choices: readonly Choice[]): string | undefined {
  const wanted = text.toLowerCase();
  return choices.find(({ value, title }) => wanted === value.toLowerCase() || wanted === title.toLowerCase())?.value;
}

function hintFor({ type, format }: Json, choices: readonly Choice[]): string {
  if (choices.length > 0) return firstLine(choices.map(({ title }) => title).join(', '));
  if (type === 'boolean') return 'yes or no';
  if (type === 'number' || type === 'integer') return 'a number';
  return typeof format === 'string' ? format : '';
}

function show(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(',') : String(value);
}
