import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.wait';

export const delayFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'DELAY',
  nodes: [NODE],
  names: false,
  description: "Pauses for a while and goes on with the same items: n8n's Wait node with a time.",
  configurations: {
    amount: {
      type: 'float',
      description: 'How many of the unit',
      required: true,
      default: 5,
      min: 0,
      at: 'Delay: amount',
    },
    unit: {
      type: 'string',
      description: 'The unit',
      default: 'seconds',
      options: ['seconds', 'minutes', 'hours', 'days'],
      at: 'Delay: unit',
    },
  },
  inputParams: {},
  outputParams: {},
  inputPorts: [itemsIn('Delay')],
  outputPorts: [itemsOut('Delay', 'The items as they came in')],
  tags: ['delay', 'pause', 'wait', 'sleep', 'timer', 'flow'],
  examples: [
    {
      name: 'Be kind to an API',
      description: 'Two seconds between the rounds of a loop.',
      configurations: { amount: 2, unit: 'seconds' },
    },
  ],
  guidance:
    'All items wait together, once. Pauses above a minute are kept in the database, and n8n looks once a minute whose time is up. For a call from outside or a given moment take FLOW.WAIT.',
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
