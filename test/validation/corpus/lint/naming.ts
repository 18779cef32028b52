import { broken, type Case, flow, node, valid } from '../../case.ts';

const only = { groups: ['lint' as const] };
const two = (one: string, other: string) =>
  flow(
    [node('Start', 'manualTrigger', 1), node(one, 'noOp', 1), node(other, 'noOp', 1)],
    [`Start -> ${one}`, `${one} -> ${other}`],
  );

export const cases: Case[] = [
  valid('names that say something', two('Wait for the answer', 'Quarter 1'), only),
  broken(
    'a name and a number',
    two('Begin', 'No Operation, do nothing1'),
    [{ rule: 'default-name', path: '/nodes/2/name', severity: 'info' }],
    only,
  ),
  broken(
    'names that differ in capitals',
    two('Get Order', 'get  order'),
    [{ rule: 'similar-names', path: '/nodes/2/name', severity: 'warning', says: 'Get Order' }],
    only,
  ),
];
