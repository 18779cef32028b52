import { z } from 'zod';
import type { RabbitMq } from '../connection.ts';
import { nameFilter } from '../pattern.ts';
import { DEFAULT_EXCHANGE } from '../tool.ts';
import { map, maybe, messageStats } from './lenient.ts';
import { type Page, pageOf, type Paged } from './pages.ts';

const exchange = z.object({
  name: z.string(),
  vhost: z.string(),
  type: z.string(),
  durable: maybe(z.boolean()),
  auto_delete: maybe(z.boolean()),
  internal: maybe(z.boolean()),
  policy: maybe(z.string()),
  arguments: map,
  message_stats: messageStats,
});

export type Exchange = z.output<typeof exchange>;

const COLUMNS =
  'name,vhost,type,durable,auto_delete,internal,policy,arguments,message_stats.publish_in_details.rate,message_stats.publish_out_details.rate';

type Wanted = Pick<Paged, 'skip' | 'limit' | 'signal'> & {
  readonly vhost: string;
  readonly pattern?: string | undefined;
};

export async function listExchanges(rabbit: RabbitMq, { vhost, pattern, ...rest }: Wanted): Promise<Page<Exchange>> {
  const filter = nameFilter(rabbit.globs.exchanges, pattern === undefined ? undefined : [pattern]);
  return await pageOf(rabbit, exchange, { ...rest, path: ['exchanges', vhost], columns: COLUMNS, filter });
}

export const exchangePath = (vhost: string, name: string): readonly string[] => [
  'exchanges',
  vhost,
  name === '' ? DEFAULT_EXCHANGE : name,
];

export async function readExchange(
  rabbit: RabbitMq,
  vhost: string,
  name: string,
  signal: AbortSignal,
): Promise<Exchange> {
  return await rabbit.get(exchange, exchangePath(vhost, name), { signal });
}
