import { broken, type Case, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'bad-pin-data';
const pinned = (pinData: unknown) => ({ ...sound, pinData });

export const cases: Case[] = [
  valid('items', pinned({ Fetch: [{ json: { total: 3 } }] })),
  valid('items without json', pinned({ Fetch: [{ total: 3 }] })),
  valid('of a missing node', pinned({ Gone: [{ json: {} }] })),
  broken('an object for a node', pinned({ Fetch: { json: {} } }), [
    { rule, path: '/pinData/Fetch', severity: 'error' },
  ]),
  broken(
    'an object for a node, to be saved',
    pinned({ Fetch: { json: {} } }),
    [{ rule, path: '/pinData/Fetch', severity: 'warning' }],
    { purpose: 'save' },
  ),
  broken('a list of numbers', pinned({ Fetch: [1, 2] }), [{ rule, path: '/pinData/Fetch', says: 'list of items' }]),
  broken('a list instead of an object', pinned([{ json: {} }]), [{ rule, path: '/pinData' }]),
];
