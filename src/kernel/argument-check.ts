import { z } from 'zod';
import { AppError } from './errors.ts';
import { inputWords, notCalled } from './input-words.ts';

/** Throws if the arguments of a call are invalid. */
export type ArgumentCheck = (tool: string, given: unknown) => void;

const MOST_PROBLEMS = 8;

/**
 * Checks arguments against the listed schema of a tool, so that a call that must fail is not started. A schema with
 * keywords we do not support checks nothing: the tool itself decides.
 */
export function argumentCheck(schema: Readonly<Record<string, unknown>>): ArgumentCheck {
  let type: z.ZodType | undefined;
  let unreadable = false;
  return (tool, given) => {
    // Built at the first call: most tools are never called.
    if (!type && !unreadable) {
      try {
        type = z.fromJSONSchema(readableSchema(schema) as Readonly<Record<string, unknown>>);
      } catch {
        unreadable = true;
      }
    }
    const checked = type?.safeParse(bare(given ?? {}), { error: inputWords });
    if (!checked || checked.success) return;
    throw new AppError('invalid_input', notCalled(tool, checked.error.issues.slice(0, MOST_PROBLEMS)));
  };
}

/** Copies without prototypes: otherwise a missing property named `constructor` would seem to be present. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = bare(inner);
  return copy;
}

/** Keywords whose keys are property names. */
const naming: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
/** Keywords that hold values instead of schemas. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** Ignored keywords: implementations disagree about formats, and a pattern may backtrack forever. The tool decides. */
const unread: readonly string[] = ['format', 'pattern', 'patternProperties'];

/** The schema without the ignored keywords. */
export function readableSchema(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => readableSchema(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const open = !names && Object.hasOwn(schema, 'patternProperties') ? [...unread, 'additionalProperties'] : unread;
  const kept = Object.entries(schema).filter(([word]) => names || !open.includes(word));
  return Object.fromEntries(
    kept.map(([word, inner]) => {
      if (!names && values.has(word)) return [word, inner];
      return [word, readableSchema(inner, !names && naming.has(word))];
    }),
  );
}
