import { connected, fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.splitInBatches';
const BODY = 'n8n-nodes-base.noOp';

export const loopFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'LOOP',
  nodes: [NODE, BODY],
  names: true,
  description: 'Takes items in batches, one round for each, and goes on when all are through.',
  configurations: {
    batch_size: {
      type: 'integer',
      description: 'Items in one round',
      default: 1,
      min: 1,
      at: 'Loop Over Items: batchSize',
    },
    reset: {
      type: 'boolean',
      description: 'Begin anew with what comes in now, instead of going on; for loops within loops',
      default: false,
      at: 'Loop Over Items: options.reset',
    },
  },
  inputParams: {},
  outputParams: {},
  inputPorts: [itemsIn('Loop Over Items', 'All items, and the end of each round')],
  outputPorts: [
    { ...itemsOut('Loop Over Items', 'Everything that the rounds gave, once all are through', 0), name: 'done' },
    { ...itemsOut('Loop Over Items', 'The items of this round', 1), name: 'loop' },
  ],
  tags: ['loop', 'batch', 'iterate', 'each', 'repeat', 'flow'],
  examples: [
    {
      name: 'Ten at a time',
      description: 'For a service that takes ten records in one call.',
      configurations: { batch_size: 10 },
    },
  ],
  guidance:
    'Output 0 is done, output 1 is the round. Put the work in place of "Each Batch" and lead its end back into the loop, as the fragment does. Most nodes work on every item by themselves: a loop is for limits of a service, pauses between calls, or work over several nodes for each item.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, { name: 'Loop Over Items', parameters: { batchSize: 1, options: {} } }),
      fragmentNode(catalogue, BODY, { name: 'Each Batch', position: [240, 120] }),
    ],
    connections: connected(
      { from: 'Loop Over Items', to: 'Each Batch', output: 1 },
      { from: 'Each Batch', to: 'Loop Over Items' },
    ),
  }),
};
