import { isRecord, own } from '../json/record.ts';
import { isExpression } from './checked-fields.ts';

/** A field that n8n does not call required, and without which the node has nothing to do. */
export interface Unfilled {
  /** The parameter at the top. */
  readonly field: string;
  /** The list in it, where it is a group. */
  readonly list?: string;
  /** What an entry of that list needs, or none counts. */
  readonly entry?: string;
  /** Without any entry n8n goes on; with an empty one it does not. */
  readonly mayBeNone?: true;
  /** What to add, for the message. */
  readonly lacks: string;
  /** It maps columns, and they are given by hand. */
  readonly mapper?: true;
  /** n8n goes on, and the node does nothing. */
  readonly mild?: true;
  /** With this the node has something to do all the same. */
  readonly unless?: (parameters: Readonly<Record<string, unknown>>) => boolean;
}

const pairs: readonly Unfilled[] = [
  { field: 'mergeByFields', list: 'values', entry: 'field1', mayBeNone: true, lacks: 'a field to match by' },
  { field: 'fieldsToMatchString', lacks: 'a field to match by' },
];

/** Conditions of version 2: in the others, and where both sides are given by an operator, nothing can be said. */
const conditions: readonly Unfilled[] = [
  {
    field: 'conditions',
    list: 'conditions',
    entry: 'leftValue',
    lacks: 'a condition, and so treats all items alike',
    mild: true,
  },
];

/** By type without its package. n8n shows such a field only where it counts, and so it is looked at only there. */
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
      // As with a missing credential: whoever takes a workflow over has to choose.
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
        lacks: 'a field to set, and so passes on empty items',
        mild: true,
        // It lets the others through, or some of them.
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
  ['switch', [{ field: 'rules', list: 'values', lacks: 'a rule, and so has no output', mild: true }]],
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

/** Nothing is there, or nothing that counts. What is of a wrong shape is not empty. */
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
  // Then the rule on mapped columns speaks.
  if (Array.isArray(columns) && columns.some((one) => isRecord(one) && own(one, 'required') === true)) return false;
  return values === undefined || values === null || (isRecord(values) && Object.keys(values).length === 0);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !isExpression(value) && !value.trim());
}
