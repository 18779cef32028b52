import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { didYouMean } from '../../../kernel/nearest-names.ts';
import { exchangePath } from '../api/exchanges.ts';
import type { RabbitMq } from '../connection.ts';
import { named, nearNames } from '../missing.ts';
import { argumentsInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const LONGEST = 4_000_000;

const text = z.string().max(255).optional();

const properties = z
  .strictObject({
    content_encoding: text,
    correlation_id: text,
    reply_to: text,
    message_id: text,
    type: text,
    app_id: text,
    user_id: text,
    priority: z.int().min(0).max(255).optional(),
    expiration: z.string().regex(/^\d+$/).max(15).optional().describe('Milliseconds, as text'),
    timestamp: z.int().min(0).optional().describe('Seconds since 1970'),
  })
  .optional();

export const publishMessageTool = rabbitmqTool({
  name: 'rabbitmq_publish_message',
  title: 'Publish a message',
  description:
    'Publishes one message. Without an exchange it goes straight to the queue that routing_key names. routed is false if no queue took it: then it is lost.',
  phrases:
    'publish a message; send a message to a queue; put something into a queue; trigger a worker through rabbitmq; send an event to an exchange',
  effect: 'create',
  input: z.strictObject({
    exchange: z.string().max(255).default('').describe('Default: none, that is, straight to a queue'),
    routing_key: z.string().max(255).describe('Or the name of the queue'),
    payload: z.string().max(LONGEST).describe('JSON as text, for example'),
    payload_encoding: z.enum(['text', 'base64']).default('text').describe('base64 for bytes'),
    content_type: text.describe('E.g. application/json'),
    headers: argumentsInput.optional().describe('E.g. {"retries": 1}'),
    persistent: z.boolean().default(true).describe('Survives a restart of the broker, in a durable queue'),
    properties: properties.describe('Others of AMQP'),
    vhost: vhostInput,
  }),
  output: z.object({ routed: z.boolean(), bytes: z.int(), note: z.string().optional() }),
  examples: [
    {
      title: 'To a queue',
      arguments: { routing_key: 'orders', payload: '{"id": 7}', content_type: 'application/json' },
    },
  ],
  async run({ exchange: given, routing_key, payload, payload_encoding, ...rest }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, rest.vhost);
    const exchange = given === 'amq.default' ? '' : given;
    needReach(rabbit, exchange, routing_key, rest.headers ?? {});
    const bytes = bytesOf(payload, payload_encoding);
    const { content_type, headers } = rest;
    const { routed } = await named(rabbit, 'exchange', { vhost, name: exchange, signal }, () =>
      rabbit.get(z.object({ routed: z.boolean() }), [...exchangePath(vhost, exchange), 'publish'], {
        method: 'POST',
        body: {
          routing_key,
          payload,
          payload_encoding: payload_encoding === 'base64' ? 'base64' : 'string',
          properties: {
            ...rest.properties,
            ...(content_type !== undefined && { content_type }),
            ...(headers && { headers }),
            delivery_mode: rest.persistent ? 2 : 1,
          },
        },
        signal,
      }),
    );
    if (routed) return { routed, bytes };
    return { routed, bytes, note: await lost(rabbit, { vhost, exchange, routing_key }, signal) };
  },
});

/** The default exchange reaches the queue of that name, and those that the headers CC and BCC name. */
function needReach(rabbit: RabbitMq, exchange: string, routingKey: string, headers: Record<string, unknown>): void {
  if (exchange !== '') return rabbit.writableExchanges.need(exchange);
  rabbit.queues.need(routingKey);
  for (const name of ['CC', 'BCC']) {
    const copies = Object.hasOwn(headers, name) ? headers[name] : [];
    for (const queue of Array.isArray(copies) ? (copies as unknown[]) : [copies]) rabbit.queues.need(String(queue));
  }
}

function bytesOf(payload: string, encoding: 'text' | 'base64'): number {
  if (encoding === 'text') return Buffer.byteLength(payload);
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(payload))
    return Buffer.byteLength(payload, 'base64');
  throw new AppError('invalid_input', 'The payload is not base64. Nothing was published.');
}

interface Target {
  readonly vhost: string;
  readonly exchange: string;
  readonly routing_key: string;
}

async function lost(rabbit: RabbitMq, { vhost, exchange, routing_key }: Target, signal: AbortSignal): Promise<string> {
  if (exchange !== '')
    return `The message is lost: no queue is bound to ${exchange} that takes the routing key ${routing_key}. rabbitmq_get_exchange shows its bindings.`;
  const near = await nearNames(rabbit, 'queue', vhost, routing_key, signal).catch(() => []);
  return `The message is lost: there is no queue ${routing_key}. ${didYouMean(near, 'rabbitmq_list_queues shows them.')}`;
}
