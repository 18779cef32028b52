import { randomUUID } from 'node:crypto';
import { isAlive } from '../host/process-lock.ts';
import type { Outbox, OutboxEvent, OutboxPlace } from '../store/store.ts';

/**
 * A webhook's position in the events and the right to move it: of several processes with one store, only one delivers.
 */
export interface HeldPlace {
  /**
   * Takes or renews the lease. Returns the same object for as long as it is held, undefined while another process holds
   * it.
   */
  hold(): Promise<OutboxPlace | undefined>;
  /** The position as last seen, no matter which process holds it. */
  known(): OutboxPlace | undefined;
  isElsewhere(): boolean;
  /** `count` events up to this id were accepted. */
  accepted(at: OutboxPlace, id: number, count: number): Promise<void>;
  /** Moves past events that were not wanted. Not stored each time: rescanning them after a crash is cheap. */
  passed(at: OutboxPlace, id: number): Promise<void>;
  setAside(at: OutboxPlace, event: OutboxEvent, reason: string, tries: number): Promise<void>;
  /** Call after the store failed: the position in memory may be wrong. */
  forget(): void;
  /** Lets another process have it. */
  release(): Promise<void>;
}

const LEASE_MS = 30_000;
/**
 * How long a replica believes that it still has the lease. Another one takes it once this one counts as dead: it was
 * cut off from the store, or it was suspended and does not know.
 */
const TRUST_MS = 5000;
const UNSTORED = 500;
/** How long the stored position may lag behind. Commands read it, and would count skipped events as waiting. */
const UNSTORED_MS = 2000;

export function createHeldPlace(name: string, outbox: Outbox, timeout: number, hasPeers = false): HeldPlace {
  const holder = { id: randomUUID(), pid: process.pid };
  // Longer than any request, so that a process that takes over does not overlap one in flight.
  const lease = Math.max(LEASE_MS, 2 * timeout);
  const trusted = hasPeers ? TRUST_MS : lease / 2;
  let place: OutboxPlace | undefined;
  let heldUntil = 0;
  let elsewhere = false;
  /** The position that the store has. */
  let stored = 0;
  let storedAt = 0;

  async function store(id: number, count: number): Promise<void> {
    await outbox.delivered(name, id, count);
    stored = id;
    storedAt = performance.now();
  }

  return {
    async hold() {
      const now = performance.now();
      if (place && heldUntil - now > lease - trusted) {
        if (place.deliveredTo > stored && now - storedAt > UNSTORED_MS) await store(place.deliveredTo, 0);
        return place;
      }
      const kept = place !== undefined && now < heldUntil;
      // Creates the row that holds the lease.
      if (!kept) place = await outbox.open(name);
      elsewhere = !(await outbox.hold(name, holder, lease, isAlive));
      heldUntil = elsewhere ? 0 : now + lease;
      if (elsewhere) return undefined;
      if (!kept) {
        // Another process may have delivered in the meantime.
        place = await outbox.open(name);
        stored = place.deliveredTo;
      }
      return place;
    },
    known: () => place,
    isElsewhere: () => elsewhere,
    async accepted(at, id, count) {
      at.deliveredTo = id;
      at.delivered += count;
      await store(id, count);
    },
    async passed(at, id) {
      at.deliveredTo = id;
      if (id - stored < UNSTORED) return;
      await store(id, 0);
    },
    async setAside(at, event, reason, tries) {
      await outbox.setAside(name, event, reason, tries);
      at.deliveredTo = event.id;
      at.dead++;
      stored = event.id;
    },
    forget() {
      place = undefined;
    },
    async release() {
      heldUntil = 0;
      elsewhere = true;
      await outbox.release(name, holder);
    },
  };
}
