import { broken, type Case, changed, flow, node, valid } from '../../case.ts';

const right = flow([node('Start', 'manualTrigger', 1), node('Get Orders', 'noOp', 1)], ['Start -> Get Orders']);

export const cases: Case[] = [
  broken(
    'a missing target',
    changed(right, '/connections/Get Orders', { main: [[{ node: 'Elsewhere', type: 'main', index: 0 }]] }),
    [
      {
        rule: 'unknown-connection-target',
        path: '/connections/Get Orders/main/0/0/node',
        severity: 'error',
        says: '"Elsewhere"',
      },
    ],
  ),
  broken('a target in another case', changed(right, '/connections/Start/main/0/0/node', 'get orders'), [
    {
      rule: 'unknown-connection-target',
      path: '/connections/Start/main/0/0/node',
      severity: 'error',
      says: '"Get Orders"',
      fixed: right,
    },
  ]),
  broken(
    'a misspelt target',
    changed(right, '/connections/Start/main/0/0/node', 'Get Ordrs'),
    [
      {
        rule: 'unknown-connection-target',
        path: '/connections/Start/main/0/0/node',
        says: 'Did you mean "Get Orders"',
        fixed: right,
      },
    ],
    { purpose: 'save' },
  ),
  broken(
    'a missing source',
    changed(right, '/connections/Gone', { main: [[{ node: 'Get Orders', type: 'main', index: 0 }]] }),
    [{ rule: 'unknown-connection-source', path: '/connections/Gone', severity: 'error', says: '"Gone"', fixed: right }],
  ),
  broken(
    'a missing source that leads nowhere',
    changed(right, '/connections/Gone', { main: [[]] }),
    [{ rule: 'unknown-connection-source', path: '/connections/Gone', severity: 'error' }],
    { purpose: 'save' },
  ),
  broken('a source with one space too many', { ...right, connections: { 'Start ': right.connections['Start'] } }, [
    { rule: 'unknown-connection-source', path: '/connections/Start ', says: 'Did you mean "Start"', fixed: right },
  ]),
  broken('a misspelt source that also has connections', changed(right, '/connections/Strat', { main: [[]] }), [
    { rule: 'unknown-connection-source', path: '/connections/Strat', says: 'Did you mean "Start"' },
  ]),
  broken(
    'a source called __proto__',
    {
      ...right,
      connections: JSON.parse(
        '{"__proto__":{"main":[[]]},"Start":{"main":[[{"node":"Get Orders","type":"main","index":0}]]}}',
      ),
    },
    [{ rule: 'unknown-connection-source', path: '/connections/__proto__' }],
  ),
  broken(
    'a target called constructor',
    changed(right, '/connections/Get Orders', { main: [[{ node: 'constructor', type: 'main', index: 0 }]] }),
    [{ rule: 'unknown-connection-target', path: '/connections/Get Orders/main/0/0/node' }],
  ),
  valid('an output that leads nowhere', changed(right, '/connections/Get Orders', { main: [null, []] })),
];
