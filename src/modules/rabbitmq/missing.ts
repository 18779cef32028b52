import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { HttpError } from '../http.ts';
import type { RabbitMq } from './connection.ts';

type Kind = 'queue' | 'exchange';

const LIST = { queue: 'rabbitmq_list_queues', exchange: 'rabbitmq_list_exchanges' } as const;
const MOST_COMPARED = 500;

/** Names of the vhost that are like this one, of those that may be seen. */
export async function nearNames(
  rabbit: RabbitMq,
  kind: Kind,
  vhost: string,
  wanted: string,
  signal: AbortSignal,
): Promise<string[]> {
  const type = z.object({ items: z.array(z.object({ name: z.string() })) });
  const names = async (part: string | undefined) => {
    const { items } = await rabbit.get(type, [`${kind}s`, vhost], {
      query: { page: 1, page_size: MOST_COMPARED, columns: 'name', disable_stats: true, name: part },
      signal,
    });
    return items.map(({ name }) => name);
  };
  // Of very many names, those that begin alike are compared, too.
  const found = await Promise.all([names(undefined), names(wanted.slice(0, 3))]);
  const reach = kind === 'queue' ? rabbit.queues : rabbit.exchanges;
  return nearestNames(
    wanted,
    found.flat().filter((name) => name !== '' && reach.has(name)),
  );
}

/** Does the work, and if the queue or exchange is not there, says which names are near. */
export async function named<T>(
  rabbit: RabbitMq,
  kind: Kind,
  { vhost, name, signal }: { vhost: string; name: string; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const near = await inVhost(rabbit, vhost, signal, () => nearNames(rabbit, kind, vhost, name, signal));
    const where = `No ${kind} ${shown(name)} in the vhost ${shown(vhost)}.`;
    throw new AppError('not_found', sentences(where, didYouMean(near), `${LIST[kind]} shows them.`), { cause: error });
  }
}

/** Lists what a vhost has, and if there is no such vhost, says which names are near. */
export async function inVhost<T>(
  rabbit: RabbitMq,
  vhost: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    const all = await rabbit.get(z.array(z.object({ name: z.string() })), ['vhosts'], {
      query: { columns: 'name' },
      signal,
    });
    const near = nearestNames(vhost, all.map(({ name }) => name).filter(rabbit.vhosts.has));
    const text = sentences(`No vhost ${shown(vhost)}.`, didYouMean(near), 'rabbitmq_list_vhosts shows them.');
    throw new AppError('not_found', text, { cause: error });
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.status === 404 || (error.status === 400 && /NOT_FOUND - no (?:queue|exchange)/.test(error.body)));
