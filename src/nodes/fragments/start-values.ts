import type { Group, Property } from '../description.ts';

/**
 * Where the values of a node come from that n8n has no default for: from the item that comes in, from the model that
 * calls it as a tool, or from nowhere before somebody writes them down.
 */
export type ValueSource = 'item' | 'model' | 'nowhere';

type Values = Readonly<Record<string, unknown>>;

/** What a required parameter begins with: its default, and where that is empty something that runs. */
export function startOf(property: Property, source: ValueSource): unknown {
  const { type, default: value, typeOptions } = property;
  switch (type) {
    case 'resourceLocator':
    case 'workflowSelector':
      return located(property, source);
    case 'resourceMapper':
      return mapped(value, typeOptions?.resourceMapper ?? {});
    case 'options':
      return optionOf(property, source);
    case 'multiOptions':
      return severalOf(property, source);
    case 'fixedCollection':
      return isEmptyRecord(value) ? oneOfEach(property, source) : value;
    case 'string':
    case 'dateTime':
      return isEmptyText(value) ? taken(property, source) : value;
    default:
      return value ?? '';
  }
}

const isEmptyText = (value: unknown): boolean => value === undefined || value === null || value === '';

const isEmptyRecord = (value: unknown): boolean =>
  isEmptyText(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** An expression that names what is meant; without a source the parameter stays empty, and the validator asks for it. */
function taken({ name, displayName }: Pick<Property, 'name' | 'displayName'>, source: ValueSource): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  if (source === 'item') return `={{ $json${key} }}`;
  if (source === 'model')
    return `={{ $fromAI(${quoted(name.replace(/\W+/g, '_'))}, ${quoted(displayName)}, 'string') }}`;
  return '';
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** A list is for people with a mouse: what is known beforehand is an id, a name or an address. */
function located(property: Property, source: ValueSource): unknown {
  const { default: value, modes = [] } = property;
  const given: Values = typeof value === 'object' && value !== null ? (value as Values) : { mode: 'list', value };
  if (!isEmptyText(given.value)) return { __rl: true, ...given };
  const names = modes.map(({ name }) => name);
  const mode = ['id', 'name', 'url'].find((one) => names.includes(one)) ?? names[0] ?? 'id';
  return { __rl: true, mode, value: mode === 'list' ? '' : taken(property, source) };
}

interface Mapper {
  readonly mode?: string;
  readonly supportAutoMap?: boolean;
}

/** The fields of each item are the columns, where the node can do that. */
function mapped(value: unknown, { mode, supportAutoMap = true }: Mapper): unknown {
  const start = {
    mappingMode: 'defineBelow',
    value: null,
    matchingColumns: [],
    schema: [],
    ...Object(value),
  } as Values;
  if (!supportAutoMap || mode === 'map') return start;
  return {
    ...start,
    mappingMode: 'autoMapInputData',
    ...((mode === 'update' || mode === 'upsert') && { matchingColumns: ['id'] }),
  };
}

const choicesIn = ({ options = [] }: Property): unknown[] =>
  options.flatMap((option) => ('value' in option ? [option.value] : []));

function severalOf(property: Property, source: ValueSource): unknown {
  const { default: value } = property;
  if (Array.isArray(value) && value.length > 0) return value;
  const choices = choicesIn(property);
  return choices.length > 0 ? choices.slice(0, 1) : taken(property, source) || [];
}

/** Of a choice without a default the first; what only the service knows is taken from where values come from. */
function optionOf(property: Property, source: ValueSource): unknown {
  const { default: value } = property;
  const choices = choicesIn(property);
  if (choices.length === 0) return isEmptyText(value) ? taken(property, source) : value;
  return choices.includes(value) ? value : choices[0];
}

/** One entry in the first of its groups. */
function oneOfEach({ options = [], typeOptions }: Property, source: ValueSource): unknown {
  const group = options.find((option): option is Group => Array.isArray((option as Group).values));
  if (!group) return {};
  const entry = Object.fromEntries(
    group.values
      .filter(({ displayOptions, type }) => displayOptions === undefined && type !== 'notice')
      .map((field) => [field.name, startOf(field, source)]),
  );
  return { [group.name]: typeOptions?.multipleValues === true ? [entry] : entry };
}
