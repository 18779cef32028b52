import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { RabbitMq } from './connection.ts';

export const rabbitmqTool = toolsFor<RabbitMq>({ category: 'rabbitmq' });

const name = z.string().min(1).max(255);

export const vhostInput = name.optional().describe('Default: the one of the configuration');
export const queueInput = name.describe('Name of the queue');
export const cursorInput = z.string().max(1000).optional().describe('From the answer before');
export const limitInput = z.int().min(1).max(100).default(30).describe('At most so many');
export const patternInput = name.optional().describe('Only these names; * is any text, e.g. orders.*');
export const argumentsInput = z.record(z.string().max(255), z.unknown());
export const moreOutput = {
  total: z.int().describe('Before limit and cursor'),
  cursor: z.string().optional().describe('There is more'),
};

/** The default exchange has no name, and the API calls it so. */
export const DEFAULT_EXCHANGE = 'amq.default';

/** The vhost of a call. */
export function vhostOf({ vhost, vhosts }: RabbitMq, given: string | undefined): string {
  const chosen = given ?? vhost;
  vhosts.need(chosen);
  return chosen;
}
