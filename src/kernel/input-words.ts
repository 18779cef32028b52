import { z } from 'zod';
import { didYouMean, inQuotes, nearestNames, sentences, shown } from './nearest-names.ts';
import { someOf } from './some-of.ts';

const MOST_NAMED = 30;
const MISSING = 'is missing';

/** For `safeParse`: names the known keys, and the one probably meant, when a key is unknown. */
export const inputWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
    return unknownKeys(issue.keys, known);
  }
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_union');
  return isMissing ? MISSING : undefined;
};

/** `unknown key "limt". Did you mean "limit"? Known keys: id, limit`, without a full stop: more may follow. */
export const unknownKeys = (keys: readonly string[], known: readonly string[]): string =>
  sentences(
    `unknown key${keys.length === 1 ? '' : 's'} ${inQuotes(keys.map((key) => shown(key, 40))).join(', ')}.`,
    knownKeys(keys, known),
  );

/** The second half of `unknownKeys`, for a message that already names the key. */
export function knownKeys(keys: readonly string[], known: readonly string[]): string {
  const near = new Set(keys.flatMap((key) => nearestNames(key, known, 1)));
  const all = known.length === 0 ? '' : `Known keys: ${someOf(known, MOST_NAMED)}`;
  return sentences(didYouMean(inQuotes([...near])), all);
}

/** One sentence about a call with invalid arguments. */
export function notCalled(tool: string, issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.map(({ path, message }) => {
    const place = path.map(String).join('.');
    if (message === MISSING) return `${place || 'arguments'} ${MISSING}`;
    return place === '' ? message : `${place}: ${message}`;
  });
  const words = problems.join('; ');
  return `${tool} was not called: ${words}${/[.?!]$/.test(words) ? '' : '.'}`;
}
