import { AppError } from '../../kernel/errors.ts';
import { nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { own } from '../../kernel/own.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { inputProblems } from './input-schema.ts';
import type { Members } from './messages.ts';

const MOST_PROBLEMS = 8;
const LONGEST_DESCRIPTION = 120;

/**
 * The inputs of a run with defaults filled in, in the order of their schemas. Throws an error that names every problem.
 * `begin` is told which input is next. No message quotes a value: it may be a secret.
 */
export function checkInputs(schemas: Members, given: Members, begin: (index: number) => void): Members {
  const known = new Set(schemas.map(([name]) => name));
  const values = new Map(given);
  const strangers = given.filter(([name]) => !known.has(name));
  const problems = strangers.slice(0, MOST_PROBLEMS).map(([name]) => unknown(name, [...known]));
  const checked = schemas.flatMap(([name, schema], index): Members => {
    begin(index);
    if (typeof schema !== 'object' || schema === null) throw unusable(name, 'It is not an object.');
    const described = description(schema as Record<string, unknown>);
    const value = withDefaults(schema, values.has(name) ? values.get(name) : structuredClone(defaultIn(schema)));
    if (value === undefined) {
      problems.push(`${shown(name)} is missing${described}`);
      return [];
    }
    try {
      for (const { path, message } of inputProblems(schema as Record<string, unknown>, value))
        problems.push(`${shown([name, ...path].join('.'))}: ${message}${described}`);
    } catch (error) {
      throw unusable(name, error instanceof Error ? error.message : '');
    }
    return [[name, value]];
  });
  if (problems.length === 0) return checked;
  const all = problems.length + Math.max(0, strangers.length - MOST_PROBLEMS);
  const more = all - MOST_PROBLEMS;
  const words = [
    ...problems.slice(0, MOST_PROBLEMS),
    ...(more > 0 ? [`and ${counted(more, 'more problem')}`] : []),
  ].join('; ');
  throw new AppError('invalid_input', `The inputs do not fit: ${words}${/[.?!]$/.test(words) ? '' : '.'}`);
}

function unknown(name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known, 1);
  const all = known.length === 0 ? 'there are none' : `there are ${someOf(known)}`;
  return `there is no input ${quoted(name)} (${near === undefined ? all : `did you mean ${quoted(near)}?`})`;
}

const unusable = (name: string, why: string): AppError =>
  new AppError('invalid_input', sentences(`The schema of the input ${quoted(name)} cannot be used.`, shown(why, 200)));

function description(schema: Readonly<Record<string, unknown>>): string {
  const text = own(schema, 'description');
  return typeof text === 'string' && text !== '' ? ` (${shown(text, LONGEST_DESCRIPTION)})` : '';
}

const defaultIn = (schema: object): unknown => own(schema as Record<string, unknown>, 'default');

/** The value with the defaults of members that are missing. */
export function withDefaults(schema: unknown, value: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = own(schema as Record<string, unknown>, 'items');
    return value.map((item) => withDefaults(items, item));
  }
  const properties = own(schema as Record<string, unknown>, 'properties');
  if (typeof properties !== 'object' || properties === null) return value;
  const members = new Map(Object.entries(value));
  for (const [name, inner] of Object.entries(properties)) {
    if (members.has(name)) members.set(name, withDefaults(inner, members.get(name)));
    else if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'default'))
      members.set(name, structuredClone(defaultIn(inner)));
  }
  return Object.fromEntries(members);
}
