import { bare } from '../../kernel/argument-check.ts';
import { z } from 'zod';
import { inputWords } from '../../kernel/input-words.ts';

export interface InputProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** What is wrong with a value. Throws an error in plain words if the schema cannot be used. */
export function inputProblems(schema: Readonly<Record<string, unknown>>, value: unknown): readonly InputProblem[] {
  const place = keyPrototype(value);
  // The schema library skips this key instead of checking it.
  if (place) return [{ path: place, message: 'a key cannot be called __proto__' }];
  const type = z.fromJSONSchema(checkable(schema) as Readonly<Record<string, unknown>>);
  const checked = type.safeParse(bare(value), { error: inputWords });
  return checked.success ? [] : checked.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
}

/** Keywords that the schema library ignores without one of these types. A pattern that checks nothing would be a trap. */
const needing: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: ['pattern', 'minLength', 'maxLength'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
    object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  }).flatMap(([type, words]) =>
    words.map((word): [string, string[]] => [word, type === 'number' ? [type, 'integer'] : [type]]),
  ),
);

/** Keywords whose keys are names of properties. */
export const naming: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
/** Keywords that hold values instead of schemas. */
export const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required', 'type']);
/** `secret` is ours. Implementations disagree about formats, and the standard says that they are comments. */
const unread: ReadonlySet<string> = new Set(['secret', 'format']);

/** The schema without keywords that are not checked. */
function checkable(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => checkable(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (!names) refuseIgnored(schema as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([word]) => names || !unread.has(word))
      .map(([word, inner]) => {
        if (!names && values.has(word)) return [word, inner];
        return [word, checkable(inner, !names && naming.has(word))];
      }),
  );
}

function refuseIgnored(schema: Readonly<Record<string, unknown>>): void {
  const types = [schema.type].flat();
  for (const word of Object.keys(schema)) {
    const fitting = needing.get(word);
    if (fitting && !types.some((type) => typeof type === 'string' && fitting.includes(type)))
      throw new Error(`${word} needs "type: ${fitting[0]}".`);
  }
}

function keyPrototype(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return path;
  for (const [name, inner] of Object.entries(value)) {
    const found = keyPrototype(inner, [...path, name]);
    if (found) return found;
  }
  return undefined;
}
