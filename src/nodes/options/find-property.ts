import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { NodeDescription, Property } from '../description.ts';
import { choicesOf, type Placed, walk } from '../details/walk.ts';
import { optionSource } from './source.ts';

/** As the parameters have it, without the places in lists: `filters.conditions[0].keyName` is `filters.conditions.keyName`. */
const plainPath = (path: string): string =>
  path
    .trim()
    .replace(/^parameters\./, '')
    .replaceAll(/\[\d*\]/g, '');

/**
 * The parameter that a path means. Several of one name are told apart by what is shown; a last name alone will do where
 * it is clear what is meant.
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
      `${description.name} has several parameters ${shown(path)}: say which of ${[...paths].slice(0, 8).join(', ')}.`,
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
      ? `Those with values to be looked up: ${known.slice(0, 15).join(', ')}.`
      : 'get_node_property finds its parameters.',
  );
  throw new AppError('not_found', `${description.name} has no parameter ${shown(path)}. ${advice}`);
}

const hasChoices = (property: Property): boolean =>
  optionSource(property) !== undefined || choicesOf(property).length > 0;
