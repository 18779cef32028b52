import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'schedule-interval';
const every = (interval: object) =>
  flow(
    [node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [interval] } }), node('Next', 'noOp', 1)],
    ['Clock -> Next'],
  );
const place = (name: string) => `/nodes/0/parameters/rule/interval/0/${name}`;

export const cases: Case[] = [
  valid('every ten minutes', every({ field: 'minutes', minutesInterval: 10 })),
  broken('every 0 minutes', every({ field: 'minutes', minutesInterval: 0 }), [
    { rule, path: place('minutesInterval'), severity: 'error' },
  ]),
  broken('every 90 minutes', every({ field: 'minutes', minutesInterval: 90 }), [
    { rule, path: place('minutesInterval'), says: 'use hours' },
  ]),
  broken('every 24 hours', every({ field: 'hours', hoursInterval: 24 }), [
    { rule, path: place('hoursInterval'), says: 'use days' },
  ]),
  broken('every -1 months', every({ field: 'months', monthsInterval: -1 }), [{ rule, path: place('monthsInterval') }]),
];
