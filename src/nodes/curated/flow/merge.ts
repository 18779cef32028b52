import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.merge';

export const mergeFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'MERGE',
  nodes: [NODE],
  names: true,
  description: 'Waits for several branches and combines their items: one after the other, by a field, or by position.',
  configurations: {
    mode: {
      type: 'string',
      description:
        'append: all items; combine: pairs of items; combineBySql: a query over input1, input2, …; chooseBranch: the items of one input',
      default: 'append',
      options: ['append', 'combine', 'combineBySql', 'chooseBranch'],
      at: 'Merge: mode',
    },
    inputs: {
      type: 'integer',
      description: 'Number of incoming branches; combineByFields takes two',
      default: 2,
      min: 2,
      max: 10,
      at: 'Merge: numberInputs',
    },
    combine_by: {
      type: 'string',
      description: 'With mode combine: how to pair items',
      options: ['combineByFields', 'combineByPosition', 'combineAll'],
      at: 'Merge: combineBy',
    },
    match_fields: {
      type: 'string',
      description: 'With combineByFields: the fields that must be equal, separated by commas',
      at: 'Merge: fieldsToMatchString',
    },
  },
  inputParams: {},
  outputParams: {},
  inputPorts: [
    { ...itemsIn('Merge', 'The first branch', 0), name: 'input1' },
    { ...itemsIn('Merge', 'The second branch', 1), name: 'input2' },
  ],
  outputPorts: [itemsOut('Merge', 'The combined items')],
  tags: ['merge', 'join', 'combine', 'branches', 'wait', 'flow'],
  examples: [
    {
      name: 'Customers with their orders',
      description: 'Pairs items by the field customer_id.',
      configurations: { mode: 'combine', combine_by: 'combineByFields', match_fields: 'customer_id' },
      output: { customer_id: 7, name: 'Ada', total: 49.5 },
    },
  ],
  guidance:
    'Connect the second branch to index 1: with two connections to index 0 it runs twice. The branches of an IF need no merge unless both have items: connect both to the next node.',
  fragment: (catalogue) => ({
    nodes: [fragmentNode(catalogue, NODE, { name: 'Merge', parameters: { mode: 'append', numberInputs: 2 } })],
    connections: {},
  }),
};
