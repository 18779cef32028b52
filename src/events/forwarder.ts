import { messageOf } from '../kernel/errors.ts';
import type { Peers } from '../kernel/shared.ts';
import { backoff } from '../kernel/retry.ts';
import type { DeliveryEvents } from './facts.ts';
import { waitingIn } from '../store/outbox-waiting.ts';
import type { Outbox, OutboxEvent, OutboxPlace } from '../store/store.ts';
import { createDeadRoom } from './dead-room.ts';
import { createDelivery } from './delivery.ts';
import type { Origin } from './envelope.ts';
import { createHeldPlace } from './held-place.ts';
import { createRoom } from './room.ts';
import type { Verdict } from './verdict.ts';
import { createWaiting } from './waiting.ts';
import { wantedBy } from './wanted.ts';
import type { Webhook, WebhookStatus } from './webhook.ts';

export interface ForwarderDeps {
  outbox: Outbox;
  events: DeliveryEvents;
  origin: Origin;
  version: string;
  redact(text: string): string;
  /** Undefined if this process is the only one. */
  peers?: Pick<Peers, 'all'> | undefined;
  /** Called after this process let go of the webhook, so that another one looks now. */
  released?(): void;
}

export interface Forwarder extends AsyncDisposable {
  /** Tells the forwarder that there may be more to deliver. */
  wake(): void;
  /** Tells the forwarder that another process may have come, left, or let go of the webhook. */
  look(): void;
  status(): WebhookStatus;
}

const SCAN = 500;
const MOST_BYTES = 1024 * 1024;
/** How often an idle or failing webhook polls the store: for events of other processes, and for retries. */
const LOOK_MS = 3_000;
/** A request costs more than an event: send events that arrive within this time together. */
const LINGER_MS = 50;
/** First delay before a refused event is retried on its own; it doubles each time. */
const REFUSED_MS = 100;
/** After this many refusals in a row without one success, the receiver is at fault, not the events. */
const ALL_REFUSED = 20;
/** How long a stopping gateway waits for the last deliveries. */
const GRACE_MS = 2_000;

/**
 * Delivers events to one webhook, batch after batch, in the order they were recorded. The stored position moves only
 * past events that were accepted, set aside or filtered out: after a crash events may be sent twice, but never lost.
 */
