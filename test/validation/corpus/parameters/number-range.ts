import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'number-range';
const loop = (batchSize: number) => one('splitInBatches', 3, { batchSize });

export const cases: Case[] = [
  valid('the minimum', one('limit', 1, { maxItems: 1 })),
  broken('less than the minimum', one('limit', 1, { maxItems: -1 }), [
    { rule, path: at('maxItems'), severity: 'error', says: 'at least 1' },
  ]),
  broken('batches of 0 items', loop(0), [{ rule, path: at('batchSize') }], { groups: ['structure', 'parameters'] }),
  broken(
    'an invalid status code',
    one('respondToWebhook', 1.1, { respondWith: 'noData', options: { responseCode: 999 } }),
    [{ rule, path: at('options', 'responseCode'), says: 'at most 599' }],
    { groups: ['structure', 'parameters'] },
  ),
];
