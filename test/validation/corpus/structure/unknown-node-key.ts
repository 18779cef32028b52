import { broken, type Case, changed, gone, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-node-key';
const save = { purpose: 'save' } as const;
const outside = changed(changed(sound, '/nodes/2/parameters/url', gone), '/nodes/2/url', 'https://example.com/orders');

export const cases: Case[] = [
  valid('a webhookId', changed(sound, '/nodes/0/webhookId', 'f9')),
  broken('a misspelt retryOnFail', changed(sound, '/nodes/2/retryOnFails', true), [
    { rule, path: '/nodes/2/retryOnFails', severity: 'warning', fixed: changed(sound, '/nodes/2/retryOnFail', true) },
  ]),
  broken('onError in lower case', changed(sound, '/nodes/2/onerror', 'continueRegularOutput'), [
    { rule, path: '/nodes/2/onerror', says: '"onError"' },
  ]),
  broken(
    'a colour, to be saved',
    changed(sound, '/nodes/2/color', '#fff'),
    [{ rule, path: '/nodes/2/color', fixed: sound }],
    save,
  ),
  broken(
    'a date of creation, to be saved',
    changed(sound, '/nodes/2/createdAt', '2020-01-01T00:00:00.000Z'),
    [{ rule, path: '/nodes/2/createdAt', severity: 'error', fixed: sound }],
    save,
  ),
  broken('a parameter next to the parameters', outside, [{ rule, path: '/nodes/2/url', says: 'parameter' }], {
    groups: ['structure'],
  }),
];
