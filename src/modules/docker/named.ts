import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Allowed } from '../allowed.ts';

/** Networks and volumes: found by name in what Docker lists, so that a caller's text is never part of a path. */
export function findNamed<T extends { readonly Name: string; readonly Id?: string }>(
  all: readonly T[],
  wanted: string,
  { what, allowed, list }: { readonly what: string; readonly allowed: Allowed; readonly list: string },
): T {
  const found =
    all.find(({ Name }) => Name === wanted) ??
    (/^[\da-f]{12,64}$/.test(wanted) ? all.find(({ Id }) => Id?.startsWith(wanted)) : undefined);
  if (found) {
    allowed.need(found.Name);
    return found;
  }
  const near = nearestNames(wanted, all.map(({ Name }) => Name).filter(allowed.has));
  throw new AppError('not_found', `There is no ${what} "${shown(wanted)}". ${didYouMean(near, `${list} shows them.`)}`);
}
