import type { Family } from '../../kernel/tool.ts';

/** The tools that show and change the gateway itself: reading needs `health:check`, changing needs `admin`. */
export const gatewayFamily: Family = {
  category: 'gateway',
  scope: (effect) => (effect === 'read' ? 'health:check' : 'admin'),
};
