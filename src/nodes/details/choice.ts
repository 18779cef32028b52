import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';
import { configured } from '../configuration/configuration.ts';
import type { Choice as Offered, NodeDescription, Property } from '../description.ts';
import { loose } from '../lookup/loose.ts';
import { choicesOf } from './walk.ts';

export interface Wish {
  readonly resource?: string | undefined;
  readonly operation?: string | undefined;
}

type Value = string | number | boolean;

/** The resource and operation a node is set to, and the alternatives. */
export interface Choice {
  /** `resource` and `operation` if the node has them, and other required choices. */
  readonly parameters: Readonly<Record<string, Value>>;
  readonly resources?: readonly Value[];
  readonly operations?: readonly Value[];
  readonly warnings: readonly string[];
}

/** Picks resource and operation as wished, else the node's defaults. Returns `error` instead of throwing. */
export function chosen(description: NodeDescription, version: number, wish: Wish): Choice | { error: string } {
  const warnings: string[] = [];
  const parameters: Record<string, Value> = {};
  const lists: { resources?: Value[]; operations?: Value[] } = {};
  for (const name of ['resource', 'operation'] as const) {
    const configuration = configured(description, parameters, version);
    const property = configuration.properties().find((one) => one.name === name && one.type !== 'hidden');
    const wanted = wish[name];
    const choices = property ? choicesOf(property).filter(configuration.shows) : [];
    if (!property || choices.length === 0) {
      if (wanted !== undefined)
        warnings.push(`It has no ${name} to choose, so ${name} '${shown(wanted)}' was ignored.`);
      continue;
    }
    const values = choices.map(({ value }) => value);
    const taken = wanted === undefined ? defaultOf(property, values) : matching(wanted, choices);
    if (taken === undefined) return { error: unknown(name, wanted as string, values, parameters) };
    if (wanted !== undefined && String(taken) !== wanted) {
      warnings.push(`Auto-corrected: ${name} '${shown(wanted)}' → '${String(taken)}'.`);
    }
    parameters[name] = taken;
    lists[`${name}s`] = values;
  }
  for (
    let open = unanswered(description, parameters, version);
    open;
    open = unanswered(description, parameters, version)
  ) {
    parameters[open.name] = choicesOf(open)[0]?.value ?? '';
  }
  return { parameters, ...lists, warnings };
}

/**
 * A required choice without a default. The caller takes the first option: otherwise the parameters that depend on it, such
 * as the channel of a message, would not be shown.
 */
function unanswered(
  description: NodeDescription,
  set: Readonly<Record<string, Value>>,
  version: number,
): Property | undefined {
  return configured(description, set, version)
    .properties()
    .find((property) => {
      if (property.type !== 'options' || !property.required || Object.hasOwn(set, property.name)) return false;
      const choices = choicesOf(property);
      return choices.length > 0 && !choices.some(({ value }) => value === property.default);
    });
}

const defaultOf = (property: Property, values: readonly Value[]): Value | undefined =>
  values.find((value) => value === property.default) ?? values[0];

/** Matches the value or its name in the editor, ignoring case and separators. */
function matching(wanted: string, choices: readonly Offered[]): Value | undefined {
  const exact = choices.find(({ value }) => String(value) === wanted);
  const alike = exact ?? choices.find(({ name, value }) => [name, String(value)].map(loose).includes(loose(wanted)));
  return alike?.value;
}

function unknown(name: string, wanted: string, values: readonly Value[], set: Readonly<Record<string, Value>>): string {
  const near = nearestNames(wanted, values.map(String));
  const of = set.resource === undefined ? '' : ` of the resource ${String(set.resource)}`;
  return sentences(
    `There is no ${name} ${shown(wanted)}${of}.`,
    didYouMean(near),
    `There are: ${someOf(values.map(String), 40)}.`,
  );
}
