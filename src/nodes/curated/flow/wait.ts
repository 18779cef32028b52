import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.wait';

export const waitFlow: CuratedSpec = {
  type: 'FLOW',
  subtype: 'WAIT',
  nodes: [NODE],
  names: true,
  description: 'Pauses until a call to a URL of this run or until a given time. n8n stores the run meanwhile.',
  configurations: {
    resume: {
      type: 'string',
      description: 'What ends the wait; for timeInterval see FLOW.DELAY, for form HUMAN_IN_THE_LOOP.MANUAL_REVIEW',
      default: 'webhook',
      options: ['webhook', 'specificTime', 'timeInterval', 'form'],
      at: 'Wait: resume',
    },
    http_method: {
      type: 'string',
      description: 'HTTP method of the call',
      default: 'POST',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      at: 'Wait: httpMethod',
    },
    limit_wait_time: {
      type: 'boolean',
      description: 'Continue after a time limit even without a call',
      default: true,
      at: 'Wait: limitWaitTime',
    },
    limit_amount: {
      type: 'float',
      description: 'Time limit, in limit_unit',
      default: 1,
      min: 0,
      at: 'Wait: resumeAmount',
    },
    limit_unit: {
      type: 'string',
      description: 'Unit of limit_amount',
      default: 'hours',
      options: ['seconds', 'minutes', 'hours', 'days'],
      at: 'Wait: resumeUnit',
    },
    date_time: { type: 'string', description: 'With resume specificTime: the time, ISO 8601', at: 'Wait: dateTime' },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'any', description: 'Body of the call; without a call the incoming items pass through unchanged' },
    headers: { type: 'object', description: 'Headers of the call' },
    query: { type: 'object', description: 'Query parameters of the call' },
  },
  inputPorts: [itemsIn('Wait')],
  outputPorts: [itemsOut('Wait', 'The data of the call or, after the time limit, the incoming items')],
  tags: ['wait', 'pause', 'resume', 'callback', 'webhook', 'flow'],
  examples: [
    {
      name: 'Wait for a callback',
      description: 'An earlier node sends {{ $execution.resumeUrl }} to a service, which calls it when it is done.',
      configurations: { resume: 'webhook', http_method: 'POST', limit_amount: 1, limit_unit: 'days' },
      output: { body: { status: 'done' }, headers: {}, query: {} },
    },
  ],
  guidance:
    'Send $execution.resumeUrl in a node before this one. The URL is valid for this run only. n8n checks once a minute whether the time is up, so a time limit may be up to a minute late. For a simple pause, use FLOW.DELAY.',
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
