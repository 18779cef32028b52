import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.wait';

export const delayFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'DELAY',
  nodes: [NODE],
  names: false,
  description: "Pauses for a given time, then continues with the same items: n8n's Wait node with a time.",
  configurations: {
    amount: {
      type: 'float',
      description: 'How long, in unit',
      required: true,
      default: 5,
      min: 0,
      at: 'Delay: amount',
    },
    unit: {
      type: 'string',
      description: 'Unit of amount',
      default: 'seconds',
      options: ['seconds', 'minutes', 'hours', 'days'],
      at: 'Delay: unit',
    },
  },
  inputParams: {},
  outputParams: {},
  inputPorts: [itemsIn('Delay')],
  outputPorts: [itemsOut('Delay', 'The same items')],
  tags: ['delay', 'pause', 'wait', 'sleep', 'timer', 'flow'],
  examples: [
    {
      name: 'Respect a rate limit',
      description: 'Two seconds between the iterations of a loop.',
      configurations: { amount: 2, unit: 'seconds' },
    },
  ],
  guidance:
    'All items wait together, once. For pauses longer than a minute, n8n stores the run in its database and checks once a minute whether the time is up. To wait for an outside call or a point in time, use FLOW.WAIT.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Delay',
        parameters: { resume: 'timeInterval', amount: 5, unit: 'seconds' },
      }),
    ],
    connections: {},
  }),
};
