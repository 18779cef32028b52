import { expect, test } from 'vitest';
import type { Node } from '../client/shapes.ts';
import { addressesOf } from './addresses.ts';
import { copiedNodes } from './copied-nodes.ts';

const node = (type: string, parameters: Record<string, unknown>, more: Partial<Node> = {}): Node => ({
  id: `id of ${JSON.stringify(parameters)}`,
  name: type,
  type,
  position: [0, 0],
  parameters,
  ...more,
});
const webhook = (path: unknown, webhookId?: string) =>
  node('n8n-nodes-base.webhook', { path }, { ...(webhookId !== undefined && { webhookId }) });
const copyOf = (one: Node): Node => copiedNodes({ nodes: [one], nodeGroups: [] }).nodes[0] as Node;

test.each([
  ['orders', /^orders-[0-9a-f]{8}$/],
  ['orders-0123abcd', /^orders-(?!0123abcd)[0-9a-f]{8}$/],
  ['/shop/orders', /^\/shop-[0-9a-f]{8}\/orders$/],
  ['orders/:id', /^orders-[0-9a-f]{8}\/:id$/],
  [':id', /^[0-9a-f]{8}\/:id$/],
  ['={{ $json.x }}', /^=\{\{ \$json\.x \}\}$/],
])('a webhook at %s gets a new path', (path, own) => {
  const copy = copyOf(webhook(path, 'old'));
  expect(copy.parameters.path).toMatch(own);
  expect(copy.webhookId).not.toBe('old');
});

test('a path that equals the webhook id becomes the new id, and a webhook without an id gets one', () => {
  const copy = copyOf(webhook('old', 'old'));
  expect(copy.parameters.path).toBe(copy.webhookId);
  expect(copyOf(webhook('orders')).webhookId).toMatch(/^[0-9a-f-]{36}$/);
});

test('forms, chats and MCP servers get new paths; other nodes keep theirs', () => {
  const form = copyOf(node('n8n-nodes-base.formTrigger', { options: { path: 'survey', x: 1 } }, { webhookId: 'f' }));
  expect(form.parameters.options).toEqual({ path: expect.stringMatching(/^survey-/) as string, x: 1 });
  const server = copyOf(node('@n8n/n8n-nodes-langchain.mcpTrigger', { path: 'tools' }, { webhookId: 'm' }));
  expect(server.parameters.path).toMatch(/^tools-/);
  const chat = copyOf(node('@n8n/n8n-nodes-langchain.chatTrigger', { public: true }, { webhookId: 'c' }));
  const wait = copyOf(node('n8n-nodes-base.wait', { resume: 'webhook', path: 'p' }, { webhookId: 'w' }));
  expect(wait.webhookId).not.toBe('w');
  expect(wait.parameters.path).toBe('p');
  expect(copyOf(node('n8n-nodes-base.ftp', { path: '/tmp' }))).toMatchObject({ parameters: { path: '/tmp' } });
  const addresses = addressesOf('http://n8n/', { nodes: [form, server, chat, wait] });
  expect(addresses.map(({ url }) => url)).toEqual([
    `http://n8n/form/${(form.parameters.options as { path: string }).path}`,
    `http://n8n/mcp/${server.parameters.path as string}`,
    `http://n8n/webhook/${chat.webhookId}/chat`,
  ]);
});

test('groups contain the nodes of the copy', () => {
  const original = webhook('orders', 'old');
  const { nodes, nodeGroups, shared } = copiedNodes({
    nodes: [original, webhook('=x')],
    nodeGroups: [{ id: 'g', nodeIds: [original.id, 'gone'] }],
  });
  expect(nodeGroups).toEqual([{ id: expect.not.stringMatching(/^g$/) as string, nodeIds: [nodes[0]?.id] }]);
  expect(shared).toEqual(['n8n-nodes-base.webhook']);
});
