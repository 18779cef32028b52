import { randomUUID } from 'node:crypto';
import type { Outbox, OutboxEvent, OutboxPlace } from '../store/store.ts';

/** A webhook's place in the events, and the right to move it: of several processes with one store, one delivers. */
export interface HeldPlace {
  /** The place, the same object for as long as it is held; undefined while another process has it. */
  hold(): Promise<OutboxPlace | undefined>;
  /** As last seen, whoever has it. */
  known(): OutboxPlace | undefined;
  isElsewhere(): boolean;
  /** So many were accepted, up to this id. */
  accepted(at: OutboxPlace, id: number, count: number): Promise<void>;
  /** Nothing was wanted up to this id. To look at them again after a crash costs little, so that is not always stored. */
  passed(at: OutboxPlace, id: number): Promise<void>;
  setAside(at: OutboxPlace, event: OutboxEvent, reason: string, tries: number): Promise<void>;
  /** After a failure of the store: what is known may be wrong. */
  forget(): void;
  release(): Promise<void>;
}

const LEASE_MS = 30_000;
const UNSTORED = 500;
/** So long may the store know less: a command that reads it would take what was not wanted for what waits. */
const UNSTORED_MS = 2000;

export function createHeldPlace(name: string, outbox: Outbox, timeout: number): HeldPlace {
  const holder = { id: randomUUID(), pid: process.pid };
  // Longer than any request: whoever takes over must not find one under way.
  const lease = Math.max(LEASE_MS, 2 * timeout);
  let place: OutboxPlace | undefined;
  let heldUntil = 0;
  let elsewhere = false;
  /** How far the store knows it. */
  let stored = 0;
  let storedAt = 0;

  async function store(id: number, count: number): Promise<void> {
    await outbox.delivered(name, id, count);
    stored = id;
    storedAt = Date.now();
  }

  return {
    async hold() {
      const now = Date.now();
      if (place && heldUntil - now > lease / 2) {
        if (place.deliveredTo > stored && now - storedAt > UNSTORED_MS) await store(place.deliveredTo, 0);
        return place;
      }
      const kept = place !== undefined && now < heldUntil;
      // Makes its row, in which the lease is kept.
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
    release: () => outbox.release(name, holder),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
