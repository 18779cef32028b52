import { AppError } from '../../kernel/errors.ts';
import { nearestNames, shown } from '../../kernel/nearest-names.ts';

const MOST_NAMED = 30;

/** What is said of a server that is not among those. */
export function noServer(wanted: string, names: readonly string[], more = ''): AppError {
  const near = nearestNames(wanted, names);
  const known = `${names.slice(0, MOST_NAMED).join(', ') || 'none'}${names.length > MOST_NAMED ? ', …' : ''}`;
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Known: ${known}.`;
  return new AppError('not_found', `There is no server ${shown(wanted)}. ${hint}${more}`);
}
