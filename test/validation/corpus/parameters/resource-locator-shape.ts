import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'resource-locator-shape';
const post = (channelId: unknown) => one('slack', 2.3, { select: 'channel', channelId, text: 'Hello' });
const right = { __rl: true, mode: 'id', value: 'C012345678' };

export const cases: Case[] = [
  valid('by its id', post(right), { ...alone, warnings: ['missing-credential'] }),
  valid(
    'from the list, with the name that the editor stores',
    post({ ...right, mode: 'list', cachedResultName: 'general' }),
    { ...alone, warnings: ['missing-credential'] },
  ),
  valid('by an expression', post({ ...right, value: '={{ $json.channel }}' }), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  broken(
    'a bare string',
    post('C012345678'),
    [{ rule, path: at('channelId'), severity: 'warning', fixed: post(right) }],
    alone,
  ),
  broken(
    'a bare string for a node that reads mode and value',
    one('@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, { model: 'gpt-4o-mini', options: {} }),
    [{ rule, path: at('model'), severity: 'error' }],
    alone,
  ),
  broken(
    'no mode',
    post({ __rl: true, value: 'C012345678' }),
    [{ rule, path: at('channelId'), severity: 'error', fixed: post(right) }],
    alone,
  ),
  broken(
    'no mode, and a placeholder',
    post({ __rl: true, value: 'YOUR_CHANNEL_ID' }),
    [{ rule, path: at('channelId'), severity: 'warning' }],
    alone,
  ),
  broken(
    'no mode for a model, which reads only the value',
    one('ai:lmChatOpenAi', 1.2, { model: { __rl: true, value: 'gpt-4o-mini' }, options: {} }),
    [{ rule, path: at('model'), severity: 'warning' }],
    alone,
  ),
  broken('no value', post({ __rl: true, mode: 'id' }), [{ rule, path: at('channelId'), severity: 'error' }], alone),
  broken(
    'a value that was removed when the workflow was shared',
    post({ __rl: true, mode: 'list', cachedResultName: 'general' }),
    [{ rule, path: at('channelId'), severity: 'warning', says: 'Choose it again' }],
    alone,
  ),
  broken(
    'a value that was removed, to publish it',
    post({ __rl: true, mode: 'list', cachedResultName: 'general' }),
    [{ rule, path: at('channelId'), severity: 'error' }],
    { ...alone, purpose: 'publish' },
  ),
  broken(
    'a mode that does not exist',
    post({ ...right, mode: 'channel' }),
    [{ rule, path: at('channelId', 'mode'), severity: 'warning' }],
    alone,
  ),
  broken(
    'an object for a value',
    post({ ...right, value: { id: 'C012345678' } }),
    [{ rule, path: at('channelId', 'value') }],
    alone,
  ),
  broken('a list', post(['C012345678']), [{ rule, path: at('channelId'), severity: 'error' }], alone),
];
