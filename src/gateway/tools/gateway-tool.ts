import type { Family } from '../../kernel/tool.ts';

/** Our own tools for the gateway: who may check its health may look, and only an administrator changes it. */
export const gatewayFamily: Family = {
  category: 'gateway',
  scope: (effect) => (effect === 'read' ? 'health:check' : 'admin'),
};
