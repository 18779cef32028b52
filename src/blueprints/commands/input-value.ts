import { UsageError } from '../../cli/frame.ts';
import type { Json } from '../../kernel/source.ts';

type Read = { readonly value: unknown } | { readonly problem: string };

/** The value of `--input name=text`, read as the type that the input has. */
export function inputValue(name: string, text: string, schema: Json | undefined): unknown {
  const types = typesOf(schema);
  const read = types.length === 0 ? untyped(text) : typed(text, types, schema ?? {});
  if ('value' in read) return read.value;
  throw new UsageError(`the input ${name} must be ${read.problem}`);
}

function typesOf(schema: Json | undefined): readonly string[] {
  const { type } = schema ?? {};
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
}

/** Nothing says what it is: JSON, or else a text. */
function untyped(text: string): Read {
  return parsed(text) ?? { value: text };
}

function typed(text: string, types: readonly string[], schema: Json): Read {
  const problems: string[] = [];
  // A text fits everything, so it comes last.
  for (const type of types.toSorted((a, b) => Number(a === 'string') - Number(b === 'string'))) {
    const read = readers.get(type)?.(text, schema) ?? untyped(text);
    if ('value' in read) return read;
    problems.push(read.problem);
  }
  return { problem: problems.join(' or ') };
}

const readers: ReadonlyMap<string, (text: string, schema: Json) => Read> = new Map([
  ['string', (text) => ({ value: text })],
  ['null', (text) => (text === 'null' ? { value: null } : { problem: 'null' })],
  ['boolean', (text) => (/^(?:true|false)$/.test(text) ? { value: text === 'true' } : { problem: 'true or false' })],
  ['number', (text) => numberIn(text, false)],
  ['integer', (text) => numberIn(text, true)],
  ['array', listIn],
  [
    'object',
    (text) => {
      const read = parsed(text);
      const isMap = typeof read?.value === 'object' && read.value !== null && !Array.isArray(read.value);
      return isMap ? read : { problem: 'an object as JSON, for example {"a": 1}' };
    },
  ],
]);

function numberIn(text: string, isWhole: boolean): Read {
  const value = Number(text);
  const fits = text.trim() !== '' && Number.isFinite(value) && (!isWhole || Number.isInteger(value));
  return fits ? { value } : { problem: isWhole ? 'a whole number' : 'a number' };
}

/** JSON, or texts with commas between them. */
function listIn(text: string, { items }: Json): Read {
  const read = parsed(text);
  if (Array.isArray(read?.value)) return read;
  const schema = typeof items === 'object' && items !== null ? (items as Json) : {};
  const ofItems = typesOf(schema);
  const isSimple = ofItems.every((type) => type !== 'array' && type !== 'object');
  if (!isSimple || text.trimStart().startsWith('[')) return { problem: 'a list as JSON, for example ["a", "b"]' };
  if (text.trim() === '') return { value: [] };
  const all = text
    .split(',')
    .map((part) => (ofItems.length === 0 ? { value: part.trim() } : typed(part.trim(), ofItems, schema)));
  const wrong = all.find((one) => 'problem' in one);
  return wrong
    ? { problem: `a list, each ${wrong.problem}` }
    : { value: all.map((one) => 'value' in one && one.value) };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
