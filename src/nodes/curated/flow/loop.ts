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
  description: 'Loops over items in batches, and continues when all batches are done.',
  configurations: {
    batch_size: {
      type: 'integer',
      description: 'Items per batch',
      default: 1,
      min: 1,
      at: 'Loop Over Items: batchSize',
    },
    reset: {
      type: 'boolean',
      description: 'Start over with the items that come in now, instead of continuing; for nested loops',
      default: false,
      at: 'Loop Over Items: options.reset',
    },
  },
  inputParams: {},
  outputParams: {},
  inputPorts: [itemsIn('Loop Over Items', 'All items at the start, then the results of each batch')],
  outputPorts: [
    { ...itemsOut('Loop Over Items', 'The results of all batches, when the loop is done', 0), name: 'done' },
    { ...itemsOut('Loop Over Items', 'The items of the current batch', 1), name: 'loop' },
  ],
  tags: ['loop', 'batch', 'iterate', 'each', 'repeat', 'flow'],
  examples: [
    {
      name: 'Ten at a time',
      description: 'For a service that accepts ten records per call.',
      configurations: { batch_size: 10 },
    },
  ],
  guidance:
    'Output 0 is done, output 1 is the current batch. Replace "Each Batch" with your nodes and connect the last one back to the loop, as in the fragment. Most nodes process every item by themselves. Use a loop only for rate limits, pauses between calls, or several nodes per item.',
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
