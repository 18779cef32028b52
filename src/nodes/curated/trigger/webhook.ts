import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.webhook';

export const webhookTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'WEBHOOK',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when an HTTP request arrives at its URL, and answers it.',
  configurations: {
    path: {
      type: 'string',
      description: 'Last part of the URL: /webhook/<path> once published. Can contain parameters: orders/:id',
      required: true,
      default: 'incoming',
      validationPattern: '^[A-Za-z0-9_:/.-]+$',
      at: 'Webhook: path',
    },
    http_method: {
      type: 'string',
      description: 'Accepted HTTP method',
      default: 'POST',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      at: 'Webhook: httpMethod',
    },
    response_mode: {
      type: 'string',
      description:
        'When to answer: at once, after the last node with its data, or with a Respond to Webhook node (which you must add)',
      default: 'onReceived',
      options: ['onReceived', 'lastNode', 'responseNode'],
      at: 'Webhook: responseMode',
    },
    authentication: {
      type: 'string',
      description: 'How callers authenticate; everything except none needs a credential',
      default: 'none',
      options: ['none', 'basicAuth', 'headerAuth', 'jwtAuth'],
      at: 'Webhook: authentication',
    },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'any', description: 'Request body; parsed if it is JSON or a form' },
    headers: { type: 'object', description: 'Headers, with lower-case names' },
    query: { type: 'object', description: 'Query parameters' },
    params: { type: 'object', description: 'Path parameters' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Webhook', 'One item per request')],
  tags: ['trigger', 'webhook', 'http', 'api', 'endpoint'],
  examples: [
    {
      name: 'Receive orders from a shop',
      description: 'A shop posts each order. The response is the output of the last node.',
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
    'The request body is in $json.body, not in $json itself. Only one published workflow can use a path and method: change the path before you insert it twice. In the editor, the URL is /webhook-test/<path> and accepts one call.',
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
