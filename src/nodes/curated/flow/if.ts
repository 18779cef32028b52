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
  description: 'Sends each item to one of two branches, depending on conditions.',
  configurations: {
    conditions: {
      type: 'array',
      description:
        'Each { id, leftValue, rightValue, operator: { type, operation } }. Types: string, number, boolean, dateTime, array, object; operations like equals, contains, gt, exists',
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
      description: 'and: all conditions must hold; or: one is enough',
      default: 'and',
      options: ['and', 'or'],
      at: 'If: conditions.combinator',
    },
    convert_types: {
      type: 'boolean',
      description: 'Convert values of different types before comparing ("5" and 5); false: that is an error',
      default: false,
      at: 'If: looseTypeValidation',
    },
  },
  inputParams: { amount: { type: 'float', description: 'The field the fragment tests', default: 0 } },
  outputParams: {},
  inputPorts: [itemsIn('If')],
  outputPorts: [
    { ...itemsOut('If', 'Items that meet the conditions', 0), name: 'true' },
    { ...itemsOut('If', 'All others', 1), name: 'false' },
  ],
  tags: ['if', 'condition', 'branch', 'decision', 'flow'],
  examples: [
    {
      name: 'Large orders',
      description: 'Amounts above 100 go to the first branch.',
      configurations: {
        conditions: [
          { id: 'a', leftValue: '={{ $json.amount }}', rightValue: 100, operator: { type: 'number', operation: 'gt' } },
        ],
      },
      input: { amount: 250 },
    },
  ],
  guidance:
    'Output 0 is true, output 1 is false. For more than two branches, use FLOW.SWITCH. To drop items that do not match, use FLOW.FILTER.',
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
