import { broken, type Case, changed, flow, gone, node, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'required-parameter';
const post = (parameters: object) => one('slack', 2.3, { select: 'channel', ...parameters });
const channel = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Nodes without parameters. The last one is a request, which needs them. */
const outline = (count: number, last = 'httpRequest') => {
  const names = Array.from({ length: count }, (_, index) => `N${index}`);
  const types = ['manualTrigger', ...names.slice(2).map(() => 'noOp'), last];
  const versions: Record<string, number> = { httpRequest: 4.2 };
  return flow(
    names.map((name, index) => node(name, types[index] as string, versions[types[index] as string] ?? 1)),
    names.slice(1).map((name, index) => `${names[index]} -> ${name}`),
  );
};

/** With a note, as in a shared workflow. */
const noted = (workflow: ReturnType<typeof flow>) =>
  changed(workflow, '/nodes/-', {
    ...node('Note', 'stickyNote', 1, { content: '' }),
    id: 'note',
    position: [0, 300],
  });

/** Marked as n8n's editor marks exports. */
const exported = (workflow: ReturnType<typeof flow>) => ({ ...workflow, meta: { instanceId: 'a1b2c3' } });
const mail = (sendTo: object) =>
  one('gmail', 2.1, { operation: 'send', subject: 'Hello', message: 'Hello', ...sendTo, options: {} });

export const cases: Case[] = [
  valid('a URL that is given', one('httpRequest', 4.2, { url: 'https://example.com' })),
  valid('a URL from an expression', one('httpRequest', 4.2, { url: '={{ $json.url }}' })),
  broken('no URL at all', one('httpRequest', 4.2, {}), [{ rule, path: at('url'), severity: 'error', says: 'url' }]),
  broken('an empty URL', one('httpRequest', 4.2, { url: '' }), [{ rule, path: at('url') }]),
  broken(
    'an empty URL, to save it',
    one('httpRequest', 4.2, { url: '' }),
    [{ rule, path: at('url'), severity: 'warning' }],
    {
      purpose: 'save',
    },
  ),
  broken(
    'an empty URL, to publish it',
    one('httpRequest', 4.2, { url: '' }),
    [{ rule, path: at('url'), severity: 'error' }],
    {
      ...alone,
      purpose: 'publish',
    },
  ),
  valid('a parameter that only another operation requires', post({ channelId: channel('C012345678'), text: 'Hello' }), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  broken(
    'a channel that is not chosen',
    post({ channelId: channel(''), text: 'Hello' }),
    [{ rule, path: at('channelId'), severity: 'warning', says: 'chosen' }],
    alone,
  ),
  broken(
    'a channel that is not chosen, to publish it',
    post({ channelId: channel(''), text: 'Hello' }),
    [{ rule, path: at('channelId'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken('an outline: five nodes without any parameters', outline(5), [
    { rule, path: '/nodes', severity: 'warning', says: 'No node has any parameters' },
  ]),
  broken('an outline, to publish it', outline(5), [{ rule, path: '/nodes', severity: 'error' }], {
    ...alone,
    purpose: 'publish',
  }),
  broken('a shared outline: nothing is left to judge', exported(outline(5)), [
    { rule, path: '/nodes', severity: 'info', says: 'No node has any parameters' },
  ]),
  broken('a shared outline, to publish it', exported(outline(5)), [{ rule, path: '/nodes', severity: 'error' }], {
    ...alone,
    purpose: 'publish',
  }),
  broken('an untouched node of a template', exported(noted(one('httpRequest', 4.2, { method: 'POST', options: {} }))), [
    { rule, path: at('url'), severity: 'warning', says: 'left for you' },
  ]),
  broken(
    'a missing URL in a node that is filled in, even in a template',
    exported(noted(one('httpRequest', 4.2, { sendBody: true, specifyBody: 'json', jsonBody: '{}', options: {} }))),
    [{ rule, path: at('url'), severity: 'error' }],
  ),
  broken('four nodes with forgotten parameters', outline(4), [
    { rule, path: '/nodes/3/parameters/url', severity: 'error' },
  ]),
  broken('an outline of three nodes, with a note', noted(outline(3)), [
    { rule, path: '/nodes', severity: 'warning', says: 'No node has any parameters' },
  ]),
  broken('two nodes without any parameters, and a note', noted(outline(2)), [
    { rule, path: '/nodes/1/parameters/url', severity: 'error' },
  ]),
  valid('five nodes that need none', outline(5, 'noOp')),
  broken(
    'a channel that is missing',
    post({ text: 'Hello' }),
    [{ rule, path: at('channelId'), severity: 'error' }],
    alone,
  ),
  broken('an e-mail without a recipient', mail({}), [{ rule, path: at('sendTo'), severity: 'error' }], alone),
  broken('an empty recipient', mail({ sendTo: '' }), [{ rule, path: at('sendTo'), severity: 'error' }], alone),
  broken(
    'a recipient that was removed after the export',
    exported(mail({ sendTo: '' })),
    [{ rule, path: at('sendTo'), severity: 'warning', says: 'left for you' }],
    alone,
  ),
  broken(
    'no recipient in an exported workflow: the editor does not save empty values',
    exported(mail({})),
    [{ rule, path: at('sendTo'), severity: 'warning', says: 'left for you' }],
    alone,
  ),
  broken(
    'no recipient in a template (notes and no name)',
    changed(noted(mail({})), '/name', gone),
    [{ rule, path: at('sendTo'), severity: 'warning', says: 'left for you' }],
    alone,
  ),
  broken(
    'a recipient that was removed, to publish it',
    exported(mail({ sendTo: '' })),
    [{ rule, path: at('sendTo'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken(
    'a channel that is an empty string',
    post({ channelId: '', text: 'Hello' }),
    [{ rule, path: at('channelId'), severity: 'warning', says: 'chosen' }],
    alone,
  ),
  broken(
    'no message, even in an exported workflow',
    exported(post({ channelId: channel('C012345678'), text: '' })),
    [{ rule, path: at('text'), severity: 'error' }],
    alone,
  ),
  broken(
    'no choice from a list of the account',
    one('supabase', 1, { operation: 'getAll', options: {} }),
    [{ rule, path: at('tableId'), severity: 'error' }],
    alone,
  ),
  broken(
    'no choice from a list of the account, in an exported workflow',
    exported(one('supabase', 1, { operation: 'getAll', options: {} })),
    [{ rule, path: at('tableId'), severity: 'warning', says: 'left for you' }],
    alone,
  ),
  broken(
    'no choice from a list of the account, to publish it',
    exported(one('supabase', 1, { operation: 'getAll', options: {} })),
    [{ rule, path: at('tableId'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken(
    'no event for a trigger',
    one('telegramTrigger', 1.2, { updates: [] }),
    [{ rule, path: at('updates') }],
    alone,
  ),
  valid('the same in a disabled node', one('httpRequest', 4.2, {}, { disabled: true })),
  broken(
    'a field of a form without a label',
    one('formTrigger', 2.2, { formTitle: 'A', formFields: { values: [{ fieldLabel: 'One' }, { fieldLabel: '' }] } }),
    [{ rule, path: at('formFields', 'values', 1, 'fieldLabel') }],
    alone,
  ),
];
