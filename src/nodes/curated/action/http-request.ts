import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.httpRequest';

export const httpRequest: CuratedSpec = {
  type: 'ACTION',
  subtype: 'HTTP_REQUEST',
  nodes: [NODE],
  names: true,
  description: 'Calls any HTTP address and gives what it answers. The way to services that have no node of their own.',
  configurations: {
    url: {
      type: 'string',
      description: 'Whole address; may be an expression',
      required: true,
      default: 'https://example.com',
      validationPattern: '^(=|https?://).+',
      at: 'HTTP Request: url',
    },
    method: {
      type: 'string',
      description: 'Which method',
      default: 'GET',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      at: 'HTTP Request: method',
    },
    authentication: {
      type: 'string',
      description:
        'none, a credential of a service that n8n knows (then nodeCredentialType names it), or a general one such as httpHeaderAuth (then genericAuthType names it)',
      default: 'none',
      options: ['none', 'predefinedCredentialType', 'genericCredentialType'],
      at: 'HTTP Request: authentication',
    },
    send_body: { type: 'boolean', description: 'Whether a body is sent', default: false, at: 'HTTP Request: sendBody' },
    json_body: {
      type: 'string',
      description: 'JSON text or an expression that gives it; with sendBody true and specifyBody json',
      at: 'HTTP Request: jsonBody',
    },
    timeout: {
      type: 'integer',
      description: 'How many milliseconds to wait for the answer',
      default: 10000,
      min: 1,
      at: 'HTTP Request: options.timeout',
    },
  },
  inputParams: {},
  outputParams: {
    data: {
      type: 'any',
      description: 'The text where the answer is not JSON; a JSON object is the item itself, of a list each element',
    },
  },
  inputPorts: [itemsIn('HTTP Request', 'One request for each item')],
  outputPorts: [itemsOut('HTTP Request', 'The answer; one item for each element where it is a list')],
  tags: ['http', 'api', 'rest', 'request', 'web', 'fetch', 'curl'],
  examples: [
    {
      name: 'Read from an API',
      description: 'A list of orders becomes one item each.',
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
    'Keep secrets out of url and headers: use authentication with a credential. To send JSON set sendBody true, contentType json, specifyBody json and jsonBody. An answer of 400 or above fails the node; onError continueErrorOutput gives it a branch. Look for a node of the service first (search_nodes).',
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
