import { broken, type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const steps = (...names: string[]) => names.map((name) => node(name, 'noOp', 1));
const clock = node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const off = <T extends object>(one: T): T => ({ ...one, disabled: true });
const sure = (name = 'Sure?') =>
  node(name, 'if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      combinator: 'and',
      conditions: [
        { id: 'c', leftValue: '={{ $json.a }}', rightValue: 'x', operator: { type: 'string', operation: 'equals' } },
      ],
    },
    options: {},
  });
const loop = (name = 'Loop', version = 3) =>
  node(name, 'splitInBatches', version, version < 3 ? { batchSize: 10 } : { options: {} });
const fetch = node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {} });
const code = node('Code', 'code', 2, { jsCode: 'return items;' });
const set = node('Set', 'set', 3.4, {
  assignments: { assignments: [{ id: 'a', name: 'f', value: 'x', type: 'string' }] },
  options: {},
});
const endless = (index: number, severity: 'error' | 'warning') => ({
  rule: 'endless-loop',
  path: `/nodes/${index}`,
  severity,
});

export const cases: Case[] = [
  broken('no trigger', flow(steps('A', 'B'), ['A -> B']), [{ rule: 'no-trigger', path: '/nodes', severity: 'error' }]),
  broken(
    'no trigger, only to be saved',
    flow(steps('A', 'B'), ['A -> B']),
    [{ rule: 'no-trigger', path: '/nodes', severity: 'warning' }],
    { purpose: 'save' },
  ),
  broken('a trigger that is disabled', flow([off(start), ...steps('A')], ['Start -> A']), [
    { rule: 'no-trigger', path: '/nodes/0/disabled', severity: 'error', says: '"Start"' },
  ]),
  broken(
    'only a manual trigger to publish',
    flow([start, ...steps('A')], ['Start -> A']),
    [{ rule: 'publish-trigger', path: '/nodes/0', severity: 'error' }],
    { purpose: 'publish' },
  ),
  broken(
    'a manual trigger and a clock that is disabled to publish',
    flow([start, off(clock), ...steps('A')], ['Start -> A', 'Clock -> A']),
    [{ rule: 'publish-trigger', path: '/nodes/0', severity: 'error' }],
    { purpose: 'publish' },
  ),
  broken(
    'a manual trigger and a node that waits to be called, to publish',
    flow([start, node('Hold', 'wait', 1.1, { resume: 'webhook', options: {} }, { webhookId: 'w' })], ['Start -> Hold']),
    [{ rule: 'publish-trigger', path: '/nodes/0', severity: 'warning' }],
    { purpose: 'publish' },
  ),
  valid('a manual trigger and a clock to publish', flow([start, clock, ...steps('A')], ['Start -> A', 'Clock -> A']), {
    purpose: 'publish',
  }),
  valid(
    'a trigger for other workflows to publish',
    flow(
      [node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), ...steps('A')],
      ['Called -> A'],
    ),
    { purpose: 'publish' },
  ),
  valid('a trigger for errors to publish', flow([node('Oh', 'errorTrigger', 1), ...steps('A')], ['Oh -> A']), {
    purpose: 'publish',
  }),
  broken(
    'two manual triggers',
    flow([start, node('Again', 'manualTrigger', 1), ...steps('A')], ['Start -> A', 'Again -> A']),
    [{ rule: 'too-many-of-type', path: '/nodes/1', severity: 'warning' }],
  ),
  valid('two clocks', flow([clock, { ...clock, name: 'Other' }, ...steps('A')], ['Clock -> A', 'Other -> A'])),
  broken('an unconnected node', flow([start, ...steps('A', 'Alone')], ['Start -> A']), [
    { rule: 'orphan-node', path: '/nodes/2', severity: 'warning' },
  ]),
  valid('a lone trigger', flow([start])),
  valid('an unconnected disabled node', flow([start, off(node('Alone', 'noOp', 1)), ...steps('A')], ['Start -> A'])),
  broken('an island', flow([start, ...steps('A', 'X', 'Y', 'Z')], ['Start -> A', 'X -> Y', 'Y -> Z']), [
    { rule: 'unreachable-node', path: '/nodes/2', severity: 'warning', says: '2 nodes' },
  ]),
  broken('a second start without a trigger', flow([start, ...steps('A', 'X')], ['Start -> A', 'X -> A']), [
    { rule: 'unreachable-node', path: '/nodes/2' },
  ]),
  valid(
    'after a trigger that is disabled',
    flow([start, off(clock), ...steps('A', 'B')], ['Start -> A', 'Clock -> B']),
  ),
  broken('a circle of steps', flow([start, ...steps('A', 'B')], ['Start -> A', 'A -> B', 'B -> A']), [
    endless(1, 'error'),
  ]),
  broken(
    'a circle of a request and a field',
    flow([start, fetch, set], ['Start -> Fetch', 'Fetch -> Set', 'Set -> Fetch']),
    [endless(1, 'warning')],
  ),
  broken('a node that leads to itself', flow([start, ...steps('A')], ['Start -> A', 'A -> A']), [endless(1, 'error')]),
  broken(
    'a circle with code that may return nothing',
    flow([start, fetch, code], ['Start -> Fetch', 'Fetch -> Code', 'Code -> Fetch']),
    [endless(1, 'warning')],
  ),
  broken(
    'a condition whose branches both lead back',
    flow([start, ...steps('A'), sure()], ['Start -> A', 'A -> Sure?', 'Sure?:0 -> A', 'Sure?:1 -> A']),
    [endless(1, 'error')],
  ),
  broken(
    'a circle next to a condition',
    flow(
      [start, ...steps('A', 'B'), sure(), ...steps('C')],
      ['Start -> A', 'A -> B', 'B -> A', 'B -> Sure?', 'Sure?:0 -> C'],
    ),
    [endless(1, 'error')],
  ),
  broken(
    'a circle through a condition that is disabled',
    flow(
      [start, ...steps('A'), off(sure()), ...steps('C')],
      ['Start -> A', 'A -> Sure?', 'Sure?:0 -> A', 'Sure?:1 -> C'],
    ),
    [endless(1, 'error')],
  ),
  valid(
    'a circle that waits for someone',
    flow(
      [start, fetch, node('Hold', 'wait', 1.1, { resume: 'webhook', options: {} }, { webhookId: 'w' })],
      ['Start -> Fetch', 'Fetch -> Hold', 'Hold -> Fetch'],
    ),
  ),
  valid(
    'pages until there are no more',
    flow(
      [start, fetch, sure(), ...steps('Last')],
      ['Start -> Fetch', 'Fetch -> Sure?', 'Sure?:0 -> Fetch', 'Sure?:1 -> Last'],
    ),
  ),
  valid(
    'a retry inside a loop over batches',
    flow(
      [start, loop(), fetch, sure(), ...steps('Done')],
      ['Start -> Loop', 'Loop:0 -> Done', 'Loop:1 -> Fetch', 'Fetch -> Sure?', 'Sure?:0 -> Fetch', 'Sure?:1 -> Loop'],
    ),
  ),
  valid(
    'a loop inside a loop',
    flow(
      [start, loop('Outer'), loop('Inner'), ...steps('Each', 'Done')],
      ['Start -> Outer', 'Outer:1 -> Inner', 'Inner:1 -> Each', 'Each -> Inner', 'Inner:0 -> Outer', 'Outer:0 -> Done'],
    ),
  ),
  valid(
    'a loop of the version before',
    flow(
      [start, loop('Loop', 2), ...steps('Each', 'Done')],
      ['Start -> Loop', 'Loop:0 -> Each', 'Each -> Loop', 'Loop:1 -> Done'],
    ),
  ),
  valid(
    'a loop of the first version',
    flow([start, loop('Loop', 1), ...steps('Each')], ['Start -> Loop', 'Loop:0 -> Each', 'Each -> Loop']),
  ),
  broken(
    'a loop with its outputs reversed',
    flow(
      [start, loop(), ...steps('Each', 'Done')],
      ['Start -> Loop', 'Loop:0 -> Each', 'Each -> Loop', 'Loop:1 -> Done'],
    ),
    [{ rule: 'reversed-loop-outputs', path: '/nodes/1', severity: 'error', says: 'swapped' }],
  ),
  broken(
    'a loop of the version before with its outputs reversed',
    flow(
      [start, loop('Loop', 2), ...steps('Each', 'Done')],
      ['Start -> Loop', 'Loop:1 -> Each', 'Each -> Loop', 'Loop:0 -> Done'],
    ),
    [{ rule: 'reversed-loop-outputs', path: '/nodes/1', severity: 'error' }],
  ),
  broken(
    'a loop that restarts when it is done',
    flow(
      [start, loop(), ...steps('Each', 'Again')],
      ['Start -> Loop', 'Loop:1 -> Each', 'Each -> Loop', 'Loop:0 -> Again', 'Again -> Loop'],
    ),
    [endless(1, 'error')],
  ),
  broken('a loop with only "done" connected', flow([start, loop(), ...steps('A')], ['Start -> Loop', 'Loop:0 -> A']), [
    { rule: 'reversed-loop-outputs', path: '/nodes/1', severity: 'error', says: 'Nothing is connected' },
  ]),
  broken(
    'a loop that does not come back',
    flow([start, loop(), ...steps('Each', 'Done')], ['Start -> Loop', 'Loop:1 -> Each', 'Loop:0 -> Done']),
    [{ rule: 'open-loop', path: '/nodes/1', severity: 'warning' }],
  ),
];
