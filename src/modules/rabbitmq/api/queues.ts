import { z } from 'zod';
import { nameFilter } from '../pattern.ts';
import type { RabbitMq } from '../connection.ts';
import { map, maybe, messageStats, withRate } from './lenient.ts';
import { type Page, pageOf, type Paged } from './pages.ts';

const count = maybe(z.int());

const queue = z.object({
  name: z.string(),
  vhost: z.string(),
  type: maybe(z.string()),
  state: maybe(z.string()),
  durable: maybe(z.boolean()),
  auto_delete: maybe(z.boolean()),
  exclusive: maybe(z.boolean()),
  node: maybe(z.string()),
  policy: maybe(z.string()),
  messages: count,
  messages_ready: count,
  messages_unacknowledged: count,
  messages_details: withRate,
  message_bytes: count,
  memory: count,
  consumers: count,
  consumer_utilisation: maybe(z.number()),
  idle_since: maybe(z.string()),
  head_message_timestamp: maybe(z.int()),
  message_stats: messageStats,
});

export type Queue = z.output<typeof queue>;

const COLUMNS =
  'name,vhost,type,state,policy,messages,messages_ready,messages_unacknowledged,messages_details.rate,consumers,message_stats.publish_details.rate,message_stats.deliver_get_details.rate,message_stats.ack_details.rate';
const TOTALS = 'name,vhost,type,state,messages,messages_ready,messages_unacknowledged';
/** Counts as they are now, and nothing that the broker would have to collect. */
const NOW = { disable_stats: true, enable_queue_totals: true };

type Wanted = Pick<Paged, 'skip' | 'limit' | 'signal'> & {
  /** All that are allowed, if it names none. */
  readonly vhost?: string;
  readonly pattern?: string | undefined;
  readonly sort?: 'messages' | 'messages_unacknowledged';
};

/**
 * A page of queues. Statistics are up to five seconds old, so that a new queue has none: the counts come from the
 * queues themselves, unless the broker sorts by them.
 */
export async function listQueues(rabbit: RabbitMq, wanted: Wanted): Promise<Page<Queue>> {
  const { vhost, pattern, sort, ...rest } = wanted;
  const page = {
    ...rest,
    path: vhost === undefined ? ['queues'] : ['queues', vhost],
    filter: nameFilter(rabbit.globs.queues, pattern === undefined ? undefined : [pattern]),
  };
  if (sort) return await pageOf(rabbit, queue, { ...page, columns: COLUMNS, query: { sort, sort_reverse: true } });
  const [known, counted] = await Promise.all([
    pageOf(rabbit, queue, { ...page, columns: COLUMNS }),
    soon(rest.signal, (signal) => pageOf(rabbit, queue, { ...page, signal, columns: TOTALS, query: NOW })),
  ]);
  const now = new Map((counted?.items ?? []).map((one) => [keyOf(one), one]));
  return { total: known.total, items: known.items.map((one) => ({ ...one, ...present(now.get(keyOf(one))) })) };
}

/** With very many queues the broker counts slowly: then statistics will do. */
const SOON_MS = 5000;

async function soon<T>(asked: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const limit = AbortSignal.timeout(SOON_MS);
  try {
    return await work(AbortSignal.any([asked, limit]));
  } catch (error) {
    if (limit.aborted && !asked.aborted) return undefined;
    throw error;
  }
}

const keyOf = ({ vhost, name }: Queue): string => JSON.stringify([vhost, name]);

/** Without the fields that a broker left out. */
const present = (one: Queue | undefined): Partial<Queue> =>
  Object.fromEntries(Object.entries(one ?? {}).filter(([, value]) => value !== undefined && value !== null));

const consumer = z.object({
  consumer_tag: z.string(),
  queue: maybe(z.object({ name: z.string(), vhost: z.string() })),
  prefetch_count: maybe(z.int()),
  ack_required: maybe(z.boolean()),
  exclusive: maybe(z.boolean()),
  active: maybe(z.boolean()),
  activity_status: maybe(z.string()),
  channel_details: maybe(
    z.preprocess(
      (given) => (Array.isArray(given) ? {} : given),
      z.object({ connection_name: maybe(z.string()), user: maybe(z.string()), peer_host: maybe(z.string()) }),
    ),
  ),
});

export type Consumer = z.output<typeof consumer>;

const wholeQueue = queue.extend({
  arguments: map,
  effective_policy_definition: map,
  delivery_limit: z.unknown().optional(),
  leader: maybe(z.string()),
  members: maybe(z.array(z.string())),
  online: maybe(z.array(z.string())),
  consumer_details: z.array(consumer).catch([]),
});

export type WholeQueue = z.output<typeof wholeQueue>;

/** A queue with everything about it; its counts may be old. An HttpError of 404 if there is none. */
export const describeQueue = async (
  rabbit: RabbitMq,
  vhost: string,
  name: string,
  signal: AbortSignal,
): Promise<WholeQueue> => await rabbit.get(wholeQueue, ['queues', vhost, name], { signal });

/** The same with its counts as they are now. */
export async function readQueue(
  rabbit: RabbitMq,
  vhost: string,
  name: string,
  signal: AbortSignal,
): Promise<WholeQueue> {
  const [whole, counted] = await Promise.all([
    describeQueue(rabbit, vhost, name, signal),
    soon(signal, (limit) => counts(rabbit, vhost, name, limit)),
  ]);
  return { ...whole, ...present(counted) };
}

/** The counts of one queue as they are now. */
async function counts(rabbit: RabbitMq, vhost: string, name: string, signal: AbortSignal): Promise<Queue | undefined> {
  // Stars would be wildcards: then there may be others, too.
  const filter = nameFilter([name]);
  const { items } = await pageOf(rabbit, queue, {
    path: ['queues', vhost],
    filter,
    columns: TOTALS,
    query: NOW,
    skip: 0,
    limit: 100,
    signal,
  });
  return items.find((one) => one.name === name);
}

export async function listConsumers(rabbit: RabbitMq, vhost: string, signal: AbortSignal): Promise<Consumer[]> {
  const columns =
    'consumer_tag,queue.name,queue.vhost,prefetch_count,ack_required,exclusive,active,activity_status,channel_details.connection_name,channel_details.user,channel_details.peer_host';
  return await rabbit.get(z.array(consumer), ['consumers', vhost], { query: { columns }, signal });
}
