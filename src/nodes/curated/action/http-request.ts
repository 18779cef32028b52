import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.httpRequest';

export const httpRequest: CuratedSpec = {
  type: 'ACTION',
  subtype: 'HTTP_REQUEST',
  nodes: [NODE],
  names: true,
  description: 'Calls any HTTP URL and returns the response. Use it for services that have no node of their own.',
  configurations: {
    url: {
      type: 'string',
      description: 'Full URL; may be an expression',
      required: true,
      default: 'https://example.com',
      validationPattern: '^(=|https?://).+',
      at: 'HTTP Request: url',
    },
    method: {
      type: 'string',
      description: 'HTTP method',
      default: 'GET',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      at: 'HTTP Request: method',
    },
    authentication: {
      type: 'string',
      description:
        'none, a credential of a known service (set nodeCredentialType to its type), or a generic one such as httpHeaderAuth (set genericAuthType)',
      default: 'none',
      options: ['none', 'predefinedCredentialType', 'genericCredentialType'],
      at: 'HTTP Request: authentication',
    },
    send_body: { type: 'boolean', description: 'Whether to send a body', default: false, at: 'HTTP Request: sendBody' },
    json_body: {
      type: 'string',
      description: 'JSON, or an expression that returns it; needs sendBody true and specifyBody json',
      at: 'HTTP Request: jsonBody',
    },
    timeout: {
      type: 'integer',
      description: 'Timeout in milliseconds',
      default: 10000,
      min: 1,
      at: 'HTTP Request: options.timeout',
    },
  },
  inputParams: {},
  outputParams: {
    data: {
      type: 'any',
      description:
        'The text of a response that is not JSON. A JSON object becomes the item itself, a list one item per element',
    },
  },
  inputPorts: [itemsIn('HTTP Request', 'One request for each item')],
  outputPorts: [itemsOut('HTTP Request', 'The response; a list becomes one item per element')],
  tags: ['http', 'api', 'rest', 'request', 'web', 'fetch', 'curl'],
  examples: [
    {
      name: 'Read from an API',
      description: 'A list of orders becomes one item per order.',
      configurations: { url: 'https://api.example.com/orders?status=open', method: 'GET' },
      output: { id: 1007, status: 'open' },
    },
    {
      name: 'Send JSON',
      description: 'Posts fields of the item.',
      configurations: {
        url: 'https://api.example.com/orders',
        method: 'POST',
        send_body: true,
        json_body: '={{ JSON.stringify({ name: $json.name }) }}',
      },
    },
  ],
  guidance:
    'Keep secrets out of url and headers: use authentication with a credential. To send JSON set sendBody true, contentType json, specifyBody json and jsonBody. A status of 400 or above fails the node; onError continueErrorOutput adds a branch for it. First check whether the service has its own node (search_nodes).',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'HTTP Request',
        parameters: { method: 'GET', url: 'https://example.com', authentication: 'none', options: { timeout: 10_000 } },
      }),
    ],
    connections: {},
  }),
};
