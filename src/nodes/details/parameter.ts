import type { Property } from '../description.ts';
import { inWords } from './conditions.ts';
import type { Both } from './node-spec.ts';
import { shortened, textIn, upTo } from './text.ts';
import { valueForm } from './value-forms.ts';
import { choicesOf, fieldsOf, groupsOf, isSet, modesOf, type Placed } from './walk.ts';

/** How much detail to show of a parameter. */
export interface Measure {
  /** Characters of the description in the newer form. */
  readonly words: number;
  /** Characters of the description in the older form. */
  readonly briefly: number;
  readonly options: number;
  readonly fields: number;
  /** Whether to add `shown_when`. Not needed if only visible parameters are listed. */
  readonly conditions: boolean;
}

export const essential: Measure = { words: 160, briefly: 60, options: 12, fields: 12, conditions: false };
export const whole: Measure = { words: 400, briefly: 120, options: 60, fields: 40, conditions: true };

/** An n8n parameter in both forms. */
export function parameterForms({ path, property, within }: Placed, measure: Measure): Both {
  const { type } = property;
  const required = property.required === true;
  const said = textIn(property.description) ?? textIn(property.hint) ?? property.displayName;
  const choices = choicesOf(property).map(({ value }) => value);
  const options = choices.slice(0, measure.options);
  const inside = insideOf(property);
  const { minValue, maxValue } = (property.typeOptions ?? {}) as { minValue?: unknown; maxValue?: unknown };
  const shown = measure.conditions ? shownWhen(property, within) : undefined;
  const value = property.default;
  const form = valueForm(type);
  const modes = modesOf(property);
  return {
    key: path,
    withDefault: within.length === 0,
    parameter: {
      name: path,
      type,
      required,
      ...(value !== undefined && { default_value: value }),
      description: shortened(said, measure.briefly),
      ...(options.length > 0 && { enum_values: options }),
    },
    configuration: {
      type,
      ...(value !== undefined && { default: value }),
      description: shortened(said, measure.words),
      required,
      ...(typeof minValue === 'number' && { min: minValue }),
      ...(typeof maxValue === 'number' && { max: maxValue }),
      ...(options.length > 0 && { options }),
      ...(choices.length > options.length && { options_left: choices.length - options.length }),
      ...(inside.length > 0 && { fields: upTo(inside, measure.fields) }),
      ...(modes.length > 0 && { modes }),
      ...(form !== undefined && { form }),
      ...(shown !== undefined && { shown_when: shown }),
    },
  };
}

function insideOf(property: Property): string[] {
  if (property.type === 'collection') return fieldsOf(property).map(({ name }) => name);
  if (property.type !== 'fixedCollection') return [];
  const many = property.typeOptions?.multipleValues === true ? '[]' : '';
  return groupsOf(property).map(
    ({ name, values }) =>
      `${name}${many}: { ${upTo([...new Set(values.filter(isSet).map((value) => value.name))], 16).join(', ')} }`,
  );
}

/** Its own condition and those of its parents. */
export function shownWhen(property: Property, within: readonly Property[]): string | undefined {
  const all = [...within, property].map(({ displayOptions }) => inWords(displayOptions));
  const words = all.filter((one) => one !== undefined);
  return words.length === 0 ? undefined : words.join('; and ');
}

/** Makes keys unique for the newer form: a repeated name gets its condition or a number appended. */
export function withKeys(list: readonly Both[]): Both[] {
  const taken = new Set<string>();
  return list.map((both) => {
    let { key } = both;
    if (taken.has(key) && both.configuration.shown_when !== undefined)
      key = `${key} (${both.configuration.shown_when})`;
    for (let count = 2; taken.has(key); count++) key = `${both.key} (${count})`;
    taken.add(key);
    return key === both.key ? both : { ...both, key, withDefault: false };
  });
}
