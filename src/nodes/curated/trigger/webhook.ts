import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.webhook';

export const webhookTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'WEBHOOK',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when an HTTP request arrives at its address, and answers it.',
  configurations: {
    path: {
      type: 'string',
      description: 'Last part of the address; once published it is /webhook/<path>. May hold parameters: orders/:id',
      required: true,
      default: 'incoming',
      validationPattern: '^[A-Za-z0-9_:/.-]+$',
      at: 'Webhook: path',
    },
    http_method: {
      type: 'string',
      description: 'Which method it takes',
      default: 'POST',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      at: 'Webhook: httpMethod',
    },
    response_mode: {
      type: 'string',
      description:
        'When it answers: at once, with the data of the last node, or where a Respond to Webhook node says so (then there has to be one)',
      default: 'onReceived',
      options: ['onReceived', 'lastNode', 'responseNode'],
      at: 'Webhook: responseMode',
    },
    authentication: {
      type: 'string',
      description: 'Who may call it; all but none need a credential',
      default: 'none',
      options: ['none', 'basicAuth', 'headerAuth', 'jwtAuth'],
      at: 'Webhook: authentication',
    },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'any', description: 'What was sent; parsed where it is JSON or a form' },
    headers: { type: 'object', description: 'Names in lower case' },
    query: { type: 'object', description: 'After the question mark' },
    params: { type: 'object', description: 'Parameters of the path' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Webhook', 'One item for each request')],
  tags: ['trigger', 'webhook', 'http', 'api', 'endpoint'],
  examples: [
    {
      name: 'Take orders from a shop',
      description: 'A shop posts each order; the answer is what the last node gives.',
      configurations: { path: 'orders', http_method: 'POST', response_mode: 'lastNode', authentication: 'headerAuth' },
      output: {
        body: { order: 1007, total: 49.5 },
        headers: { 'content-type': 'application/json' },
        query: {},
        params: {},
      },
    },
  ],
  guidance:
    'What was sent is in $json.body, not in $json itself. A path and method can be used by one published workflow only: change the path before you insert it twice. In the editor the address is /webhook-test/<path>, for one call.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Webhook',
        parameters: {
          path: 'incoming',
          httpMethod: 'POST',
          responseMode: 'onReceived',
          authentication: 'none',
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
