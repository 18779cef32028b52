import type { Way } from '../way.ts';

/** The clock. */
export const schedule: Way = {
  kind: 'schedule',
  types: ['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.cron', 'n8n-nodes-base.interval'],
  runsItself: true,
};
