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
  /** What somebody said himself before a result repeated it. */
  const said = new Set<unknown>();
  let left = MOST_VALUES;

  return {
    /** Where a value came from. Numbers count only as ids. */
    sourceOf(value: unknown, name: string): string | undefined {
      if (typeof value === 'string' || (typeof value === 'number' && ids.test(name))) return sources.get(value);
      return undefined;
    },
    /** The arguments come first: what is in both was not made by the call. */
    add(step: string, given: unknown, { result }: Pick<RecentCall, 'result'>): void {
      visit(given, [], (value) => said.add(value));
      const answer = result && actedFrom({ result });
      if (!answer || !('result' in answer)) return;
      visit(answer.result, [], (value, path) => {
        if (!isTelling(value, path) || said.has(value) || sources.has(value)) return;
        const source = memberOf(`steps.${step}.result`, path);
        if (isExpressible(path, source) && left-- > 0) sources.set(value, source);
      });
    },
  };
}

function isTelling(value: unknown, path: Path): value is string | number {
  const name = path.findLast((key) => typeof key === 'string') ?? '';
  if (typeof value === 'number') return ids.test(name) && Number.isSafeInteger(value);
  if (typeof value !== 'string' || value.length > LONGEST) return false;
  if (ids.test(name)) return value.length > 0;
  return value.length >= SHORTEST && !states.test(name);
}

/** No expression can hold half a character, or be very long. */
const isExpressible = (path: Path, source: string): boolean =>
  source.length <= LONGEST_SOURCE && path.every((key) => typeof key === 'number' || key.isWellFormed());

/** Every value that is not a list or an object. What is deeper is not looked at. */
function visit(root: unknown, path: Path, look: (value: unknown, path: Path) => void): void {
  if (typeof root !== 'object' || root === null) return look(root, path);
  if (path.length >= DEEPEST) return;
  if (Array.isArray(root)) for (const [index, one] of root.entries()) visit(one, [...path, index], look);
  else for (const [key, one] of Object.entries(root)) visit(one, [...path, key], look);
}
