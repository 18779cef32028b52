import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'schedule-interval';
const every = (interval: object, version = 1.3) =>
  flow(
    [node('Clock', 'scheduleTrigger', version, { rule: { interval: [interval] } }), node('Next', 'noOp', 1)],
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
  // Before 1.3 n8n accepts any number, and some of them work.
  valid('every 60 minutes of an earlier version', every({ field: 'minutes', minutesInterval: 60 }, 1.2)),
  valid('every 90 minutes of an earlier version', every({ field: 'minutes', minutesInterval: 90 }, 1.1)),
  valid('every 40 days of an earlier version', every({ field: 'days', daysInterval: 40 }, 1.2)),
  broken('every 24 hours of an earlier version', every({ field: 'hours', hoursInterval: 24 }, 1.2), [
    { rule, path: place('hoursInterval'), severity: 'error', says: 'once and never again' },
  ]),
  broken('every 90 seconds of an earlier version', every({ field: 'seconds', secondsInterval: 90 }, 1.2), [
    { rule, path: place('secondsInterval'), severity: 'error', says: 'every minute' },
  ]),
  broken('every 0 minutes of an earlier version', every({ field: 'minutes', minutesInterval: 0 }, 1.2), [
    { rule, path: place('minutesInterval'), severity: 'error' },
  ]),
  broken('every -1 months', every({ field: 'months', monthsInterval: -1 }), [{ rule, path: place('monthsInterval') }]),
];