export function startForwarder(webhook: Webhook, deps: ForwarderDeps): Forwarder {
  const { name } = webhook;
  const { outbox, events, origin, redact } = deps;
  const delivery = createDelivery(webhook, origin, deps.version);
  const place = createHeldPlace(name, outbox, webhook.timeout, deps.peers !== undefined);
  const room = createRoom(webhook, outbox, events);
  const deadRoom = createDeadRoom(name, outbox, events);
  const isWanted = wantedBy(webhook, origin);
  const waiting = createWaiting();
  const stop = new AbortController();
  /** Deliver what is queued, then end. */
  let draining = false;
  let lastId = 0;
  let oldest: Date | undefined;
  let failing: { since: number; times: number; reason: string; retryAt: number; wait: number } | undefined;
  let setAsideInARow = 0;
  let storeFailed = false;
  let linger: NodeJS.Timeout | undefined;

  function isWaiting(): boolean {
    if (!failing) return false;
    const left = failing.retryAt - Date.now();
    // More than the full wait: the clock was set back.
    return left > 0 && left <= failing.wait;
  }

  async function run(): Promise<void> {
    for (let last = false; !last && !stop.signal.aborted; ) {
      last = draining;
      try {
        await round();
        storeFailed = false;
      } catch (error) {
        if (!storeFailed) process.emitWarning(`The webhook ${name} waits for the store: ${redact(messageOf(error))}`);
        storeFailed = true;
        place.forget();
      }
      if (!last && !stop.signal.aborted) await waiting.pause(LOOK_MS);
    }
  }

  async function round(): Promise<void> {
    if (isLeaving()) return letGo();
    const at = await place.hold();
    if (!at) {
      failing = undefined;
      return;
    }
    lastId = Math.max(await outbox.lastId(), at.deliveredTo);
    oldest = lastId > at.deliveredTo ? await outbox.oldest(at.deliveredTo) : undefined;
    await room.check(at, lastId);
    await deadRoom.check(at);
    if (!isWaiting()) await retryDead(at);
    await deliver(at);
  }

  /** Whether this replica is about to stop while another one can deliver. */
  function isLeaving(): boolean {
    const [self, ...others] = deps.peers?.all() ?? [];
    return self?.draining === true && others.some(({ draining: leaves }) => !leaves);
  }

  async function letGo(): Promise<void> {
    failing = undefined;
    if (place.isElsewhere()) return;
    await place.release();
    deps.released?.();
  }

  /** Retries, one by one, the dead events that somebody asked to retry. */
  async function retryDead(at: OutboxPlace): Promise<void> {
    if (at.dead === 0) return;
    // A command may have discarded some in the meantime.
    at.dead = (await outbox.open(name)).dead;
    for (const { event } of await outbox.dead({ webhook: name, again: true })) {
      if (stop.signal.aborted) return;
      const verdict = await delivery.send([event]);
      if (verdict.kind === 'unavailable') return void (await fail(verdict));
      if (verdict.kind === 'refused') await outbox.refusedAgain(name, event.id, verdict.reason);
      else {
        await outbox.discard({ webhook: name, id: event.id });
        at.dead--;
        setAsideInARow = 0;
      }
      // The receiver is back, unless it was reachable all along and refuses everything.
      if (setAsideInARow < ALL_REFUSED) recovered(at);
    }
  }

  /** Delivers until the queue is empty or the receiver fails. */
  async function deliver(at: OutboxPlace): Promise<void> {
    for (let more = true; more && !isWaiting(); ) {
      if (await room.pass(at)) continue;
      let rows = await read(at);
      const [gap] = at.gaps;
      if (rows.length === 0 && gap) {
        // The events before the gap were deleted: this webhook was not configured for a long time.
        await place.passed(at, gap.from);
        continue;
      }
      // Fewer rows than a page: let later events gather. The next look delivers them together.
      more = rows.length >= SCAN || at.gaps.length > 0;
      if (rows.length === 0) return;
      while (rows.length > 0) {
        if (stop.signal.aborted || isLeaving() || (await place.hold()) !== at) return;
        const { batch, scanned } = nextBatch(rows);
        const upTo = (rows[scanned - 1] as OutboxEvent).id;
        if (batch.length > 0 && !(await handOver(at, batch))) return;
        // Also move past the unwanted events after the last wanted one.
        if (upTo > at.deliveredTo) await place.passed(at, upTo);
        rows = rows.slice(scanned);
      }
    }
  }

  async function read(at: OutboxPlace): Promise<OutboxEvent[]> {
    const found = await outbox.after(at.deliveredTo, Math.max(SCAN, webhook.batch));
    lastId = Math.max(lastId, found.at(-1)?.id ?? 0);
    const end = at.gaps[0]?.from ?? Infinity;
    return found.filter(({ id }) => id <= end);
  }

  function nextBatch(rows: readonly OutboxEvent[]): { batch: OutboxEvent[]; scanned: number } {
    const batch: OutboxEvent[] = [];
    let bytes = 0;
    let scanned = 0;
    for (const row of rows) {
      if (isWanted(row)) {
        bytes += row.data.length + 200;
        if (batch.length === webhook.batch || (batch.length > 0 && bytes > MOST_BYTES)) break;
        batch.push(row);
      }
      scanned++;
    }
    return { batch, scanned };
  }

  /** False if the receiver is unavailable: events it did not accept are sent again later. */
  async function handOver(at: OutboxPlace, batch: readonly OutboxEvent[]): Promise<boolean> {
    const verdict = await delivery.send(batch);
    if (verdict.kind === 'accepted') return accept(at, batch);
    if (verdict.kind === 'unavailable') return fail(verdict);
    const [first] = batch;
    if (first && batch.length === 1) return refusedAlone(at, first, verdict.reason);
    // One event spoils the batch: halve it until that event is on its own.
    const half = Math.ceil(batch.length / 2);
    return (await handOver(at, batch.slice(0, half))) && handOver(at, batch.slice(half));
  }

  async function refusedAlone(at: OutboxPlace, event: OutboxEvent, first: string): Promise<boolean> {
    let reason = first;
    for (let tries = 1; tries < webhook.tries; tries++) {
      await waiting.sleep(Math.min(REFUSED_MS * 2 ** (tries - 1), GRACE_MS));
      if (stop.signal.aborted) return false;
      const verdict = await delivery.send([event]);
      if (verdict.kind === 'accepted') return accept(at, [event]);
      if (verdict.kind === 'unavailable') return fail(verdict);
      ({ reason } = verdict);
    }
    if (setAsideInARow >= ALL_REFUSED)
      return fail({ kind: 'unavailable', reason: `${reason}: it refuses every event, so Sluice keeps them all` });
    setAsideInARow++;
    await place.setAside(at, event, reason, webhook.tries);
    const { id, event_type: eventType } = event;
    events.record({ type: 'webhook.event_set_aside', webhook: name, event: id, eventType, reason });
    await deadRoom.check(at);
    return true;
  }

  async function accept(at: OutboxPlace, batch: readonly OutboxEvent[]): Promise<true> {
    setAsideInARow = 0;
    await place.accepted(at, (batch.at(-1) as OutboxEvent).id, batch.length);
    recovered(at);
    return true;
  }

  function recovered(at: OutboxPlace): void {
    if (!failing) return;
    const ms = Math.max(0, Date.now() - failing.since);
    failing = undefined;
    events.record({ type: 'webhook.recovered', webhook: name, waiting: waitingIn(at, lastId), ms });
  }

  async function fail({ reason: given, waitMs = 0 }: Verdict & { kind: 'unavailable' }): Promise<false> {
    if (stop.signal.aborted) return false;
    const reason = redact(given);
    if (!failing) events.record({ type: 'webhook.failing', webhook: name, reason });
    const now = Date.now();
    const times = (failing?.times ?? 0) + 1;
    const wait = Math.max(backoff(times, webhook.retry), waitMs);
    failing = { since: failing?.since ?? now, times, reason, retryAt: now + wait, wait };
    // Timers can fire a little early.
    waiting.alarm(wait + 5);
    await outbox.failed(name, reason);
    return false;
  }

  const running = run();

  return {
    wake() {
      // What another replica delivers needs no look for each event.
      if (linger || isWaiting() || (deps.peers && place.isElsewhere())) return;
      linger = setTimeout(() => {
        linger = undefined;
        waiting.wake();
      }, LINGER_MS).unref();
    },
    look: waiting.wake,
    status() {
      const { host } = new URL(webhook.url);
      const at = place.known();
      const amount = at ? waitingIn(at, lastId) : 0;
      const since = failing && new Date(failing.since).toISOString();
      return {
        name,
        host,
        state: place.isElsewhere() ? 'elsewhere' : failing ? 'failing' : 'delivering',
        waiting: amount,
        ...(oldest && amount > 0 && { oldest: oldest.toISOString() }),
        delivered: at?.delivered ?? 0,
        dead: at?.dead ?? 0,
        ...(deadRoom.dropped() > 0 && { droppedDead: deadRoom.dropped() }),
        skipped: at?.skipped ?? 0,
        ...(at?.gaps.some(({ to }) => to === undefined) && { full: true }),
        ...(failing && since && { problem: { reason: failing.reason, since } }),
        ...(failing && { retryAt: new Date(failing.retryAt).toISOString() }),
      };
    },
    async [Symbol.asyncDispose]() {
      draining = true;
      waiting.wake();
      const grace = setTimeout(() => {
        stop.abort();
        delivery.abort();
      }, GRACE_MS);
      await running;
      clearTimeout(grace);
      clearTimeout(linger);
      waiting.alarm();
      delivery[Symbol.dispose]();
      await letGo().catch(() => {});
    },
  };
}
