import { z } from 'zod';
import { didYouMean, inQuotes, nearestNames, sentences, shown } from './nearest-names.ts';
import { someOf } from './some-of.ts';

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
  const near = [...new Set(keys.flatMap((key) => nearestNames(key, all, 1)))];
  const unknown = `${keys.map((key) => `"${shown(key, 40)}"`).join(', ')} unknown.`;
  return sentences(unknown, didYouMean(inQuotes(near)), all.length > 0 ? `There are: ${someOf(all, MOST_NAMED)}` : '');
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
