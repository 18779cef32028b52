import { broken, type Case, flow, node } from '../../case.ts';
import { valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'value-form';
const tool = (name: unknown) =>
  flow([node('Tool', 'ai:toolCode', 1.1, { name, description: 'Adds up', jsCode: 'return "1"' })], []);
const respond = (redirectURL: string) => one('respondToWebhook', 1.1, { respondWith: 'redirect', redirectURL });
const set = (jsonOutput: string) => one('set', 3.4, { mode: 'raw', jsonOutput });

export const cases: Case[] = [
  valid('a tool name', tool('add_up'), { ...alone, warnings: ['no-trigger', 'unused-sub-node'] }),
  broken(
    'a tool name with a space',
    tool('add up'),
    [{ rule, path: '/nodes/0/parameters/name', severity: 'error' }],
    alone,
  ),
  broken('the same, to save it', tool('add up'), [{ rule, path: '/nodes/0/parameters/name', severity: 'warning' }], {
    ...alone,
    purpose: 'save',
  }),
  valid('a URL to redirect to', respond('https://example.com/thanks'), {
    ...alone,
    warnings: ['respond-without-webhook'],
  }),
  broken('no URL', respond('https://exa mple'), [{ rule, path: at('redirectURL') }], alone),
  valid('an object', set('{ "a": 1 }')),
  broken('a list instead of an object', set('[1, 2]'), [{ rule, path: at('jsonOutput'), says: 'object' }]),
];
