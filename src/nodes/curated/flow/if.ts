import { fragmentNode } from '../../fragments/fragment.ts';
import { conditions } from '../condition.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.if';

export const ifFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'IF',
  nodes: [NODE],
  names: true,
  description: 'Sends each item to one of two branches, by conditions.',
  configurations: {
    conditions: {
      type: 'array',
      description:
        'Each { id, leftValue, rightValue, operator: { type, operation } }. Types: string, number, boolean, dateTime, array, object; operations such as equals, contains, gt, exists',
      required: true,
      default: [
        {
          id: 'condition-1',
          leftValue: '={{ $json.amount }}',
          rightValue: 100,
          operator: { type: 'number', operation: 'gt' },
        },
      ],
      at: 'If: conditions.conditions',
    },
    combinator: {
      type: 'string',
      description: 'Whether all conditions have to hold, or one',
      default: 'and',
      options: ['and', 'or'],
      at: 'If: conditions.combinator',
    },
    convert_types: {
      type: 'boolean',
      description: 'Compare "5" with 5 by converting, where the types differ; otherwise that is an error',
      default: false,
      at: 'If: looseTypeValidation',
    },
  },
  inputParams: { amount: { type: 'float', description: 'What the fragment compares', default: 0 } },
  outputParams: {},
  inputPorts: [itemsIn('If')],
  outputPorts: [
    { ...itemsOut('If', 'Items for which the conditions hold', 0), name: 'true' },
    { ...itemsOut('If', 'All others', 1), name: 'false' },
  ],
  tags: ['if', 'condition', 'branch', 'decision', 'flow'],
  examples: [
    {
      name: 'Large orders',
      description: 'Above 100 to the first branch.',
      configurations: {
        conditions: [
          { id: 'a', leftValue: '={{ $json.amount }}', rightValue: 100, operator: { type: 'number', operation: 'gt' } },
        ],
      },
      input: { amount: 250 },
    },
  ],
  guidance:
    'Output 0 is true, output 1 is false. For more than two branches take FLOW.SWITCH; to drop what does not match FLOW.FILTER.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'If',
        parameters: {
          conditions: conditions({
            left: '={{ $json.amount }}',
            operator: { type: 'number', operation: 'gt' },
            right: 100,
          }),
          looseTypeValidation: false,
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
