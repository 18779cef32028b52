import { didYouMean, nearestNames, sentences, shown } from '../kernel/nearest-names.ts';
import { rules } from './rules/index.ts';

/** A message about the first unknown rule id: `there is no rule default-nam. Did you mean default-name?` */
export function unknownRule(ids: readonly string[]): string | undefined {
  const known = rules.map(({ id }) => id);
  const id = ids.find((one) => !known.includes(one));
  if (id === undefined) return undefined;
  return sentences(
    `there is no rule ${shown(id)}.`,
    didYouMean(nearestNames(id, known, 1), 'Each finding names its rule.'),
  );
}
