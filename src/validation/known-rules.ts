import { nearestNames, shown } from '../kernel/nearest-names.ts';
import { rules } from './rules/index.ts';

/** A message about the first unknown rule id: `there is no rule default-nam; did you mean default-name?` */
export function unknownRule(ids: readonly string[]): string | undefined {
  const known = rules.map(({ id }) => id);
  const id = ids.find((one) => !known.includes(one));
  if (id === undefined) return undefined;
  const [near] = nearestNames(id, known, 1);
  return `there is no rule ${shown(id)}${near === undefined ? '; each finding names its rule' : `; did you mean ${near}?`}`;
}
