import { actedFrom } from '../acts/outcome.ts';
import { memberOf } from './expression.ts';
import type { RecentCall } from './recent.ts';

const SHORTEST = 6;
const LONGEST = 2000;
const LONGEST_SOURCE = 1000;
const DEEPEST = 20;
const MOST_VALUES = 20_000;

/** These say how something is, so that two of them are the same by chance. */
const states = /^(?:status|state|type|kind|mode|level|severity|message|result|role|effect|origin)$/i;
const ids = /(?:^|[-_])ids?$|[a-z]I[dD]s?$/;

type Path = readonly (string | number)[];

/** The values in results, to find out where an argument came from. */
export function createResults() {
  const sources = new Map<string | number, string>();
  const choices = new Set<string | number>();
  /** What somebody said himself before a result repeated it. */
  const said = new Set<unknown>();
  let left = MOST_VALUES;

  const isAsked = (value: unknown, name: string): value is string | number =>
    typeof value === 'string' || (typeof value === 'number' && ids.test(name));

  return {
    /** Where a value came from. Numbers count only as ids. */
    sourceOf: (value: unknown, name: string): string | undefined =>
      isAsked(value, name) ? sources.get(value) : undefined,
    /** Whether it is an id that somebody chose from a list of several: the next time another one may have its place. */
    isChoice: (value: unknown, name: string): boolean => isAsked(value, name) && choices.has(value),
    /** The arguments come first: what is in both was not made by the call. */
    add(step: string, given: unknown, { result }: Pick<RecentCall, 'result'>): void {
      visit(given, [], (value) => said.add(value));
      const answer = result && actedFrom({ result });
      if (!answer || !('result' in answer)) return;
      visit(answer.result, [], (value, path, isOneOfSeveral) => {
        if (!isTelling(value, path) || said.has(value) || sources.has(value) || left-- <= 0) return;
        const source = memberOf(`steps.${step}.result`, path);
        if (!isOneOfSeveral && isExpressible(path, source)) sources.set(value, source);
        if (isOneOfSeveral && ids.test(nameIn(path))) choices.add(value);
      });
    },
  };
}

const nameIn = (path: Path): string => path.findLast((key) => typeof key === 'string') ?? '';

function isTelling(value: unknown, path: Path): value is string | number {
  const name = nameIn(path);
  if (typeof value === 'number') return ids.test(name) && Number.isSafeInteger(value);
  if (typeof value !== 'string' || value.length > LONGEST) return false;
  if (ids.test(name)) return value.length > 0;
  return value.length >= SHORTEST && !states.test(name);
}

/** No expression can hold half a character, or be very long. */
const isExpressible = (path: Path, source: string): boolean =>
  source.length <= LONGEST_SOURCE && path.every((key) => typeof key === 'number' || key.isWellFormed());

/** Every value that is not a list or an object. What is deeper is not looked at. */
function visit(
  root: unknown,
  path: Path,
  look: (value: unknown, path: Path, isOneOfSeveral: boolean) => void,
  isOneOfSeveral = false,
): void {
  if (typeof root !== 'object' || root === null) return look(root, path, isOneOfSeveral);
  if (path.length >= DEEPEST) return;
  const isOneOf = isOneOfSeveral || (Array.isArray(root) && root.length > 1);
  const entries = Array.isArray(root) ? root.entries() : Object.entries(root);
  for (const [key, one] of entries) visit(one, [...path, key], look, isOneOf);
}
