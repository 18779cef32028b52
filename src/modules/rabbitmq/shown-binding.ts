import { z } from 'zod';
import { shortened } from '../shown.ts';
import type { Binding } from './api/bindings.ts';
import type { RabbitMq } from './connection.ts';
import { shownArguments } from './shown-arguments.ts';

export const bindingOutput = z.object({
  exchange: z.string().describe('Where messages come from'),
  to: z.enum(['queue', 'exchange']),
  name: z.string().describe('Of the queue or exchange they go to'),
  routing_key: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

export const shownBinding = (binding: Binding): z.input<typeof bindingOutput> => ({
  exchange: binding.source,
  to: binding.destination_type,
  name: binding.destination,
  routing_key: shortened(binding.routing_key, 255),
  ...(Object.keys(binding.arguments).length > 0 && { arguments: shownArguments(binding.arguments) }),
});

/** Explicit bindings, both ends of which may be seen. Every queue is bound to the default exchange by its name. */
export const isVisible =
  ({ queues, exchanges }: RabbitMq) =>
  ({ source, destination, destination_type }: Binding): boolean =>
    source !== '' && exchanges.has(source) && (destination_type === 'queue' ? queues : exchanges).has(destination);
