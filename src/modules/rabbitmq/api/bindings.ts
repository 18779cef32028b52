import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { RabbitMq } from '../connection.ts';
import { DEFAULT_EXCHANGE } from '../tool.ts';
import { map } from './lenient.ts';

const binding = z.object({
  source: z.string(),
  destination: z.string(),
  destination_type: z.enum(['queue', 'exchange']),
  routing_key: z.string(),
  arguments: map,
  properties_key: z.string(),
});

export type Binding = z.output<typeof binding>;

export interface BindingsAsked {
  readonly vhost: string;
  readonly queue?: string | undefined;
  /** Both those from it and those to it. */
  readonly exchange?: string | undefined;
}

/** The bindings of a queue, of an exchange or of a vhost. The broker knows no pages for them. */
export async function bindingsOf(rabbit: RabbitMq, asked: BindingsAsked, signal: AbortSignal): Promise<Binding[]> {
  const { vhost, queue, exchange } = asked;
  const read = async (path: readonly string[]) => await rabbit.get(z.array(binding), path, { signal });
  try {
    if (queue !== undefined) return await read(['queues', vhost, queue, 'bindings']);
    if (exchange === undefined) return await read(['bindings', vhost]);
    const at = ['exchanges', vhost, exchange === '' ? DEFAULT_EXCHANGE : exchange, 'bindings'];
    const both = await Promise.all([read([...at, 'source']), read([...at, 'destination'])]);
    return both.flat();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_large') throw error;
    throw new AppError('too_large', 'There are too many bindings to read at once. Name a queue or an exchange.', {
      cause: error,
    });
  }
}
