import type { DeliveryEvents } from './facts.ts';
import type { Outbox, OutboxPlace } from '../store/store.ts';

/** A receiver that refuses an event now and then would fill the disk over the years. */
const limits = { most: 10_000, keepMs: 90 * 86_400_000 };
/** How often to look for dead events that are too old. */
const LOOK_MS = 3_600_000;

/** Limits the dead events of a webhook: drops the oldest when there are too many or nobody dealt with them for long. */
export function createDeadRoom(
  webhook: string,
  outbox: Pick<Outbox, 'trimDead'>,
  events: DeliveryEvents,
  { most, keepMs } = limits,
) {
  let looked = Number.NEGATIVE_INFINITY;
  let dropped = 0;
  return {
    /** How many were dropped since start. */
    dropped: () => dropped,
    async check(at: OutboxPlace, now = Date.now()): Promise<void> {
      const isTime = now - looked >= LOOK_MS || now < looked;
      if (at.dead === 0 || (at.dead <= most && !isTime)) return;
      looked = now;
      const gone = await outbox.trimDead(webhook, most, new Date(now - keepMs));
      if (gone === 0) return;
      at.dead = Math.max(0, at.dead - gone);
      dropped += gone;
      events.record({ type: 'webhook.set_aside_dropped', webhook, events: gone });
    },
  };
}
