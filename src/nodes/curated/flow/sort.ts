import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.sort';

export const sortFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'SORT',
  nodes: [NODE],
  names: true,
  description: 'Puts the items in order: by fields, by code, or at random.',
  configurations: {
    type: {
      type: 'string',
      description: 'simple: by fields; random; code: by a comparison in JavaScript',
      default: 'simple',
      options: ['simple', 'random', 'code'],
      at: 'Sort: type',
    },
    fields: {
      type: 'array',
      description: 'The fields, the most important first: { fieldName, order: ascending|descending }',
      required: true,
      default: [{ fieldName: 'date', order: 'descending' }],
      at: 'Sort: sortFieldsUi.sortField',
    },
  },
  inputParams: { date: { type: 'any', description: 'What the fragment sorts by', default: '' } },
  outputParams: {},
  inputPorts: [itemsIn('Sort')],
  outputPorts: [itemsOut('Sort', 'The same items in order')],
  tags: ['sort', 'order', 'rank', 'shuffle', 'flow'],
  examples: [
    {
      name: 'Newest first',
      description: 'By the field date; the title decides between equals.',
      configurations: {
        fields: [
          { fieldName: 'date', order: 'descending' },
          { fieldName: 'title', order: 'ascending' },
        ],
      },
    },
  ],
  guidance: 'A field that no item has is an error. With FLOW.LIMIT after it one gets the first few.',
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
