import { broken, type Case, flow, node, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'required-parameter';
const post = (parameters: object) => one('slack', 2.3, { select: 'channel', ...parameters });
const channel = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Nodes of which none has parameters; the last is a request, which needs them. */
const outline = (count: number, last = 'httpRequest') => {
  const names = Array.from({ length: count }, (_, index) => `N${index}`);
  const types = ['manualTrigger', ...names.slice(2).map(() => 'noOp'), last];
  const versions: Record<string, number> = { httpRequest: 4.2 };
  return flow(
    names.map((name, index) => node(name, types[index] as string, versions[types[index] as string] ?? 1)),
    names.slice(1).map((name, index) => `${names[index]} -> ${name}`),
  );
};

export const cases: Case[] = [
  valid('a URL that is given', one('httpRequest', 4.2, { url: 'https://example.com' })),
  valid('a URL that an expression gives', one('httpRequest', 4.2, { url: '={{ $json.url }}' })),
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
  valid(
    'what is required only for another operation',
    post({ channelId: channel('C012345678'), text: 'Hello' }),
    alone,
  ),
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
    { rule, path: '/nodes', severity: 'warning', says: 'None of the nodes' },
  ]),
  broken('an outline, to publish it', outline(5), [{ rule, path: '/nodes', severity: 'error' }], {
    ...alone,
    purpose: 'publish',
  }),
  broken('four nodes without any parameters, which somebody forgot', outline(4), [
    { rule, path: '/nodes/3/parameters/url', severity: 'error' },
  ]),
  valid('five nodes that need none', outline(5, 'noOp')),
  broken('a channel that is missing', post({ text: 'Hello' }), [{ rule, path: at('channelId') }], alone),
  broken(
    'nobody to send a mail to',
    one('gmail', 2.1, { operation: 'send', subject: 'Hello', message: 'Hello' }),
    [{ rule, path: at('sendTo') }],
    alone,
  ),
  broken(
    'no event for a trigger',
    one('telegramTrigger', 1.2, { updates: [] }),
    [{ rule, path: at('updates') }],
    alone,
  ),
  valid('the same in a node that is switched off', one('httpRequest', 4.2, {}, { disabled: true })),
  broken(
    'a field of a form without a label',
    one('formTrigger', 2.2, { formTitle: 'A', formFields: { values: [{ fieldLabel: 'One' }, { fieldLabel: '' }] } }),
    [{ rule, path: at('formFields', 'values', 1, 'fieldLabel') }],
    alone,
  ),
];
