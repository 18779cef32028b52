import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.wait';

export const waitFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'WAIT',
  nodes: [NODE],
  names: true,
  description:
    'Stops until something happens: a call to an address of this run, or a given moment. n8n keeps the run meanwhile.',
  configurations: {
    resume: {
      type: 'string',
      description: 'What ends the waiting; timeInterval is FLOW.DELAY, form is HUMAN_IN_THE_LOOP.MANUAL_REVIEW',
      default: 'webhook',
      options: ['webhook', 'specificTime', 'timeInterval', 'form'],
      at: 'Wait: resume',
    },
    http_method: {
      type: 'string',
      description: 'How the address is called',
      default: 'POST',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      at: 'Wait: httpMethod',
    },
    limit_wait_time: {
      type: 'boolean',
      description: 'Go on after a while without a call',
      default: true,
      at: 'Wait: limitWaitTime',
    },
    limit_amount: {
      type: 'float',
      description: 'After how many of the unit',
      default: 1,
      min: 0,
      at: 'Wait: resumeAmount',
    },
    limit_unit: {
      type: 'string',
      description: 'The unit',
      default: 'hours',
      options: ['seconds', 'minutes', 'hours', 'days'],
      at: 'Wait: resumeUnit',
    },
    date_time: { type: 'string', description: 'With resume specificTime: when, ISO 8601', at: 'Wait: dateTime' },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'any', description: 'What the call sent; without a call the items that came in go on as they are' },
    headers: { type: 'object', description: 'Of the call' },
    query: { type: 'object', description: 'Of the call' },
  },
  inputPorts: [itemsIn('Wait')],
  outputPorts: [itemsOut('Wait', 'What the call sent, or, when the time was up, the items as they came in')],
  tags: ['wait', 'pause', 'resume', 'callback', 'webhook', 'flow'],
  examples: [
    {
      name: 'Wait for a callback',
      description:
        'The address {{ $execution.resumeUrl }} is given to a service before, which calls it when it is done.',
      configurations: { resume: 'webhook', http_method: 'POST', limit_amount: 1, limit_unit: 'days' },
      output: { body: { status: 'done' }, headers: {}, query: {} },
    },
  ],
  guidance:
    'Pass $execution.resumeUrl on in a node before this one: the address holds for this run only. n8n looks once a minute whose time is up, so that a limit may be overrun by up to a minute. Simply to pause take FLOW.DELAY.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Wait',
        parameters: {
          resume: 'webhook',
          httpMethod: 'POST',
          limitWaitTime: true,
          limitType: 'afterTimeInterval',
          resumeAmount: 1,
          resumeUnit: 'hours',
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
