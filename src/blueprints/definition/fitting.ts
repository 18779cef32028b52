import { z } from 'zod';
import { valueAt } from '../../host/config/schema-problems.ts';
import { bare, readableSchema } from '../../kernel/argument-check.ts';
import { inputWords } from '../../kernel/input-words.ts';
import { type Path, pathText } from './finding.ts';
import { isWhole, textsIn } from './texts.ts';

export interface Misfit {
  readonly path: Path;
  readonly message: string;
  /** If it is clear what was meant. */
  readonly fix?: string;
}

type Issue = z.core.$ZodIssue;

/**
 * Where values do not fit a JSON Schema, as far as that is certain before the expressions in them are filled in. A schema
 * with keywords we do not support checks nothing: the tool itself decides.
 */
export function misfits(schema: Readonly<Record<string, unknown>>, value: unknown): Misfit[] {
  let issues: readonly Issue[];
  try {
    const type = z.fromJSONSchema(readableSchema(schema) as Readonly<Record<string, unknown>>);
    issues = type.safeParse(bare(value), { error: inputWords }).error?.issues ?? [];
  } catch {
    return [];
  }
  /** Positions of expressions that may give anything. */
  const anything = new Set<string>();
  /** Positions of texts with expressions in them: nobody knows what they say, but they are texts. */
  const someText = new Set<string>();
  const around = new Set<string>();
  for (const { text, path } of textsIn(value, [])) {
    if (!text.includes('${')) continue;
    (isWhole(text) ? anything : someText).add(pathText(path));
    for (let length = 0; length <= path.length; length++) around.add(pathText(path.slice(0, length)));
  }
  return issues
    .filter((issue) => {
      const path = issue.path as Path;
      const above = path.map((_, index) => pathText(path.slice(0, index + 1)));
      if (above.some((one) => anything.has(one))) return false;
      if (above.some((one) => someText.has(one))) return issue.code === 'invalid_type';
      // An alternative may fit once they are filled in.
      const isJudgedWhole = issue.code === 'invalid_union' || issue.code === 'custom';
      return !isJudgedWhole || !around.has(pathText(path));
    })
    .map((issue) => {
      const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
      const path = issue.path as Path;
      const isUnquoted = issue.code === 'invalid_type' && issue.expected === 'string' && isPlain(valueAt(value, path));
      return {
        path: [...path, ...(key === undefined ? [] : [key])],
        message: issue.message,
        ...(isUnquoted && { fix: 'Put it in quotes.' }),
      };
    });
}

/** YAML reads 5, 1.10 and true as such, where a text was meant. */
const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
