import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.sort';

export const sortFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'SORT',
  nodes: [NODE],
  names: true,
  description: 'Sorts the items: by fields, by code, or in random order.',
  configurations: {
    type: {
      type: 'string',
      description: 'simple: by fields; random; code: by a JavaScript comparison',
      default: 'simple',
      options: ['simple', 'random', 'code'],
      at: 'Sort: type',
    },
    fields: {
      type: 'array',
      description: 'Fields, most important first: { fieldName, order: ascending|descending }',
      required: true,
      default: [{ fieldName: 'date', order: 'descending' }],
      at: 'Sort: sortFieldsUi.sortField',
    },
  },
  inputParams: { date: { type: 'any', description: 'The field the fragment sorts by', default: '' } },
  outputParams: {},
  inputPorts: [itemsIn('Sort')],
  outputPorts: [itemsOut('Sort', 'The same items, sorted')],
  tags: ['sort', 'order', 'rank', 'shuffle', 'flow'],
  examples: [
    {
      name: 'Newest first',
      description: 'By date; items with the same date by title.',
      configurations: {
        fields: [
          { fieldName: 'date', order: 'descending' },
          { fieldName: 'title', order: 'ascending' },
        ],
      },
    },
  ],
  guidance: 'A field that no item has is an error. To keep only the first few items, add FLOW.LIMIT after it.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Sort',
        parameters: {
          type: 'simple',
          sortFieldsUi: { sortField: [{ fieldName: 'date', order: 'descending' }] },
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
