import { flow, node } from './case.ts';

/** A valid workflow to break: a manual trigger and a schedule, a request, and a node that stores the answer. */
export const sound = flow(
  [
    node('Start', 'manualTrigger', 1),
    node('Every hour', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
    node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com/orders', options: {} }),
    node('Keep', 'set', 3.4, {
      assignments: { assignments: [{ id: 'a', name: 'total', value: '={{ $json.total }}', type: 'number' }] },
      options: {},
    }),
  ],
  ['Start -> Fetch', 'Every hour -> Fetch', 'Fetch -> Keep'],
);
