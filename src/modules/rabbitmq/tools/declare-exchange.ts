import { z } from 'zod';
import { inVhost } from '../missing.ts';
import { needAlternateReach } from '../reach.ts';
import { argumentsInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const declareExchangeTool = rabbitmqTool({
  name: 'rabbitmq_declare_exchange',
  title: 'Declare an exchange',
  description: 'Creates an exchange, or does nothing if it is there with the same properties.',
  phrases: 'create an exchange; declare an exchange; new topic exchange; make a fanout exchange',
  effect: 'create',
  input: z.strictObject({
    exchange: z.string().min(1).max(255).describe('Name of the exchange'),
    type: z
      .string()
      .min(1)
      .max(100)
      .default('direct')
      .describe('direct, topic, fanout, headers, or a type of a plugin'),
    durable: z.boolean().default(true).describe('Survives a restart of the broker'),
    auto_delete: z.boolean().default(false).describe('Goes with its last binding'),
    internal: z.boolean().default(false).describe('Only other exchanges can publish to it'),
    arguments: argumentsInput.default({}).describe('E.g. {"alternate-exchange": "unrouted"}'),
    vhost: vhostInput,
  }),
  output: z.object({ exchange: z.string(), vhost: z.string(), created: z.boolean().describe('Not: it was there') }),
  async run({ exchange, vhost: given, ...body }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given);
    rabbit.writableExchanges.need(exchange);
    needAlternateReach(rabbit, body.arguments);
    const { status } = await inVhost(rabbit, vhost, signal, () =>
      rabbit.send(['exchanges', vhost, exchange], { method: 'PUT', body, signal }),
    );
    return { exchange, vhost, created: status === 201 };
  },
});
