import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unknown-resource';

export const cases: Case[] = [
  valid('a resource that exists', one('slack', 2.3, { resource: 'channel', operation: 'getAll' }), {
    ...alone,
    warnings: ['missing-credential'],
  }),
  valid('a resource from an expression', one('slack', 2.3, { resource: '={{ $json.what }}', operation: 'getAll' }), {
    ...alone,
    warnings: ['expression-not-taken', 'missing-credential'],
  }),
  broken(
    'a typo',
    one('slack', 2.3, { resource: 'chanel', operation: 'getAll' }),
    [
      {
        rule,
        path: at('resource'),
        severity: 'error',
        says: '"channel"',
        fixed: one('slack', 2.3, { resource: 'channel', operation: 'getAll' }),
      },
    ],
    alone,
  ),
];
