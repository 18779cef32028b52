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
  valid('one that is there', redis('r1'), { world }),
  valid('one of which nothing is known', redis('r9')),
  broken('one that is gone, with a namesake', redis('r9'), [{ rule, path, severity: 'error', fixed: redis('r1') }], {
    world,
  }),
  broken('one with a name nearly like it', redis('r9', 'Cach'), [{ rule, path, says: '"Cache" (r1)', fixed: null }], {
    world,
  }),
  broken('one of a type of which there is none', redis('r9'), [{ rule, path, says: 'n8n_create_credential' }], {
    world: { credentials: [] },
  }),
];
