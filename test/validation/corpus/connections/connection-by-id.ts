import { broken, type Case, changed, flow, node } from '../../case.ts';

const right = flow(
  [node('Start', 'manualTrigger', 1), node('Next', 'noOp', 1), node('Last', 'noOp', 1)],
  ['Start -> Next', 'Next -> Last'],
);
const [start, next] = right.nodes.map(({ id }) => id) as [string, string, string];

export const cases: Case[] = [
  broken('the id of the target', changed(right, '/connections/Start/main/0/0/node', next), [
    {
      rule: 'connection-by-id',
      path: '/connections/Start/main/0/0/node',
      severity: 'error',
      says: '"Next"',
      fixed: right,
    },
  ]),
  broken(
    'the id of the source',
    { ...right, connections: { [start]: right.connections['Start'], Next: right.connections['Next'] } },
    [{ rule: 'connection-by-id', path: `/connections/${start}`, severity: 'error', says: '"Start"', fixed: right }],
  ),
  broken('the id of the source next to its name', changed(right, `/connections/${start}`, right.connections['Start']), [
    { rule: 'connection-by-id', path: `/connections/${start}`, fixed: null },
  ]),
];
