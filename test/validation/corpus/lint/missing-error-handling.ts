import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'missing-error-handling';
const only = { groups: ['lint' as const] };
const hourly = node('Every hour', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } });
const fetching = (start: ReturnType<typeof node>, more: Record<string, unknown> = {}, settings: object = {}) =>
  flow(
    [start, node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com', options: {} }, more)],
    [`${start.name} -> Fetch`],
    { settings },
  );

export const cases: Case[] = [
  valid('a manual start', fetching(node('Start', 'manualTrigger', 1)), only),
  valid('with retries', fetching(hourly, { retryOnFail: true }), only),
  valid('an error output', fetching(hourly, { onError: 'continueErrorOutput' }), {
    ...only,
    warnings: ['error-output-unused'],
  }),
  valid('an error workflow', fetching(hourly, {}, { errorWorkflow: 'abc' }), only),
  broken(
    'no error handling, to be run',
    fetching(hourly),
    [{ rule, path: '/nodes/1', severity: 'info', says: 'error handling' }],
    only,
  ),
  broken('no error handling, to be published', fetching(hourly), [{ rule, path: '/nodes/1', severity: 'warning' }], {
    ...only,
    purpose: 'publish',
  }),
];
