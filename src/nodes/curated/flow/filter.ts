import { fragmentNode } from '../../fragments/fragment.ts';
import { conditions } from '../condition.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.filter';

export const filterFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'FILTER',
  nodes: [NODE],
  names: true,
  description: 'Keeps the items that meet the conditions, and drops the others.',
  configurations: {
    conditions: {
      type: 'array',
      description: 'Each { id, leftValue, rightValue, operator: { type, operation } }, as in FLOW.IF',
      required: true,
      default: [
        {
          id: 'condition-1',
          leftValue: '={{ $json.status }}',
          rightValue: 'open',
          operator: { type: 'string', operation: 'equals' },
        },
      ],
      at: 'Filter: conditions.conditions',
    },
    combinator: {
      type: 'string',
      description: 'and: all conditions must hold; or: one is enough',
      default: 'and',
      options: ['and', 'or'],
      at: 'Filter: conditions.combinator',
    },
    convert_types: {
      type: 'boolean',
      description: 'Convert values of different types before comparing ("5" and 5); false: that is an error',
      default: false,
      at: 'Filter: looseTypeValidation',
    },
  },
  inputParams: { status: { type: 'string', description: 'The field the fragment tests', default: '' } },
  outputParams: {},
  inputPorts: [itemsIn('Filter')],
  outputPorts: [itemsOut('Filter', 'The items that meet the conditions')],
  tags: ['filter', 'condition', 'select', 'drop', 'flow'],
  examples: [
    {
      name: 'Open tickets',
      description: 'Everything else is dropped.',
      configurations: {
        conditions: [
          {
            id: 'a',
            leftValue: '={{ $json.status }}',
            rightValue: 'open',
            operator: { type: 'string', operation: 'equals' },
          },
        ],
      },
      input: { status: 'open' },
      output: { status: 'open' },
    },
  ],
  guidance: 'If no item is left, the nodes after it do not run at all. To process the dropped items too, use FLOW.IF.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Filter',
        parameters: {
          conditions: conditions({
            left: '={{ $json.status }}',
            operator: { type: 'string', operation: 'equals' },
            right: 'open',
          }),
          looseTypeValidation: false,
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
