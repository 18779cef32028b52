import { broken, type Case, flow, node, valid } from '../../case.ts';

const start = node('Start', 'manualTrigger', 1);
const hourly = node('Every hour', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const off = node('Every day', 'scheduleTrigger', 1.2, { rule: { interval: [{}] } }, { disabled: true });
const next = node('Next', 'noOp', 1);

export const cases: Case[] = [
  valid('two triggers that lead to one node', flow([start, hourly, next], ['Start -> Next', 'Every hour -> Next'])),
  broken('a trigger that leads nowhere, beside one that does', flow([start, hourly, next], ['Start -> Next']), [
    { rule: 'idle-trigger', path: '/nodes/1', severity: 'info', says: 'Every hour' },
  ]),
  broken(
    'a trigger that leads nowhere, to publish it',
    flow([start, hourly, next], ['Start -> Next']),
    [{ rule: 'idle-trigger', path: '/nodes/1', severity: 'warning' }],
    { purpose: 'publish' },
  ),
  valid('one that is disabled', flow([start, off, next], ['Start -> Next'])),
];
