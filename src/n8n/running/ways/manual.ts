import type { Way } from '../way.ts';

/** Somebody presses a button in n8n's editor. */
export const manual: Way = {
  kind: 'manual',
  types: ['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.start'],
  runsItself: true,
};
