import type { Choice, Group, Mode, Property } from '../description.ts';

/** A parameter and its path, such as `rules.values[].outputKey`. */
export interface Placed {
  readonly path: string;
  readonly property: Property;
  /** Its parents, outermost first. */
  readonly within: readonly Property[];
}

/** Deeper than any real node. Protects against broken descriptions. */
const DEEPEST = 12;

/** Types that the editor only displays: they hold no value. */
const drawn = new Set(['notice', 'callout', 'button', 'curlImport']);

export const isSet = ({ type }: Property): boolean => !drawn.has(type);

export function* walk(
  properties: readonly Property[],
  prefix = '',
  within: readonly Property[] = [],
): Generator<Placed> {
  for (const property of properties) {
    if (!isSet(property)) continue;
    const path = `${prefix}${property.name}`;
    yield { path, property, within };
    if (within.length >= DEEPEST) continue;
    const inside = [...within, property];
    const many = property.typeOptions?.multipleValues === true ? '[]' : '';
    if (property.type === 'collection') yield* walk(fieldsOf(property), `${path}${many}.`, inside);
    if (property.type === 'fixedCollection') {
      for (const group of groupsOf(property)) yield* walk(group.values, `${path}.${group.name}${many}.`, inside);
    }
  }
}

export const choicesOf = ({ options = [] }: Property): readonly Choice[] =>
  options.filter((option): option is Choice => /^(?:string|number|boolean)$/.test(typeof (option as Choice).value));

export const groupsOf = ({ options = [] }: Property): readonly Group[] =>
  options.filter((option): option is Group => Array.isArray((option as Group).values));

export const fieldsOf = ({ options = [] }: Property): readonly Property[] =>
  options.filter(
    (option): option is Property => typeof (option as Property).type === 'string' && !Object.hasOwn(option, 'values'),
  );

/** The names of a resourceLocator's modes. */
export const modesOf = ({ modes }: Property): string[] =>
  Array.isArray(modes)
    ? modes.flatMap((mode: Partial<Mode> | null) => (typeof mode?.name === 'string' ? [mode.name] : []))
    : [];
