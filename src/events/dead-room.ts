import type { DeliveryEvents } from './facts.ts';
import type { Outbox, OutboxPlace } from '../store/store.ts';

/** A receiver that refuses a little now and then would fill the disk in years that nobody looks. */
const limits = { most: 10_000, keepMs: 90 * 86_400_000 };
/** How often the oldest are looked at. */
const LOOK_MS = 3_600_000;

/** Room for what was set aside: the oldest go when there are too many, or when nobody has decided for long. */
export function createDeadRoom(
  webhook: string,
  outbox: Pick<Outbox, 'trimDead'>,
  events: DeliveryEvents,
  { most, keepMs } = limits,
) {
  let looked = Number.NEGATIVE_INFINITY;
  let dropped = 0;
  return {
    /** How many were dropped since the start. */
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
