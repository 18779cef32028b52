import { connected, fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.dataTable';
const SET = 'n8n-nodes-base.set';
const TABLE = 'key_value_store';
const table = { __rl: true, mode: 'name', value: TABLE };
const byKey = {
  matchType: 'allConditions',
  filters: { conditions: [{ keyName: 'key', condition: 'eq', keyValue: "={{ $('Entry').item.json.key }}" }] },
};
const column = (id: string) => ({
  id,
  displayName: id,
  type: 'string',
  required: false,
  defaultMatch: false,
  display: true,
  canBeUsedToMatch: true,
});

export const keyValueStore: CuratedSpec = {
  type: 'MEMORY',
  subtype: 'KEY_VALUE_STORE',
  nodes: [NODE, SET],
  names: false,
  description:
    'Stores values under keys from one run to the next, in a data table of n8n that is created on first use.',
  configurations: {
    key: {
      type: 'string',
      description: 'Key of the value',
      required: true,
      default: '={{ $json.key }}',
      at: 'Entry: assignments.assignments[0].value',
    },
    value: {
      type: 'string',
      description: 'Text; convert other values with JSON.stringify',
      required: true,
      default: '={{ $json.value }}',
      at: 'Entry: assignments.assignments[1].value',
    },
    table: {
      type: 'string',
      description: 'Name of the table; set it in "Table" and also as dataTableId in "Remember" and "Recall"',
      default: TABLE,
      at: 'Table: tableName',
    },
  },
  inputParams: {
    key: { type: 'string', description: 'Key of the value', required: true, default: '' },
    value: { type: 'string', description: 'The value to store', required: true, default: '' },
  },
  outputParams: {
    key: { type: 'string', description: 'The key' },
    value: { type: 'string', description: 'The stored value' },
    updatedAt: { type: 'string', description: 'Time of the last write' },
  },
  inputPorts: [itemsIn('Entry', 'One entry per item')],
  outputPorts: [itemsOut('Recall', 'The stored entry')],
  tags: ['memory', 'key', 'value', 'store', 'cache', 'state', 'data table'],
  examples: [
    {
      name: 'Where the last run ended',
      description: 'Stores the id of the last processed order.',
      configurations: { key: 'last_order', value: '={{ String($json.id) }}' },
      input: { id: 1007 },
      output: { key: 'last_order', value: '1007' },
    },
  ],
  guidance:
    'To write only, leave out "Recall"; to read only, leave out "Remember". Keep "Entry" and "Table" before them. Needs no credential. If several systems share the values, use EXTERNAL_ACTION.REDIS (get and set), which needs a Redis.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, SET, {
        name: 'Entry',
        parameters: {
          mode: 'manual',
          assignments: {
            assignments: ['key', 'value'].map((name) => ({
              id: name,
              name,
              type: 'string',
              value: `={{ $json.${name} }}`,
            })),
          },
          includeOtherFields: false,
          options: {},
        },
      }),
      fragmentNode(catalogue, NODE, {
        name: 'Table',
        position: [220, 0],
        parameters: {
          resource: 'table',
          operation: 'create',
          tableName: TABLE,
          columns: {
            column: [
              { name: 'key', type: 'string' },
              { name: 'value', type: 'string' },
            ],
          },
          options: { createIfNotExists: true },
        },
      }),
      fragmentNode(catalogue, NODE, {
        name: 'Remember',
        position: [440, 0],
        parameters: {
          resource: 'row',
          operation: 'upsert',
          dataTableId: table,
          ...byKey,
          columns: {
            mappingMode: 'defineBelow',
            value: { key: "={{ $('Entry').item.json.key }}", value: "={{ $('Entry').item.json.value }}" },
            matchingColumns: [],
            schema: [column('key'), column('value')],
          },
          options: {},
        },
      }),
      fragmentNode(catalogue, NODE, {
        name: 'Recall',
        position: [660, 0],
        parameters: {
          resource: 'row',
          operation: 'get',
          dataTableId: table,
          ...byKey,
          returnAll: false,
          limit: 1,
        },
      }),
    ],
    connections: connected(
      { from: 'Entry', to: 'Table' },
      { from: 'Table', to: 'Remember' },
      { from: 'Remember', to: 'Recall' },
    ),
  }),
};
