import type { World } from '../../../../src/validation/subject/subject.ts';
import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const next = node('Next', 'noOp', 1);
const hook = (name: string, parameters: Record<string, unknown>, webhookId?: string) =>
  node(name, 'webhook', 2, { options: {}, ...parameters }, webhookId === undefined ? {} : { webhookId });
const two = (first: Record<string, unknown>, second: Record<string, unknown>) =>
  flow([hook('A', first, 'a1'), hook('B', second, 'b2'), next], ['A -> Next', 'B -> Next']);
const clash = (path: string, says?: string) => ({
  rule: 'webhook-path-clash',
  path,
  severity: 'error' as const,
  ...(says !== undefined && { says }),
});
const telegram = (name: string, webhookId: string) =>
  node(
    name,
    'telegramTrigger',
    1.2,
    { updates: ['message'], additionalFields: {} },
    { webhookId, credentials: { telegramApi: { id: '1', name: 'Mine' } } },
  );
const form = (name: string, path: string, webhookId: string) =>
  node(
    name,
    'formTrigger',
    2.2,
    { formTitle: 'T', formFields: { values: [{ fieldLabel: 'Name' }] }, options: { path } },
    { webhookId },
  );
const tools = (name: string, path: string) => node(name, 'ai:mcpTrigger', 2, { path }, { webhookId: name });
const reckon = node('Reckon', 'ai:toolCalculator', 1);
const lone = flow([hook('A', { path: 'corpus-taken', httpMethod: 'POST' }, 'a1'), next], ['A -> Next']);
const world = (active: boolean, method = 'POST', self = 'me', path = '/corpus-taken/'): World => ({
  self: 'me',
  workflows: [
    {
      id: self,
      name: 'Other',
      active,
      nodes: [null, 7, { ...hook('X', { path, httpMethod: method }, 'x'), id: '1', position: [0, 0] }],
    },
  ],
});
const odd = (path: string, says: string, fixed: string | null = null) =>
  broken(`the path ${path}`, flow([hook('A', { path }, 'a1'), next], ['A -> Next']), [
    {
      rule: 'odd-webhook-path',
      path: '/nodes/0/parameters/path',
      severity: 'warning',
      says,
      fixed: fixed === null ? null : flow([hook('A', { path: fixed }, 'a1'), next], ['A -> Next']),
    },
  ]);

export const cases: Case[] = [
  broken('the same path twice', two({ path: 'corpus-one' }, { path: 'corpus-one' }), [
    clash('/nodes/1/parameters/path', '"A"'),
  ]),
  broken(
    'the same path with other slashes',
    two({ path: 'corpus-one' }, { path: ' /corpus-one/' }),
    [clash('/nodes/1/parameters/path')],
    { purpose: 'publish' },
  ),
  broken(
    'the same path twice, only to be saved',
    two({ path: 'corpus-one' }, { path: 'corpus-one' }),
    [{ rule: 'webhook-path-clash', path: '/nodes/1/parameters/path', severity: 'warning' }],
    { purpose: 'save' },
  ),
  broken(
    'one of several methods twice',
    two(
      { path: 'corpus-one', httpMethod: 'POST' },
      { path: 'corpus-one', multipleMethods: true, httpMethod: ['GET', 'POST'] },
    ),
    [clash('/nodes/1/parameters/path', 'POST')],
  ),
  valid(
    'one path with two methods',
    two({ path: 'corpus-one', httpMethod: 'POST' }, { path: 'corpus-one', httpMethod: 'GET' }),
  ),
  valid(
    'the same path with a variable part, which n8n tells apart by id',
    two({ path: 'corpus/:id' }, { path: 'corpus/:id' }),
  ),
  valid(
    'the same path twice, once disabled',
    changed(two({ path: 'corpus-one' }, { path: 'corpus-one' }), '/nodes/1/disabled', true),
  ),
  broken('a path from an expression', two({ path: '={{ $workflow.id }}' }, { path: '={{ $workflow.id }}' }), [
    clash('/nodes/1/parameters/path'),
  ]),
  valid('two paths from expressions', two({ path: '={{ $workflow.id }}-a' }, { path: '={{ $workflow.id }}-b' })),
  broken(
    'two triggers with the same id',
    flow([telegram('A', 'same'), telegram('B', 'same'), next], ['A -> Next', 'B -> Next']),
    [clash('/nodes/1/webhookId', 'webhookId')],
  ),
  valid(
    'two triggers with two ids',
    flow([telegram('A', 'one'), telegram('B', 'two'), next], ['A -> Next', 'B -> Next']),
  ),
  broken(
    'two forms with the same path',
    flow([form('A', 'corpus-form', 'f1'), form('B', 'corpus-form', 'f2'), next], ['A -> Next', 'B -> Next']),
    [clash('/nodes/1/webhookId')],
  ),
  broken(
    'two MCP servers with the same path',
    flow([tools('A', 'corpus-mcp'), tools('B', 'corpus-mcp'), reckon], ['Reckon -ai_tool-> A', 'Reckon -ai_tool-> B']),
    [clash('/nodes/1/parameters/path')],
  ),
  broken(
    'an MCP server and a webhook with the same path',
    flow(
      [tools('A', 'corpus-mcp'), hook('B', { path: 'corpus-mcp', httpMethod: 'POST' }, 'b'), reckon, next],
      ['Reckon -ai_tool-> A', 'B -> Next'],
    ),
    [clash('/nodes/1/parameters/path')],
  ),
  broken(
    'a path that another published workflow has',
    lone,
    [{ rule: 'webhook-path-taken', path: '/nodes/0/parameters/path', severity: 'error', says: '"Other" (w1)' }],
    { purpose: 'publish', world: world(true, 'POST', 'w1') },
  ),
  broken(
    'a path that another published workflow has, to run',
    lone,
    [{ rule: 'webhook-path-taken', path: '/nodes/0/parameters/path', severity: 'warning' }],
    { world: world(true, 'POST', 'w1') },
  ),
  valid('a path of a workflow that is not published', lone, {
    purpose: 'publish',
    world: world(false, 'POST', 'w1'),
  }),
  valid('a path that another workflow has for another method', lone, {
    purpose: 'publish',
    world: world(true, 'GET', 'w1'),
  }),
  valid('a path that the workflow itself has', lone, { purpose: 'publish', world: world(true) }),
  odd('https://n8n.example.com/webhook/orders', 'full URL', 'orders'),
  odd('/webhook/orders', 'twice', 'orders'),
  odd('orders?id=1', '"?"', 'orders'),
  odd('new orders', '%20', 'new-orders'),
  valid('a path with a slash in front', flow([hook('A', { path: '/corpus-slash' }, 'a1'), next], ['A -> Next'])),
  valid(
    'a webhook without an id, which n8n then gives it',
    flow([hook('A', { path: 'corpus-no-id' }), next], ['A -> Next']),
    { purpose: 'publish' },
  ),
];
