import { broken, type Case, changed, flow, gone, node, valid } from '../../case.ts';
import { alone } from '../../one-node.ts';

const rule = 'invalid-cron';
const schedule = (expression: string) =>
  flow(
    [
      node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'cronExpression', expression }] } }),
      node('Next', 'noOp', 1),
    ],
    ['Clock -> Next'],
  );
const cron = (cronExpression: string) =>
  flow(
    [
      node('Clock', 'cron', 1, { triggerTimes: { item: [{ mode: 'custom', cronExpression }] } }),
      node('Next', 'noOp', 1),
    ],
    ['Clock -> Next'],
  );
const poll = (cronExpression: string) =>
  flow(
    [
      node('Mail', 'gmailTrigger', 1.2, { pollTimes: { item: [{ mode: 'custom', cronExpression }] } }),
      node('Next', 'noOp', 1),
    ],
    ['Mail -> Next'],
  );
const path = '/nodes/0/parameters/rule/interval/0/expression';

export const cases: Case[] = [
  valid('9:00 on weekdays', schedule('0 9 * * 1-5')),
  valid('with seconds', schedule('*/30 * * * * *')),
  valid('names', schedule('0 9 * JAN,JUL MON-FRI')),
  valid('the last of February in leap years', schedule('0 0 29 2 *')),
  valid('an expression', schedule('={{ $vars.cron }}')),
  broken('numbers out of range', schedule('99 99 * * *'), [{ rule, path, severity: 'error', says: 'minute is 99' }]),
  broken('three parts', schedule('0 9 *'), [{ rule, path, says: 'it has 3 parts' }]),
  broken('seven parts', schedule('0 0 9 * * 1 2026'), [{ rule, path }]),
  broken('a step of 0', schedule('*/0 * * * *'), [{ rule, path, says: 'step of 0' }]),
  broken('a range that runs backwards', schedule('0 17-9 * * *'), [{ rule, path, says: 'backwards' }]),
  broken('words', schedule('every day at nine'), [{ rule, path }]),
  broken('a day that never comes', schedule('0 0 31 2 *'), [{ rule, path, says: 'never' }]),
  broken('characters that n8n does not know', schedule('0 0 L * *'), [{ rule, path }]),
  valid(
    'a kind of interval from an expression',
    changed(schedule(''), '/nodes/0/parameters/rule/interval/0', { field: '=days', triggerAtHour: 11 }),
  ),
  broken('none', changed(schedule(''), path, gone), [{ rule, path, severity: 'error', says: 'empty' }]),
  broken(
    'under a name that the node does not have',
    changed(schedule(''), '/nodes/0/parameters/rule/interval/0', {
      field: 'cronExpression',
      cronExpression: '0 9 * * 1',
    }),
    [
      { rule: 'unknown-parameter', path: '/nodes/0/parameters/rule/interval/0/cronExpression', severity: 'warning' },
      { rule, path, severity: 'error' },
    ],
  ),
  broken(
    'in the node Cron',
    cron('61 * * * *'),
    [{ rule, path: '/nodes/0/parameters/triggerTimes/item/0/cronExpression' }],
    alone,
  ),
  valid('polling times', poll('*/5 * * * *'), { ...alone, warnings: ['missing-credential'] }),
  broken(
    'in polling times',
    poll('*/5 25 * * *'),
    [{ rule, path: '/nodes/0/parameters/pollTimes/item/0/cronExpression' }],
    alone,
  ),
];
