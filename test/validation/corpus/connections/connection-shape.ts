import { broken, type Case, changed, flow, node } from '../../case.ts';

const right = flow([node('Start', 'manualTrigger', 1), node('Next', 'noOp', 1)], ['Start -> Next']);
const shape = (path: string, fixed?: unknown) => ({
  rule: 'connection-shape',
  path,
  severity: 'error' as const,
  ...(fixed !== undefined && { fixed }),
});

export const cases: Case[] = [
  broken(
    'targets without the list of outputs',
    changed(right, '/connections/Start/main', [{ node: 'Next', type: 'main', index: 0 }]),
    [shape('/connections/Start/main', right)],
  ),
  broken(
    'one target without any list',
    changed(right, '/connections/Start/main', { node: 'Next', type: 'main', index: 0 }),
    [shape('/connections/Start/main', right)],
  ),
  broken(
    'a list instead of kinds',
    changed(right, '/connections/Start', [[{ node: 'Next', type: 'main', index: 0 }]]),
    [shape('/connections/Start', null)],
  ),
  broken('a kind that is null', changed(right, '/connections/Start/main', null), [
    { rule: 'orphan-node', path: '/nodes/1' },
    shape('/connections/Start/main', null),
  ]),
  broken('only the name of the target', changed(right, '/connections/Start/main/0/0', 'Next'), [
    shape('/connections/Start/main/0/0', right),
  ]),
  broken(
    'an output that is an object',
    changed(right, '/connections/Start/main/0', { node: 'Next', type: 'main', index: 0 }),
    [shape('/connections/Start/main', right)],
  ),
  broken(
    'one of two outputs that is an object',
    changed(changed(right, '/connections/Start/main/-', []), '/connections/Start/main/0', {
      node: 'Next',
      type: 'main',
      index: 0,
    }),
    [shape('/connections/Start/main/0', changed(right, '/connections/Start/main/-', []))],
  ),
  broken('an output that is text', changed(right, '/connections/Start/main/0', 'Next'), [
    shape('/connections/Start/main/0', null),
  ]),
  broken('no target', changed(right, '/connections/Start/main/0/0', { type: 'main', index: 0 }), [
    { rule: 'orphan-node', path: '/nodes/1' },
    shape('/connections/Start/main/0/0', null),
  ]),
  broken('no type', changed(right, '/connections/Start/main/0/0', { node: 'Next', index: 0 }), [
    shape('/connections/Start/main/0/0'),
  ]),
  broken('no index', changed(right, '/connections/Start/main/0/0', { node: 'Next', type: 'main' }), [
    shape('/connections/Start/main/0/0', right),
  ]),
  broken('an index in quotes', changed(right, '/connections/Start/main/0/0/index', '0'), [
    shape('/connections/Start/main/0/0', right),
  ]),
  broken(
    'a negative index',
    changed(right, '/connections/Start/main/0/0/index', -1),
    [shape('/connections/Start/main/0/0', null)],
    { purpose: 'save' },
  ),
];
