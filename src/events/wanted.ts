import { globMatcher } from '../kernel/glob.ts';
import type { OutboxEvent } from '../store/store.ts';
import type { Origin } from './envelope.ts';
import type { Webhook } from './webhook.ts';

/**
 * Whether an event is meant for a webhook. Never those about webhooks, nor those of a call that a delivery has caused:
 * they would go round for ever.
 */
export function wantedBy(
  { filter, exceptPrincipals }: Pick<Webhook, 'filter' | 'exceptPrincipals'>,
  origin: Origin,
): (event: OutboxEvent) => boolean {
  const isOfType = globMatcher(filter);
  const isExcepted = exceptPrincipals.length > 0 ? globMatcher(exceptPrincipals) : undefined;
  return ({ event_type, trace_id, data }) => {
    if (event_type.startsWith('webhook.') || trace_id.startsWith(origin.trace) || !isOfType(event_type)) return false;
    if (!isExcepted) return true;
    const { principal } = JSON.parse(data) as { principal?: unknown };
    return typeof principal !== 'string' || !isExcepted(principal);
  };
}
