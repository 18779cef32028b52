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
  description: 'Lets through the items for which conditions hold, and drops the others.',
  configurations: {
    conditions: {
      type: 'array',
      description: 'Each { id, leftValue, rightValue, operator: { type, operation } }, as with FLOW.IF',
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
      description: 'Whether all conditions have to hold, or one',
      default: 'and',
      options: ['and', 'or'],
      at: 'Filter: conditions.combinator',
    },
    convert_types: {
      type: 'boolean',
      description: 'Compare "5" with 5 by converting, where the types differ; otherwise that is an error',
      default: false,
      at: 'Filter: looseTypeValidation',
    },
  },
  inputParams: { status: { type: 'string', description: 'What the fragment looks at', default: '' } },
  outputParams: {},
  inputPorts: [itemsIn('Filter')],
  outputPorts: [itemsOut('Filter', 'The items that stay')],
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
  guidance: 'Where nothing stays, the nodes after it do not run at all. To do something with the rest take FLOW.IF.',
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
