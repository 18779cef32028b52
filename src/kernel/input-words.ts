import { z } from 'zod';
import { nearestNames, shown } from './nearest-names.ts';

const MOST_NAMED = 30;
const MISSING = 'is missing';

/** For `safeParse`: says of a key that nobody knows which was meant and which there are, as zod alone does not. */
export const inputWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
    return unknownKeys(issue.keys, known);
  }
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_union');
  return isMissing ? MISSING : undefined;
};

/** What is said of keys that are not among those there are. */
function unknownKeys(keys: readonly string[], known: Iterable<string>): string {
  const all = [...known];
  const near = [...new Set(keys.flatMap((key) => nearestNames(key, all, 1)))].map((name) => `"${name}"`);
  const meant = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  const there = `${all.slice(0, MOST_NAMED).join(', ')}${all.length > MOST_NAMED ? ', …' : ''}`;
  return `${keys.map((key) => `"${shown(key, 40)}"`).join(', ')} unknown.${meant}${all.length > 0 ? ` There are: ${there}` : ''}`;
}

/** One sentence about a call that was not made. */
export function notCalled(tool: string, issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.map(({ path, message }) => {
    const place = path.map(String).join('.');
    if (message === MISSING) return `${place || 'arguments'} ${MISSING}`;
    return place === '' ? message : `${place}: ${message}`;
  });
  const words = problems.join('; ');
  return `${tool} was not called: ${words}${/[.?!]$/.test(words) ? '' : '.'}`;
}
