import type { Group, Property } from '../description.ts';

/**
 * Where values without a default come from: the incoming item, the model that calls the node as a tool, or nowhere, so that
 * the user must write them.
 */
export type ValueSource = 'item' | 'model' | 'nowhere';

type Values = Readonly<Record<string, unknown>>;

/** The initial value of a required parameter: its default, or something that works if the default is empty. */
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

/** An expression that reads the value from the source. Without a source it stays empty, and the validator reports it. */
function taken({ name, displayName }: Pick<Property, 'name' | 'displayName'>, source: ValueSource): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  if (source === 'item') return `={{ $json${key} }}`;
  if (source === 'model')
    return `={{ $fromAI(${quoted(name.replace(/\W+/g, '_'))}, ${quoted(displayName)}, 'string') }}`;
  return '';
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Prefers id, name or url over list, because the list mode is for the editor. */
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

/** Maps the fields of each item to columns automatically, if the node supports it. */
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

/** The default or the first option. If only the service knows the options, the value comes from the source. */
function optionOf(property: Property, source: ValueSource): unknown {
  const { default: value } = property;
  const choices = choicesIn(property);
  if (choices.length === 0) return isEmptyText(value) ? taken(property, source) : value;
  return choices.includes(value) ? value : choices[0];
}

/** One entry in the first group. */
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
