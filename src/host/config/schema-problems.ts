import type { z } from 'zod';
import { didYouMean, inQuotes, nearestName } from '../../kernel/nearest-names.ts';
import type { Problem } from './problems.ts';
import { own } from '../../kernel/own.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A problem without its line, which only the file's text can tell. */
export interface Finding extends Omit<Problem, 'path' | 'line'> {
  path: Path;
}

/** Zod's issues, worded for someone who edits the file. */
export function findingsOf(issues: readonly Issue[], schema: z.ZodType, raw: unknown): Finding[] {
  const found = issues.flatMap((issue) => explain(issue, issue.path, schema, raw));
  // A misspelled key is not also reported as missing.
  const misspelt = new Set(
    found.filter(({ meant }) => meant !== undefined).map(({ path }) => path.slice(0, -1).join('.')),
  );
  return found
    .filter(({ path, absence }) => !absence || !misspelt.has(path.join('.')))
    .map(({ path, message, fix }) => ({ path, message, fix }));
}

interface Explained extends Finding {
  /** The known key that was probably meant. */
  meant?: string | undefined;
  /** Whether something is missing in the map at `path`. */
  absence?: boolean;
}

function explain(issue: Issue, path: Path, schema: z.ZodType, raw: unknown): Explained[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], key, knownKeys(schema, path), raw));
    case 'invalid_key': {
      const [inner] = issue.issues;
      return [{ path, message: inner?.message ?? issue.message, fix: fixOf(inner) ?? 'Rename it.' }];
    }
    case 'invalid_union': {
      const branch = issue.errors.find(sawInside);
      if (branch) return branch.flatMap((inner) => explain(inner, [...path, ...inner.path], schema, raw));
      return [{ path, message: issue.message, fix: `Correct this value; ${received(raw, path)} was given.` }];
    }
    case 'invalid_type': {
      const wanted = own(WORDS, issue.expected) ?? issue.expected;
      if (valueAt(raw, path) === undefined) return [{ path, message: 'is missing', fix: `Add it: ${wanted}.` }];
      return [{ path, message: `must be ${wanted}, not ${received(raw, path)}`, fix: `Write ${wanted} here.` }];
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const meant = nearestName(String(valueAt(raw, path)), values);
      return [
        {
          path,
          message: `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`,
          fix: didYouMean(inQuotes([meant]), `Write ${values.length === 1 ? values[0] : 'one of these'}.`),
        },
      ];
    }
    case 'too_small':
    case 'too_big': {
      // A schema may have words of its own.
      if (!issue.message.startsWith('Too ')) return [{ path, message: issue.message, fix: 'Correct this value.' }];
      return [{ path, message: `must be ${rangeOf(issue)}`, fix: `Write ${rangeOf(issue)}.` }];
    }
    default: {
      const absence = issue.code === 'custom' && issue.params?.absence === true;
      return [{ path, message: issue.message, fix: fixOf(issue) ?? 'Correct this value.', absence }];
    }
  }
}

const WORDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of names and values',
};

/** `at least 1`, `a text of at most 40 characters`, `a list with at least 1 entry`. */
function rangeOf(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const { origin } = issue;
  const limit = String(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  if (origin === 'number' || origin === 'int' || origin === 'bigint') {
    const [most, least] = issue.inclusive === false ? ['less than', 'more than'] : ['at most', 'at least'];
    return `${issue.code === 'too_small' ? least : most} ${limit}`;
  }
  const bound = `${issue.code === 'too_small' ? 'at least' : 'at most'} ${limit}`;
  if (origin === 'string') return `a text of ${bound} ${limit === '1' ? 'character' : 'characters'}`;
  return `${own(WORDS, origin) ?? 'a list'} with ${bound} ${limit === '1' ? 'entry' : 'entries'}`;
}

function fixOf(issue: Issue | undefined): string | undefined {
  const fix = issue?.code === 'custom' ? issue.params?.fix : undefined;
  return typeof fix === 'string' ? fix : undefined;
}

// The author meant the alternative that accepted the type of the value.
function sawInside(branch: readonly Issue[]): boolean {
  return branch.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys' || issue.code === 'custom');
}

function received(raw: unknown, path: Path): string {
  const value = valueAt(raw, path);
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return WORDS[typeof value] ?? typeof value;
}

export function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

// Keys that people copy from other tools, where the nearest spelling would mislead.
const ELSEWHERE: Record<string, string> = {
  servers: 'Call it "mcpServers".',
  inputs: 'Remove it. Write ${NAME} where you need a value, and set NAME in the environment or in .env.',
  envFile: 'Move its lines to a .env beside this file and write ${NAME} in env.',
  disabledTools: 'Write tools: { exclude: […] }.',
  excludeTools: 'Write tools: { exclude: […] }.',
  includeTools: 'Write tools: { include: […] }.',
};

function unknownKey(path: Path, key: string, known: string[], raw: unknown): Explained {
  const siblings = Object.keys(valueAt(raw, path.slice(0, -1)) ?? {});
  // A key that is already present was not the one misspelled.
  const meant = nearestName(
    key,
    known.filter((name) => !siblings.includes(name)),
  );
  const fix = own(ELSEWHERE, key) ?? didYouMean(inQuotes([meant]), `Remove it. Known keys: ${known.join(', ')}.`);
  return { path, message: `"${key}" is not a known key`, fix, meant };
}

/** The keys that the schema accepts at a path. */
function knownKeys(schema: z.core.$ZodType, path: Path): string[] {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'optional':
      return knownKeys(def.innerType, path);
    case 'pipe':
      return knownKeys(def.in, path);
    case 'union':
      return def.options.flatMap((option) => knownKeys(option, path));
    case 'array':
      return knownKeys(def.element, path.slice(1));
    case 'record':
      return knownKeys(def.valueType, path.slice(1));
    case 'object': {
      const [key, ...rest] = path;
      if (key === undefined) return Object.keys(def.shape);
      const inner = own(def.shape, String(key));
      return inner ? knownKeys(inner, rest) : [];
    }
    default:
      return [];
  }
}
