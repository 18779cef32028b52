import { z } from 'zod';
import type { RabbitMq } from './connection.ts';
import { argumentsInput, vhostInput, vhostOf } from './tool.ts';

const name = z.string().min(1).max(255);

export const bindingInput = z.strictObject({
  exchange: name.describe('Where messages come from'),
  to: z.enum(['queue', 'exchange']).default('queue').describe('What they go to'),
  name: name.describe('Of the queue or exchange they go to'),
  routing_key: z.string().max(255).default('').describe('E.g. orders.* or # for topic exchanges'),
  arguments: argumentsInput.default({}).describe('For headers exchanges, e.g. {"x-match": "all", "type": "order"}'),
  vhost: vhostInput,
});

/** The binding's path in the API. Throws if an end of it is out of reach. */
export function bindingPath(rabbit: RabbitMq, { exchange, to, name, vhost: given }: z.output<typeof bindingInput>) {
  const vhost = vhostOf(rabbit, given);
  rabbit.writableExchanges.need(exchange);
  if (to === 'queue') rabbit.queues.need(name);
  else rabbit.writableExchanges.need(name);
  return ['bindings', vhost, 'e', exchange, to === 'queue' ? 'q' : 'e', name] as const;
}
