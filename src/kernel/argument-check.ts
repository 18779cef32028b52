import { z } from 'zod';
import { AppError } from './errors.ts';

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
        type = z.fromJSONSchema(withoutFormats(schema) as Readonly<Record<string, unknown>>);
      } catch {
        unreadable = true;
      }
    }
    const checked = type?.safeParse(bare(given ?? {}));
    if (!checked || checked.success) return;
    const problems = checked.error.issues.slice(0, MOST_PROBLEMS).map(wordsOf);
    throw new AppError('invalid_input', `${tool} was not called: ${problems.join('; ')}.`);
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
const naming: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Words that hold values, not schemas. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** A format tells what is meant, and everybody reads it otherwise: who runs the tool says what will do. */
function withoutFormats(schema: unknown, names = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutFormats(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([word]) => names || word !== 'format');
  return Object.fromEntries(
    kept.map(([word, inner]) => {
      if (!names && values.has(word)) return [word, inner];
      return [word, withoutFormats(inner, !names && naming.has(word))];
    }),
  );
}

function wordsOf({ path, message }: z.core.$ZodIssue): string {
  const place = path.map(String).join('.') || 'arguments';
  return message.endsWith('received undefined') ? `${place} is missing` : `${place}: ${message}`;
}
