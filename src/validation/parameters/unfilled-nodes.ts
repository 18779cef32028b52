import { isRecord, own } from '../json/record.ts';
import { isExpression } from './checked-fields.ts';

/** A field that n8n does not mark as required, but without which the node has nothing to do. */
export interface Unfilled {
  /** The top-level parameter. */
  readonly field: string;
  /** The list inside, if it is a group. */
  readonly list?: string;
  /** The key that an entry of that list needs to count. */
  readonly entry?: string;
  /** n8n accepts an empty list, but not an empty entry. */
  readonly mayBeNone?: true;
  /** What to add, for the message. */
  readonly lacks: string;
  /** It is a resource mapper with columns that are set by hand. */
  readonly mapper?: true;
  /** n8n runs the node, but it does nothing. */
  readonly mild?: true;
  /** With these parameters the node still has something to do. */
  readonly unless?: (parameters: Readonly<Record<string, unknown>>) => boolean;
}

const pairs: readonly Unfilled[] = [
  { field: 'mergeByFields', list: 'values', entry: 'field1', mayBeNone: true, lacks: 'a field to match by' },
  { field: 'fieldsToMatchString', lacks: 'a field to match by' },
];

/** Conditions of version 2. Other versions are not checked. */
const conditions: readonly Unfilled[] = [
  {
    field: 'conditions',
    list: 'conditions',
    entry: 'leftValue',
    lacks: 'a condition, so it treats all items alike',
    mild: true,
  },
];

/** By type without its package. n8n shows these fields only when it uses them, so only visible ones are checked. */
const table: ReadonlyMap<string, readonly Unfilled[]> = new Map<string, readonly Unfilled[]>([
  ['sort', [{ field: 'sortFieldsUi', list: 'sortField', lacks: 'a field to sort by' }]],
  [
    'aggregate',
    [
      {
        field: 'fieldsToAggregate',
        list: 'fieldToAggregate',
        entry: 'fieldToAggregate',
        lacks: 'a field to aggregate',
        mild: true,
      },
    ],
  ],
  ['summarize', [{ field: 'fieldsToSummarize', list: 'values', entry: 'field', lacks: 'a field to summarize' }]],
  [
    'removeDuplicates',
    [
      { field: 'fieldsToCompare', lacks: 'a field to compare' },
      { field: 'fieldsToExclude', lacks: 'a field to leave out' },
    ],
  ],
  ['splitOut', [{ field: 'fieldsToInclude', lacks: 'a field to include' }]],
  ['merge', pairs],
  ['compareDatasets', pairs],
  [
    'code',
    [
      { field: 'jsCode', lacks: 'code' },
      { field: 'pythonCode', lacks: 'code' },
    ],
  ],
  [
    'httpRequest',
    [
      { field: 'jsonBody', lacks: 'the JSON to send' },
      // As with a missing credential, the next user has to choose.
      { field: 'genericAuthType', lacks: 'a way to sign in', mild: true },
      { field: 'nodeCredentialType', lacks: 'a way to sign in', mild: true },
    ],
  ],
  [
    'set',
    [
      {
        field: 'assignments',
        list: 'assignments',
        lacks: 'a field to set, so it passes on empty items',
        mild: true,
        // It passes other fields through.
        unless: (parameters) => own(parameters, 'includeOtherFields') === true,
      },
    ],
  ],
  [
    'html',
    [{ field: 'extractionValues', list: 'values', entry: 'cssSelector', lacks: 'something to extract', mild: true }],
  ],
  ['googleSheets', [{ field: 'columns', mapper: true, lacks: 'a value for any column', mild: true }]],
  ['scheduleTrigger', [{ field: 'rule', list: 'interval', lacks: 'a time to start at' }]],
  ['if', conditions],
  ['filter', conditions],
  ['switch', [{ field: 'rules', list: 'values', lacks: 'a rule, so it has no output', mild: true }]],
]);

const byType: ReadonlyMap<string, readonly Unfilled[]> = new Map([
  ...[...table].map(([name, essentials]) => [`n8n-nodes-base.${name}`, essentials] as const),
  [
    '@n8n/n8n-nodes-langchain.informationExtractor',
    [{ field: 'attributes', list: 'attributes', lacks: 'an attribute to extract' }],
  ],
]);

export function essentialsOf(type: string): readonly Unfilled[] {
  return byType.get(type) ?? [];
}

/** The value is missing, or has no usable entry. A value of the wrong shape is not empty. */
export function isEmpty(value: unknown, { list, entry, mayBeNone, mapper }: Unfilled): boolean {
  if (value === undefined || value === null) return true;
  if (mapper) return isRecord(value) && mapsNothing(value);
  if (list === undefined) return typeof value === 'string' && value.trim() === '';
  if (!isRecord(value)) return false;
  const entries = own(value, list);
  if (entries === undefined) return Object.keys(value).length === 0;
  if (!Array.isArray(entries)) return false;
  if (entry === undefined) return entries.length === 0;
  if (entries.length === 0) return !mayBeNone;
  return entries.every((one: unknown) => isRecord(one) && isBlank(own(one, entry)));
}

function mapsNothing(mapped: Readonly<Record<string, unknown>>): boolean {
  const mode = own(mapped, 'mappingMode');
  const values = own(mapped, 'value');
  const columns = own(mapped, 'schema');
  if (mode !== undefined && mode !== 'defineBelow') return false;
  // resource-mapper-shape reports this.
  if (Array.isArray(columns) && columns.some((one) => isRecord(one) && own(one, 'required') === true)) return false;
  return values === undefined || values === null || (isRecord(values) && Object.keys(values).length === 0);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !isExpression(value) && !value.trim());
}
