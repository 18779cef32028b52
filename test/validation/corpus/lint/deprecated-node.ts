import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'deprecated-node';
const only = { groups: ['lint' as const] };
const after = (one: ReturnType<typeof node>) =>
  flow([node('Start', 'manualTrigger', 1), one], [`Start -> ${one.name}`]);

export const cases: Case[] = [
  valid('the current node', after(node('Count', 'code', 2, { jsCode: 'return [];' })), only),
  broken(
    'Function',
    after(node('Count', 'function', 1, { functionCode: 'return [];' })),
    [{ rule, path: '/nodes/1/type', severity: 'warning', says: 'n8n-nodes-base.code' }],
    only,
  ),
  broken(
    'Function in an exported workflow',
    {
      ...after(node('Count', 'function', 1, { functionCode: 'return [];' })),
      meta: { instanceId: 'a1b2c3' },
    },
    [{ rule, path: '/nodes/1/type', severity: 'info' }],
    only,
  ),
  broken(
    'several of them: one finding',
    flow(
      [
        node('Every day', 'cron', 1, { triggerTimes: { item: [{ hour: 9 }] } }),
        node('Count', 'function', 1, { functionCode: 'return items;' }),
        node('Again', 'functionItem', 1, { functionCode: 'return item;' }),
      ],
      ['Every day -> Count', 'Count -> Again'],
    ),
    [{ rule, path: '/nodes/0/type', severity: 'warning', says: '"Count" and "Again" are deprecated, too' }],
    only,
  ),
  broken(
    'Cron',
    flow([node('Every day', 'cron', 1, { triggerTimes: { item: [{ hour: 9 }] } })]),
    [{ rule, path: '/nodes/0/type', says: 'scheduleTrigger' }],
    only,
  ),
];
