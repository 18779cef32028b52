import { broken, type Case, flow, node, valid } from '../../case.ts';

const only = { groups: ['lint' as const] };
const fetch = (version: number) =>
  flow(
    [node('Start', 'manualTrigger', 1), node('Fetch', 'httpRequest', version, { url: 'https://example.com' })],
    ['Start -> Fetch'],
  );

export const cases: Case[] = [
  valid('a version with the same major number', fetch(4.1), only),
  broken(
    'an older major version',
    fetch(2),
    [{ rule: 'outdated-version', path: '/nodes/1/typeVersion', severity: 'info', says: 'outdated' }],
    only,
  ),
  broken(
    'two of them: one finding',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Fetch', 'httpRequest', 2, { url: 'https://example.com' }),
        node('Check', 'if', 1),
      ],
      ['Start -> Fetch', 'Fetch -> Check'],
    ),
    [{ rule: 'outdated-version', path: '/nodes/1/typeVersion', says: '"Check"' }],
    only,
  ),
];
