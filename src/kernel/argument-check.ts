import { z } from 'zod';
import { AppError } from './errors.ts';
import { inputWords, notCalled } from './input-words.ts';

/** Throws what is wrong with the arguments of a call. */
export type ArgumentCheck = (tool: string, given: unknown) => void;

const MOST_PROBLEMS = 8;

/**
 * Checks arguments against the schema a tool is listed with, so that what cannot go well is not begun. A schema that
 * uses words we do not know checks nothing: who runs the tool knows best.
 */
export function argumentCheck(schema: Readonly<Record<string, unknown>>): ArgumentCheck {
  let type: z.ZodType | undefined;
  let unreadable = false;
  return (tool, given) => {
    // Built at the first call: most tools of a long list are never called.
    if (!type && !unreadable) {
      try {
        type = z.fromJSONSchema(readable(schema) as Readonly<Record<string, unknown>>);
      } catch {
        unreadable = true;
      }
    }
    const checked = type?.safeParse(bare(given ?? {}), { error: inputWords });
    if (!checked || checked.success) return;
    throw new AppError('invalid_input', notCalled(tool, checked.error.issues.slice(0, MOST_PROBLEMS)));
  };
}

/** Without what every object has from its kind: a property that is called `constructor` is missing when nobody gave it. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = bare(inner);
  return copy;
}

/** Words below which the keys are names of somebody's choice. */
const naming: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
/** Words that hold values, not schemas. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** A format everybody reads otherwise, and a pattern may be one that never ends: who runs the tool says what will do. */
const unread: readonly string[] = ['format', 'pattern', 'patternProperties'];

/** The schema without those words. */
function readable(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => readable(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const open = !names && Object.hasOwn(schema, 'patternProperties') ? [...unread, 'additionalProperties'] : unread;
  const kept = Object.entries(schema).filter(([word]) => names || !open.includes(word));
  return Object.fromEntries(
    kept.map(([word, inner]) => {
      if (!names && values.has(word)) return [word, inner];
      return [word, readable(inner, !names && naming.has(word))];
    }),
  );
}
