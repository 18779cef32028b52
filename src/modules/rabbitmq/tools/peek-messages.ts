import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { MOST_SHOWN, shown } from '../../shown.ts';
import { known, map } from '../api/lenient.ts';
import { describeQueue, type WholeQueue } from '../api/queues.ts';
import type { RabbitMq } from '../connection.ts';
import { deliveryLimitOf } from '../delivery-limit.ts';
import { named } from '../missing.ts';
import { own } from '../../../kernel/own.ts';
import { shownArguments } from '../shown-arguments.ts';
import { queueInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

/** With a lower limit, a few looks would lose messages. */
const SAFE_LIMIT = 10;
/** A character has at most four bytes, and one may be cut. */
const SPARE = 4;
const SHORTEST = 100;

const message = z.object({
  payload: z.string(),
  payload_bytes: z.int(),
  redelivered: z.boolean(),
  exchange: z.string(),
  routing_key: z.string(),
  message_count: z.int(),
  properties: map,
});

const output = z.object({
  exchange: z.string(),
  routing_key: z.string(),
  redelivered: z.boolean(),
  properties: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  payload: z.string(),
  encoding: z.literal('base64').optional().describe('If it is not text'),
  bytes: z.int().optional().describe('Of the whole payload, if only its beginning is shown'),
});

export const peekMessagesTool = rabbitmqTool({
  name: 'rabbitmq_peek_messages',
  title: 'Peek at messages',
  description:
    'Shows the next messages of a queue and puts them back in their place. They are marked as redelivered, and consumers do not get them for a moment. Not for streams.',
  phrases:
    'look into a queue; peek at messages; what is in this queue; show the next messages; read a message without consuming it; inspect the dead letters',
  effect: 'read',
  input: z.strictObject({
    queue: queueInput,
    count: z.int().min(1).max(50).default(5).describe('At most so many, from the head'),
    bytes: z.int().min(1).max(MOST_SHOWN).default(500).describe('Of each payload; fewer for many messages'),
    accept_delivery: z
      .boolean()
      .default(false)
      .describe('Look although the queue drops messages after a few deliveries, and a look counts as one'),
    vhost: vhostInput,
  }),
  output: z.object({
    messages: z.array(output),
    left: z.int().describe('Ready messages behind those that were read'),
    not_shown: z.int().optional().describe('Read, but too long together for this answer: ask for fewer bytes'),
    note: z.string().optional(),
  }),
  async run({ queue: name, count, bytes, accept_delivery, vhost: given }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given);
    rabbit.queues.need(name);
    return await named(rabbit, 'queue', { vhost, name, signal }, async () => {
      const queue = await describeQueue(rabbit, vhost, name, signal);
      const limit = deliveryLimitOf(queue);
      needPeekable(rabbit, queue, limit, accept_delivery);
      const read = await rabbit.get(z.array(message), ['queues', vhost, name, 'get'], {
        method: 'POST',
        body: { count, ackmode: 'ack_requeue_true', encoding: 'base64', truncate: bytes + SPARE },
        signal,
      });
      const left = read.at(-1)?.message_count ?? 0;
      const notes = limit === undefined ? {} : { note: countsAs(limit, read) };
      const all = read.map((one) => shortMessage(one, bytes));
      const fit = all.length === 0 ? 0 : fittingItems(all, { left, ...notes });
      return {
        messages: all.slice(0, fit),
        left,
        ...(fit < all.length && { not_shown: all.length - fit }),
        ...notes,
      };
    });
  },
});

function needPeekable(
  { isReadOnly }: RabbitMq,
  { name, type }: WholeQueue,
  limit: number | undefined,
  accepted: boolean,
): void {
  if (type === 'stream')
    throw new AppError('unsupported', `${name} is a stream: it can be read by a stream consumer only, not peeked at.`);
  if (limit === undefined || limit >= SAFE_LIMIT || (accepted && !isReadOnly)) return;
  const effect = `The quorum queue ${name} drops or dead-letters a message after ${limit} deliveries, and each peek counts as one, so looking could lose messages.`;
  throw new AppError(
    'forbidden',
    isReadOnly
      ? `${effect} That is a change, and modules.rabbitmq.mode is read-only.`
      : `${effect} To look nevertheless, set accept_delivery.`,
  );
}

function countsAs(limit: number, read: readonly z.output<typeof message>[]): string {
  const counts = read.map(({ properties }) => Number(own(headersOf(properties), 'x-delivery-count') ?? 0));
  const most = Math.max(0, ...counts.filter(Number.isFinite));
  const rule = `Each peek counts as a delivery, and after ${limit} this queue drops or dead-letters a message.`;
  return most + 2 >= limit ? `${rule} One has ${most + 1} now: do not peek again.` : rule;
}

function headersOf(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return map.parse(properties.headers ?? {});
}

/** What JSON has to escape takes up to six times the room: then less of the payload fits. */
function shortMessage(one: z.output<typeof message>, most: number): z.input<typeof output> {
  const all = shownMessage(one, most);
  const fits = fittingItems([{}, all]) === 2;
  return fits || most < SHORTEST ? all : shortMessage(one, Math.floor(most / 2));
}

function shownMessage(one: z.output<typeof message>, most: number): z.input<typeof output> {
  const { headers: _, ...properties } = one.properties;
  const headers = headersOf(one.properties);
  const { value, encoding, bytes } = shown(Buffer.from(one.payload, 'base64'), { most });
  return {
    exchange: one.exchange,
    routing_key: one.routing_key,
    redelivered: one.redelivered,
    ...(Object.keys(properties).length > 0 && { properties: shownArguments(properties) }),
    ...(Object.keys(headers).length > 0 && { headers: shownArguments(headers) }),
    payload: value,
    ...known({ encoding, bytes: bytes === undefined ? undefined : one.payload_bytes }),
  };
}
