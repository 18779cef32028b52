import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The one thing that somebody means, by id or by name. Ids win, then the exact name, then the name without regard to case.
 * Throws if there is none, or if several have that name.
 */
export function chosen<T extends Named>(
  all: readonly T[],
  wanted: string,
  { noun, list, also = () => false }: { noun: string; list: string; also?: (one: T) => boolean },
): T {
  const byId = all.find(({ id }) => id === wanted);
  if (byId) return byId;
  const exact = all.filter((one) => one.name === wanted || also(one));
  const folded = wanted.toLowerCase();
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.toLowerCase() === folded);
  if (found.length === 1) return found[0] as T;
  if (found.length > 1) {
    throw new AppError(
      'conflict',
      `${found.length} ${noun}s are called "${shown(wanted)}". Nothing was changed. Use an id: ${someOf(found.map(({ id }) => id))}.`,
    );
  }
  const near = nearestNames(
    wanted,
    all.map(({ name }) => name),
  );
  throw new AppError(
    'not_found',
    `No ${noun} "${shown(wanted)}". ${didYouMean(inQuotes(near), `${list} shows them.`)}`,
  );
}
