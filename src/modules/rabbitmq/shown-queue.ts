import { z } from 'zod';
import { rateIn } from './api/lenient.ts';
import type { Queue } from './api/queues.ts';

/** A queue in a list. */
export const queueOutput = z.object({
  name: z.string(),
  vhost: z.string().optional().describe('If it is not the default'),
  type: z.string().optional().describe('If not classic'),
  state: z.string().optional().describe('If not running'),
  ready: z.int().optional(),
  unacked: z.int().optional().describe('Delivered and not acknowledged'),
  consumers: z.int().optional(),
  in: z.number().optional().describe('Published a second'),
  out: z.number().optional().describe('Delivered a second'),
  policy: z.string().optional(),
});

export function shownQueue(queue: Queue, defaultVhost: string): z.input<typeof queueOutput> {
  const {
    name,
    vhost,
    type,
    state,
    messages_ready: ready,
    messages_unacknowledged: unacked,
    consumers,
    policy,
  } = queue;
  const rates = {
    in: rateIn(queue.message_stats?.publish_details),
    out: rateIn(queue.message_stats?.deliver_get_details),
  };
  return {
    name,
    ...(vhost !== defaultVhost && { vhost }),
    ...(type && type !== 'classic' && { type }),
    ...(state && !['running', 'live'].includes(state) && { state }),
    ...(typeof ready === 'number' && { ready }),
    ...(unacked && { unacked }),
    ...(typeof consumers === 'number' && { consumers }),
    ...(rates.in > 0 && { in: rates.in }),
    ...(rates.out > 0 && { out: rates.out }),
    ...(policy && { policy }),
  };
}
