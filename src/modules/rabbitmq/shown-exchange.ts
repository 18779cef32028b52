import { z } from 'zod';
import type { Exchange } from './api/exchanges.ts';
import { known, rateIn } from './api/lenient.ts';
import { shownArguments } from './shown-arguments.ts';

export const exchangeOutput = z.object({
  name: z.string(),
  type: z.string(),
  durable: z.boolean().optional().describe('If not'),
  auto_delete: z.boolean().optional().describe('If so'),
  internal: z.boolean().optional().describe('If so: only exchanges can publish to it'),
  arguments: z.record(z.string(), z.unknown()).optional(),
  in: z.number().optional().describe('Published to it a second'),
  out: z.number().optional().describe('Routed to queues a second'),
  policy: z.string().optional(),
});

export function shownExchange(exchange: Exchange): z.input<typeof exchangeOutput> {
  const { name, type, durable, auto_delete, internal, policy, arguments: args, message_stats: stats } = exchange;
  const into = rateIn(stats?.publish_in_details);
  const out = rateIn(stats?.publish_out_details);
  return {
    name,
    type,
    ...(durable === false && { durable }),
    ...(auto_delete && { auto_delete }),
    ...(internal && { internal }),
    ...(Object.keys(args).length > 0 && { arguments: shownArguments(args) }),
    ...(into > 0 && { in: into }),
    ...(out > 0 && { out }),
    ...known({ policy }),
  };
}
