import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { NodeDescription, Property } from '../description.ts';
import { choicesOf, type Placed, walk } from '../details/walk.ts';
import { optionSource } from './source.ts';

/** A path without list indexes: `filters.conditions[0].keyName` becomes `filters.conditions.keyName`. */
const plainPath = (path: string): string =>
  path
    .trim()
    .replace(/^parameters\./, '')
    .replaceAll(/\[\d*\]/g, '');

/**
 * Finds the parameter at a path. If several share a name, the one that is shown wins. The last name is enough if it is
 * unambiguous.
 */
export function findProperty(
  description: NodeDescription,
  path: string,
  { shows }: Pick<Configuration, 'shows'>,
): Placed {
  const wanted = plainPath(path);
  const all = [...walk(description.properties)];
  const whole = all.filter((one) => plainPath(one.path) === wanted);
  const meant =
    whole.length > 0
      ? whole
      : all.filter((one) => hasChoices(one.property) && plainPath(one.path).endsWith(`.${wanted}`));
  const paths = new Set(meant.map((one) => plainPath(one.path)));
  if (paths.size > 1) {
    throw new AppError(
      'invalid_input',
      `${description.name} has several parameters ${shown(path)}. Use one of ${[...paths].slice(0, 8).join(', ')}.`,
    );
  }
  const found =
    meant.find((one) => hasChoices(one.property) && shows(one.within[0] ?? one.property)) ??
    meant.find((one) => hasChoices(one.property)) ??
    meant[0];
  if (found) return found;
  const known = [...new Set(all.filter(({ property }) => optionSource(property)).map((one) => plainPath(one.path)))];
  const near = nearestNames(
    wanted,
    all.map((one) => plainPath(one.path)),
  );
  const advice = didYouMean(
    near,
    known.length > 0
      ? `n8n can look up values for ${known.slice(0, 15).join(', ')}.`
      : 'get_node_property finds its parameters.',
  );
  throw new AppError('not_found', `${description.name} has no parameter ${shown(path)}. ${advice}`);
}

const hasChoices = (property: Property): boolean =>
  optionSource(property) !== undefined || choicesOf(property).length > 0;
