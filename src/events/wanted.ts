import { WATCHED } from '../kernel/events.ts';
import { globMatcher } from '../kernel/glob.ts';
import type { OutboxEvent } from '../store/store.ts';
import type { Origin } from './envelope.ts';
import type { Webhook } from './webhook.ts';

/**
 * Whether a webhook wants an event. Events about webhooks, and those of calls that a delivery caused, are never sent:
 * they would loop forever.
 */
export function wantedBy(
  { filter, exceptPrincipals }: Pick<Webhook, 'filter' | 'exceptPrincipals'>,
  origin: Origin,
): (event: OutboxEvent) => boolean {
  const isOfType = globMatcher(filter.filter((glob) => glob !== WATCHED));
  const wantsWatched = filter.includes(WATCHED);
  const isExcepted = exceptPrincipals.length > 0 ? globMatcher(exceptPrincipals) : undefined;
  return ({ event_type, trace_id, data }) => {
    if (event_type.startsWith('webhook.') || trace_id.startsWith(origin.trace)) return false;
    const isWanted = isOfType(event_type);
    if (!isExcepted && (isWanted || !wantsWatched)) return isWanted;
    const { principal, watched } = JSON.parse(data) as { principal?: unknown; watched?: unknown };
    if (!isWanted && !(wantsWatched && typeof watched === 'string')) return false;
    return !isExcepted || typeof principal !== 'string' || !isExcepted(principal);
  };
}
