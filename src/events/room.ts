import type { DeliveryEvents } from './facts.ts';
import { waitingIn } from '../store/outbox-waiting.ts';
import type { Outbox, OutboxPlace } from '../store/store.ts';

/** Resume queueing only below this share, or the queue would be full again at once. */
const ROOM = 0.9;

/**
 * Bounds the queue of a webhook. When it is full, newer events are not queued until there is room: queued events are
 * never dropped in favor of newer ones.
 */
export function createRoom(
  { name, maxWaiting }: { name: string; maxWaiting: number },
  outbox: Outbox,
  events: DeliveryEvents,
) {
  return {
    /** Opens or closes a gap, if needed. */
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
    /** Skips a gap once delivery has reached its start. */
    async pass(at: OutboxPlace): Promise<boolean> {
      const [gap] = at.gaps;
      if (!gap || at.deliveredTo < gap.from) return false;
      if (gap.to === undefined) await outbox.goOn(name);
      const { from } = gap;
      // Deleted events must not move the position back.
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
