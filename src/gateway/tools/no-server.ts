import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';

const MOST_NAMED = 30;

/** The error for a server name that does not exist. */
export function noServer(wanted: string, names: readonly string[], more = ''): AppError {
  const hint = didYouMean(nearestNames(wanted, names), `Known: ${someOf(names, MOST_NAMED) || 'none'}.`);
  return new AppError('not_found', `No server ${shown(wanted)}. ${hint}${more}`);
}
