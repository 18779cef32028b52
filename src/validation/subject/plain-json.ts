import { pointer } from '../json/json-pointer.ts';
import type { ReadProblem } from './read-problem.ts';

/** Ten thousand large nodes have about a million values. */
const MOST_VALUES = 2_000_000;
/** Copying is slower, and only for broken input. */
const MOST_COPIED = 300_000;
const DEEPEST = 200;
const MOST_PROBLEMS = 20;

/**
 * Any input as a plain JSON tree. Returns a plain tree as it is. Otherwise returns a copy without cycles, accessors,
 * functions and extreme nesting, so that no rule can throw or loop forever while reading it.
 */
export function plainJson(given: unknown): { value: unknown; problems: readonly ReadProblem[] } {
  const nature = natureOf(given);
  if (nature === 'plain') return { value: given, problems: [] };
  if (nature === 'large') return { value: undefined, problems: [{ path: '', message: tooLarge }] };
  const problems: ReadProblem[] = [];
  try {
    return { value: copied(given, problems), problems };
  } catch {
    return { value: undefined, problems: [{ path: '', message: 'This cannot be read. Use plain JSON.' }] };
  }
}

const tooLarge = 'The workflow is too large to check. Split it.';

function natureOf(given: unknown): 'plain' | 'odd' | 'large' {
  let left = MOST_VALUES;
  const open = new Set<object>();
  const visit = (value: unknown): boolean => {
    if (--left < 0) return false;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object' || open.size >= DEEPEST || open.has(value)) return false;
    open.add(value);
    const plain = Array.isArray(value)
      ? isPlainArray(value) && value.every(visit)
      : isPlainObject(value) && Object.keys(value).every((key) => visit((value as Record<string, unknown>)[key]));
    open.delete(value);
    return plain;
  };
  try {
    return visit(given) ? 'plain' : left < 0 ? 'large' : 'odd';
  } catch {
    return 'odd';
  }
}

/** `every` skips holes, so copy an array that has them. */
function isPlainArray(value: readonly unknown[]): boolean {
  return Object.getPrototypeOf(value) === Array.prototype && Object.keys(value).length === value.length;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function copied(given: unknown, problems: ReadProblem[]): unknown {
  let left = MOST_COPIED;
  const open = new Set<object>();
  const place: (string | number)[] = [];
  const refuse = (message: string): undefined => {
    if (problems.length < MOST_PROBLEMS) problems.push({ path: pointer('', ...place), message });
  };
  const within = (key: string | number, read: () => unknown): unknown => {
    if (--left === 0) refuse('The workflow is too large: everything after this was not checked. Split it.');
    if (left <= 0) return undefined;
    place.push(key);
    const value = copy(read);
    place.pop();
    return value;
  };
  const copy = (read: () => unknown): unknown => {
    let value: unknown;
    try {
      value = read();
    } catch {
      return refuse('This cannot be read. Use plain JSON.');
    }
    if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      return Number.isFinite(value) ? value : refuse(`JSON has no number ${value}. Use a finite number.`);
    }
    if (typeof value !== 'object') return refuse(`JSON cannot contain a ${typeof value}. Remove it.`);
    if (open.has(value)) return refuse('This refers to an object that contains it. Remove the cycle.');
    if (open.size >= DEEPEST) return refuse(`This is nested more than ${DEEPEST} levels deep. Flatten it.`);
    open.add(value);
    const result = Array.isArray(value) ? copyOfList(value) : copyOfObject(value as Record<string, unknown>);
    open.delete(value);
    return result;
  };
  const copyOfList = (list: readonly unknown[]): unknown[] => {
    const items: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      if (left <= 0) break;
      items.push(within(index, () => list[index]) ?? null);
    }
    return items;
  };
  const copyOfObject = (object: Record<string, unknown>): Record<string, unknown> => {
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(object)) {
      const value = within(key, () => object[key]);
      if (value !== undefined) entries.push([key, value]);
    }
    // fromEntries defines keys, so __proto__ is a key like any other.
    return Object.fromEntries(entries);
  };
  return copy(() => given);
}
