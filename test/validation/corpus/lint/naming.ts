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
  valid('a default name among others', two('HTTP Request', 'Tell the team'), only),
  broken(
    'only default names',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('HTTP Request', 'httpRequest', 4.2, { url: 'https://example.com' }),
        node('Code', 'code', 2, { jsCode: 'return [];' }),
        node('Wait', 'wait', 1.1),
        node('Limit', 'limit', 1),
      ],
      ['Start -> HTTP Request', 'HTTP Request -> Code', 'Code -> Wait', 'Wait -> Limit'],
    ),
    [{ rule: 'default-name', path: '/nodes/1/name', severity: 'info', says: '"Code"' }],
    only,
  ),
  broken(
    'names that differ in capitals',
    two('Get Order', 'get  order'),
    [{ rule: 'similar-names', path: '/nodes/2/name', severity: 'info', says: 'Get Order' }],
    only,
  ),
  broken(
    'three names that differ in capitals and spaces: one finding',
    flow(
      [
        node('Start', 'manualTrigger', 1),
        node('Get Order', 'noOp', 1),
        node('get order', 'noOp', 1),
        node('get_order', 'noOp', 1),
      ],
      ['Start -> Get Order', 'Get Order -> get order', 'get order -> get_order'],
    ),
    [{ rule: 'similar-names', path: '/nodes/2/name', severity: 'info', says: '"get_order"' }],
    only,
  ),
];
