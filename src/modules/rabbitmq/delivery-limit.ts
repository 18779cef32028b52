import type { WholeQueue } from './api/queues.ts';
import { own } from '../../kernel/own.ts';

type Limits = Pick<WholeQueue, 'type' | 'arguments' | 'effective_policy_definition' | 'delivery_limit'>;

/**
 * How often a quorum queue delivers a message before it drops it or passes it to its dead-letter exchange. Undefined if
 * there is no limit.
 */
export function deliveryLimitOf({
  type,
  delivery_limit,
  arguments: args,
  effective_policy_definition: policy,
}: Limits) {
  if (type !== 'quorum') return undefined;
  // RabbitMQ 4 says it itself; before, the lower one counts.
  const limits = [delivery_limit, own(args, 'x-delivery-limit'), own(policy, 'delivery-limit')].filter(
    (limit): limit is number => Number.isSafeInteger(limit) && Number(limit) >= 0,
  );
  return limits.length === 0 ? undefined : Math.min(...limits);
}
