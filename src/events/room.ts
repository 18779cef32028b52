import type { DeliveryEvents } from './facts.ts';
import { waitingIn } from '../store/outbox-waiting.ts';
import type { Outbox, OutboxPlace } from '../store/store.ts';

/** There must be some room before new events are queued again, or it would be full the next moment. */
const ROOM = 0.9;

/**
 * Bounds what waits for a webhook. When that is reached, later events are not queued for it, until there is room: what
 * was queued is never given up for what comes later.
 */
export function createRoom(
  { name, maxWaiting }: { name: string; maxWaiting: number },
  outbox: Outbox,
  events: DeliveryEvents,
) {
  return {
    /** Begins or ends a gap, if it is time to. */
    async check(at: OutboxPlace, lastId: number): Promise<void> {
      const open = at.gaps.find(({ to }) => to === undefined);
      const waiting = waitingIn(at, lastId);
      if (!open && waiting > maxWaiting) {
        const from = lastId - (waiting - maxWaiting);
        await outbox.stopAfter(name, from);
        at.gaps.push({ from });
        events.record({ type: 'webhook.full', webhook: name, waiting: maxWaiting });
      } else if (open && waiting < maxWaiting * ROOM) {
        await outbox.goOn(name);
        open.to = Math.max(open.from, await outbox.lastId());
        events.record({ type: 'webhook.resumed', webhook: name, waiting });
      }
    },
    /** Goes past a gap whose beginning was reached. */
    async pass(at: OutboxPlace): Promise<boolean> {
      const [gap] = at.gaps;
      if (!gap || at.deliveredTo < gap.from) return false;
      if (gap.to === undefined) await outbox.goOn(name);
      const { from } = gap;
      // What was deleted in the meantime does not lead back.
      const to = Math.max(from, gap.to ?? (await outbox.lastId()));
      await outbox.skip(name, { from, to });
      at.gaps.shift();
      at.deliveredTo = to;
      at.skipped += to - from;
      events.record({ type: 'webhook.events_skipped', webhook: name, events: to - from, from: from + 1, to });
      return true;
    },
  };
}
