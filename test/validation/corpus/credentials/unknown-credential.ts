import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'unknown-credential';
const redis = (id: string, name = 'Cache') =>
  flow(
    [
      node('Start', 'manualTrigger', 1),
      node('Redis', 'redis', 1, { operation: 'set', key: 'a', value: 'b' }, { credentials: { redis: { id, name } } }),
    ],
    ['Start -> Redis'],
  );
const world = {
  credentials: [
    { id: 'r1', name: 'Cache', type: 'redis' },
    { id: 'p1', name: 'Cache', type: 'postgres' },
  ],
};
const path = '/nodes/1/credentials/redis';

export const cases: Case[] = [
  valid('a credential that exists', redis('r1'), { world }),
  valid('a credential of which nothing is known', redis('r9')),
  broken('a missing credential with a namesake', redis('r9'), [{ rule, path, severity: 'error', fixed: redis('r1') }], {
    world,
  }),
  broken(
    'a missing credential with a similar name',
    redis('r9', 'Cach'),
    [{ rule, path, says: '"Cache" (r1)', fixed: null }],
    {
      world,
    },
  ),
  broken(
    'a credential of a type that the instance does not have',
    redis('r9'),
    [{ rule, path, says: 'n8n_create_credential' }],
    {
      world: { credentials: [] },
    },
  ),
];
