import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const hook = (parameters: Record<string, unknown> = {}, name = 'Hook') =>
  node(name, 'webhook', 2, { path: 'corpus-answer', options: {}, ...parameters }, { webhookId: name });
const first = <T extends object>(one: T, typeVersion = 1): T => ({ ...one, typeVersion });
const byNode = hook({ responseMode: 'responseNode' });
const answer = node('Answer', 'respondToWebhook', 1.4, { respondWith: 'noData', options: {} });
const steps = (...names: string[]) => names.map((name) => node(name, 'noOp', 1));
const start = node('Start', 'manualTrigger', 1);
const form = (more: Record<string, unknown> = {}, version = 2.2) =>
  node(
    'Form',
    'formTrigger',
    version,
    { formTitle: 'T', formFields: { values: [{ fieldLabel: 'Name' }] }, options: {}, ...more },
    { webhookId: 'f' },
  );
const page = (
  name: string,
  parameters: Record<string, unknown> = { formFields: { values: [{ fieldLabel: 'Age' }] } },
) => node(name, 'form', 1, { options: {}, ...parameters }, { webhookId: name });
const ending = (name: string) => page(name, { operation: 'completion', completionTitle: 'Thanks' });
const hold = node(
  'Hold',
  'wait',
  1.1,
  { resume: 'webhook', responseMode: 'responseNode', options: {} },
  { webhookId: 'w' },
);
const chat = (options: object, mode = 'hostedChat') =>
  node('Chat', 'ai:chatTrigger', 1.3, { public: true, mode, options }, { webhookId: 'c' });
const say = node('Say', 'ai:chat', 1, { message: 'Hello', options: {} });
const off = <T extends object>(one: T): T => ({ ...one, disabled: true });
const missing = (path: string, severity: 'error' | 'warning' = 'error') => ({
  rule: 'respond-node-missing',
  path,
  severity,
});
const unused = (index: number) => ({
  rule: 'respond-node-unused',
  path: `/nodes/${index}`,
  severity: 'error' as const,
});

export const cases: Case[] = [
  broken('nobody answers', flow([byNode, ...steps('A')], ['Hook -> A']), [missing('/nodes/0/parameters/responseMode')]),
  broken(
    'nobody answers this one',
    flow(
      [byNode, ...steps('A'), hook({ path: 'corpus-other', responseMode: 'responseNode' }, 'Other'), answer],
      ['Hook -> A', 'Other -> Answer'],
    ),
    [{ ...missing('/nodes/0/parameters/responseMode'), says: '"Answer" cannot be reached' }],
  ),
  broken('the node that answers is disabled', flow([byNode, off(answer)], ['Hook -> Answer']), [
    missing('/nodes/0/parameters/responseMode', 'warning'),
  ]),
  broken('a webhook that answers at once, and a node that answers', flow([hook(), answer], ['Hook -> Answer']), [
    {
      ...unused(1),
      says: 'onReceived',
      fixed: changed(flow([hook(), answer], ['Hook -> Answer']), '/nodes/0/parameters/responseMode', 'responseNode'),
    },
  ]),
  // Before version 2 n8n accepts the call, whatever answers it.
  broken('nobody answers, in the first version', flow([first(byNode), ...steps('A')], ['Hook -> A']), [
    { ...missing('/nodes/0/parameters/responseMode', 'warning'), says: 'an empty answer' },
  ]),
  broken('an answer that reaches nobody, in version 1.1', flow([first(hook(), 1.1), answer], ['Hook -> Answer']), [
    { ...unused(1), severity: 'warning', says: 'reaches nobody' },
  ]),
  broken(
    'a webhook that answers at the end, and a node that answers on one branch',
    flow([hook({ responseMode: 'lastNode' }), ...steps('A', 'B'), answer], ['Hook -> A', 'A -> B', 'A -> Answer']),
    [{ ...unused(3), says: 'lastNode' }],
  ),
  valid(
    'a webhook that is disabled, and a node that answers another',
    flow(
      [off(hook({ path: 'corpus-off' })), hook({ responseMode: 'responseNode' }, 'Other'), answer],
      ['Hook -> Answer', 'Other -> Answer'],
    ),
  ),
  valid('a node that answers a Wait node in between', flow([hook(), hold, answer], ['Hook -> Hold', 'Hold -> Answer'])),
  broken('a Wait node that nobody answers', flow([start, hold, ...steps('A')], ['Start -> Hold', 'Hold -> A']), [
    missing('/nodes/1/parameters/responseMode', 'warning'),
  ]),
  broken('an answer without a question', flow([start, answer], ['Start -> Answer']), [
    { rule: 'respond-without-webhook', path: '/nodes/1', severity: 'error' },
  ]),
  broken(
    'an answer without a question in the first version',
    flow([start, { ...answer, typeVersion: 1 }], ['Start -> Answer']),
    [{ rule: 'respond-without-webhook', path: '/nodes/1', severity: 'warning' }],
  ),
  valid('an answer to one of two starts', flow([start, byNode, answer], ['Start -> Answer', 'Hook -> Answer'])),
  broken('a form with a node that should answer it', flow([form(), answer], ['Form -> Answer']), [
    { ...unused(1), says: 'completion' },
  ]),
  broken(
    'an old form that does not let a node answer',
    flow([form({ path: 'corpus-old', options: {} }, 2.1), answer], ['Form -> Answer']),
    [unused(1)],
  ),
  valid(
    'a form of two pages with an ending',
    flow([form(), page('Second'), ending('End')], ['Form -> Second', 'Second -> End']),
  ),
  broken('a page without its form', flow([start, page('Page')], ['Start -> Page']), [
    { rule: 'form-page-without-form', path: '/nodes/1', severity: 'error', says: 'formTrigger' },
  ]),
  broken('a page after the ending', flow([form(), ending('End'), page('Late')], ['Form -> End', 'End -> Late']), [
    { rule: 'form-page-without-form', path: '/nodes/1', severity: 'error', says: '"Late"' },
  ]),
  valid('a chat that a node answers', flow([chat({ responseMode: 'responseNodes' }), say], ['Chat -> Say'])),
  broken('a chat that does not let a node answer', flow([chat({}), say], ['Chat -> Say']), [
    { rule: 'chat-without-chat-trigger', path: '/nodes/1', severity: 'error', says: 'responseNodes' },
  ]),
  broken('a node that answers no chat', flow([start, say], ['Start -> Say']), [
    { rule: 'chat-without-chat-trigger', path: '/nodes/1', severity: 'error', says: 'chatTrigger' },
  ]),
  broken(
    'a chat that waits for a node to answer',
    flow([chat({ responseMode: 'responseNode' }, 'webhook'), ...steps('A')], ['Chat -> A']),
    [missing('/nodes/0/parameters/options/responseMode', 'warning')],
  ),
];
