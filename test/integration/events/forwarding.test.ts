import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createForwarding } from '../../../src/events/forwarding.ts';
import type { Webhook } from '../../../src/events/webhook.ts';
import { createEventLog } from '../../../src/store/event-log.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { Shared } from '../../../src/kernel/shared.ts';
import type { Store } from '../../../src/store/store.ts';
import { sharedByReplicas } from '../../support/shared-by-replicas.ts';
import { type ReceivedEvent, startReceiver } from '../../fixtures/webhook-receiver.ts';
import { eventFacts } from '../../../src/events/facts.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-webhook-'));
let places = 0;
const newFile = () => join(root, `${++places}`, 'sluice.db');
afterAll(() => rmSync(root, { recursive: true, force: true }));

const webhook = (url: string, given: Partial<Webhook> = {}): Webhook => ({
  name: 'webhook',
  url,
  filter: ['*'],
  exceptPrincipals: [],
  batch: 100,
  headers: {},
  timeout: 5_000,
  retry: { first: 20, most: 50 },
  tries: 3,
  maxWaiting: 1_000_000,
  ...given,
});

/** In SQLite processes are told apart by their ids, and a holder with our own id was an earlier life. */
function asReplica(outbox: Store['outbox']): Store['outbox'] {
  const pid = ++places;
  return { ...outbox, hold: (name, holder, ms) => outbox.hold(name, { ...holder, pid }, ms, () => true) };
}

/** An event log with forwarding, wired as in the gateway. */
async function start(webhooks: Webhook[], file = newFile(), replica?: Shared) {
  await using stack = new AsyncDisposableStack();
  const opened = stack.use(await openSqlite(file));
  const store = replica ? { ...opened, shared: replica, outbox: asReplica(opened.outbox) } : opened;
  const log = createEventLog(store.events, { facts: eventFacts });
  const forwarding = createForwarding({ store, events: log, version: '0', redact: (text) => text });
  stack.defer(async () => {
    await log[Symbol.asyncDispose]();
    await forwarding[Symbol.asyncDispose]();
  });
  await forwarding.configure(webhooks);
  const owned = stack.move();
  return {
    store,
    log,
    forwarding,
    status: () => forwarding.report().webhooks?.[0],
    record(name: string, traceId?: string) {
      log.record({ type: 'gateway.backend_removed', backend: name }, traceId === undefined ? {} : { traceId });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const names = (events: readonly ReceivedEvent[]) => events.map(({ data }) => data.backend);
const typesIn = async (store: Store) => {
  const { events } = await store.events.query({ type: 'webhook.*', order: 'asc' });
  return events.map(({ event_type }) => event_type);
};
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => String(index + from));

test('events arrive once and in order, with an id each, signed', async () => {
  await using receiver = await startReceiver();
  await using sender = await start([webhook(receiver.url, { secret: 'shh', headers: { 'X-Mine': 'yes' } })]);
  for (const name of numbers(250)) sender.record(name);
  await expect.poll(() => names(receiver.events)).toEqual(numbers(250));
  expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(250);
  const [first] = receiver.requests;
  expect(receiver.events[0]).toEqual({
    id: expect.stringMatching(/^[\da-f]{8}-\d+$/) as string,
    timestamp: expect.stringMatching(/^20.*Z$/) as string,
    trace_id: expect.stringMatching(/^[\da-f]{32}$/) as string,
    event: 'gateway.backend_removed',
    event_type: 'gateway.backend_removed',
    status: 'success',
    data: { backend: '0' },
  });
  const { 'x-sluice-timestamp': time, 'x-sluice-signature': signature, ...others } = first?.headers ?? {};
  const expected = createHmac('sha256', 'shh')
    .update(`${String(time)}.${first?.body}`)
    .digest('hex');
  expect(signature).toBe(`sha256=${expected}`);
  expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
  expect(others).toMatchObject({ 'x-mine': 'yes', 'x-sluice-webhook': 'webhook', 'content-type': 'application/json' });
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ delivery: others['x-sluice-delivery'] });
  expect(receiver.requests.every(({ events }) => events.length <= 100)).toBe(true);
});

test('with batch 1 the body is the event itself', async () => {
  await using receiver = await startReceiver();
  await using sender = await start([webhook(receiver.url, { batch: 1 })]);
  sender.record('a');
  sender.record('b');
  await expect.poll(() => receiver.requests.length).toBe(2);
  expect(receiver.requests.map(({ body }) => (JSON.parse(body) as ReceivedEvent).data.backend)).toEqual(['a', 'b']);
});

test('sends only the filtered types, and no calls of excepted principals', async () => {
  await using receiver = await startReceiver();
  const settings = webhook(receiver.url, { filter: ['tool.*'], exceptPrincipals: ['n8n-*'] });
  await using sender = await start([settings]);
  const call = { type: 'tool.call_received', tool: 't', source: 's' } as const;
  sender.record('unwanted');
  sender.log.record({ ...call, principal: 'n8n-1' });
  sender.log.record({ ...call, principal: 'ana' });
  await expect.poll(() => receiver.events.map(({ data }) => data.principal)).toEqual(['ana']);
  await expect.poll(() => sender.status()?.waiting).toBe(0);
});

test('a new webhook gets no earlier events', async () => {
  await using receiver = await startReceiver();
  await using sender = await start([]);
  sender.record('before');
  await sender.log.flush();
  await sender.forwarding.configure([webhook(receiver.url)]);
  sender.record('after');
  await expect.poll(() => names(receiver.events)).toEqual(['after']);
});

test.each([500, 503, 404, 401, 429, 302, 'reset', 'hang'] as const)(
  'no event is lost or set aside while the receiver answers %s',
  async (behaviour) => {
    await using receiver = await startReceiver();
    receiver.behave = () => behaviour;
    // A short timeout would resend events to a receiver that is only slow.
    const timeout = behaviour === 'hang' ? 500 : 5_000;
    await using sender = await start([webhook(receiver.url, { timeout, tries: 1 })]);
    for (const name of numbers(30)) sender.record(name);
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(2);
    await expect.poll(() => sender.status()).toMatchObject({ state: 'failing', delivered: 0, dead: 0, waiting: 31 });
    expect(sender.status()?.problem?.reason).toMatch(/HTTP|reset|no answer/);
    receiver.behave = () => 204;
    await expect.poll(() => names(receiver.events)).toEqual(numbers(30));
    await expect.poll(() => sender.status()).toMatchObject({ state: 'delivering', delivered: 30, dead: 0, waiting: 0 });
    expect(sender.status()?.problem).toBeUndefined();
    await expect.poll(() => typesIn(sender.store)).toEqual(['webhook.failing', 'webhook.recovered']);
  },
);

test('the same batch keeps its delivery id over retries', async () => {
  await using receiver = await startReceiver();
  receiver.behave = (_, count) => (count < 3 ? 500 : 200);
  await using sender = await start([webhook(receiver.url)]);
  sender.record('a');
  await expect.poll(() => receiver.events.length).toBe(1);
  const ids = receiver.requests
    .filter(({ events }) => events.length === 1)
    .map(({ headers }) => headers['x-sluice-delivery']);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
});

test('Retry-After is honoured', async () => {
  await using receiver = await startReceiver();
  const times: number[] = [];
  receiver.behave = (_, count) => {
    times.push(Date.now());
    return count === 1 ? { status: 503, headers: { 'retry-after': '1' } } : 200;
  };
  await using sender = await start([webhook(receiver.url)]);
  sender.record('a');
  await expect.poll(() => receiver.events.length).toBe(1);
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(1000);
});

test('an event that the receiver refuses is set aside and counted, and all others arrive in order', async () => {
  await using receiver = await startReceiver();
  const isPoison = ({ data }: ReceivedEvent) => data.backend === '33';
  receiver.behave = ({ events }) => (events.some(isPoison) ? 422 : 200);
  await using sender = await start([webhook(receiver.url)]);
  for (const name of numbers(80)) sender.record(name);
  await expect.poll(() => names(receiver.events)).toEqual(numbers(80).filter((name) => name !== '33'));
  await expect.poll(() => sender.status()).toMatchObject({ dead: 1, delivered: 79, state: 'delivering' });
  const [dead] = await sender.store.outbox.dead();
  expect(dead).toMatchObject({ webhook: 'webhook', reason: 'HTTP 422', tries: 3, again: false });
  expect(dead?.event).toMatchObject({ event_type: 'gateway.backend_removed', data: '{"backend":"33"}' });
  await sender.log.flush();
  expect((await sender.store.events.query({ type: 'webhook.event_set_aside' })).events).toMatchObject([
    { status: 'failure', data: { webhook: 'webhook', event: dead?.event.id, reason: 'HTTP 422' } },
  ]);

  receiver.behave = () => 200;
  expect(await sender.store.outbox.retry({ webhook: 'webhook' })).toBe(1);
  await expect.poll(() => names(receiver.events).at(-1)).toBe('33');
  await expect.poll(() => sender.status()?.dead).toBe(0);
});

test('a receiver that refuses everything pauses delivery after a few events are set aside', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 400;
  await using sender = await start([webhook(receiver.url, { tries: 1 })]);
  for (const name of numbers(100)) sender.record(name);
  await expect.poll(() => sender.status()).toMatchObject({ state: 'failing', dead: 20 });
  expect(sender.status()?.problem?.reason).toMatch(/refuses every event/);
  receiver.behave = () => 200;
  await expect.poll(() => receiver.events.length).toBe(80);
  expect(names(receiver.events)).toEqual(numbers(80, 20));
});

test('delivery continues after a restart where it stopped', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 503;
  const file = newFile();
  {
    await using sender = await start([webhook(receiver.url)], file);
    for (const name of numbers(20)) sender.record(name);
    await expect.poll(() => sender.status()?.waiting).toBeGreaterThanOrEqual(20);
  }
  receiver.behave = () => 200;
  await using sender = await start([webhook(receiver.url)], file);
  sender.record('new');
  await expect.poll(() => names(receiver.events)).toEqual([...numbers(20), 'new']);
});

test('waiting events go to the new address when it changes', async () => {
  await using wrong = await startReceiver();
  await using right = await startReceiver();
  wrong.behave = () => 404;
  await using sender = await start([webhook(wrong.url)]);
  sender.record('a');
  await expect.poll(() => sender.status()?.state).toBe('failing');
  await sender.forwarding.configure([webhook(right.url)]);
  await expect.poll(() => names(right.events)).toEqual(['a']);
  expect(wrong.events).toEqual([]);
});

test('events stored when the gateway stops are still delivered', async () => {
  await using receiver = await startReceiver();
  {
    await using sender = await start([webhook(receiver.url)]);
    for (const name of numbers(50)) sender.record(name);
  }
  expect(names(receiver.events)).toEqual(numbers(50));
});

test('a receiver that hangs does not keep the gateway from stopping', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 'hang';
  const sender = await start([webhook(receiver.url, { timeout: 60_000 })]);
  sender.record('a');
  await expect.poll(() => receiver.requests.length).toBe(1);
  const started = Date.now();
  await sender[Symbol.asyncDispose]();
  expect(Date.now() - started).toBeLessThan(10_000);
});

test('only one process delivers; another takes over when it is gone', async () => {
  await using receiver = await startReceiver();
  const file = newFile();
  await using store = await openSqlite(file);
  const other = { id: 'another life', pid: process.ppid };
  await store.outbox.open('webhook');
  expect(await store.outbox.hold('webhook', other, 60_000, () => true)).toBe(true);
  await using sender = await start([webhook(receiver.url)], file);
  sender.record('a');
  await expect.poll(() => sender.status()?.state).toBe('elsewhere');
  await sender.log.flush();
  expect(receiver.requests).toEqual([]);
  await store.outbox.release('webhook', other);
  await expect.poll(() => names(receiver.events)).toEqual(['a']);
});

test('a replica that drains hands delivery over at once, and what it records later is delivered too', async () => {
  await using receiver = await startReceiver();
  const file = newFile();
  const [a, b] = sharedByReplicas();
  await using one = await start([webhook(receiver.url)], file, a);
  await expect.poll(() => one.status()?.state).toBe('delivering');
  one.record('a');
  await expect.poll(() => names(receiver.events)).toEqual(['a']);
  await using two = await start([webhook(receiver.url)], file, b);
  await expect.poll(() => two.status()?.state).toBe('elsewhere');
  const began = performance.now();
  a.drain();
  await expect
    .poll(() => [one.status()?.state, two.status()?.state], { interval: 5 })
    .toEqual(['elsewhere', 'delivering']);
  // A look is due every three seconds: this one was asked for.
  expect(performance.now() - began).toBeLessThan(2000);
  one.record('b');
  await one.log.flush();
  b.tell('events');
  await expect.poll(() => names(receiver.events)).toEqual(['a', 'b']);
});

test('the last replica delivers until it stops, though it drains', async () => {
  await using receiver = await startReceiver();
  const [a, b] = sharedByReplicas();
  b.drain();
  await using one = await start([webhook(receiver.url)], newFile(), a);
  a.drain();
  one.record('a');
  await expect.poll(() => names(receiver.events)).toEqual(['a']);
  expect(one.status()?.state).toBe('delivering');
});

test('delivery of a killed process is taken over at once', async () => {
  await using receiver = await startReceiver();
  const file = newFile();
  await using store = await openSqlite(file);
  await store.outbox.open('webhook');
  // Larger than any process id, so no process has it.
  await store.outbox.hold('webhook', { id: 'killed', pid: 2 ** 22 + 1 }, 3_600_000, () => true);
  await using sender = await start([webhook(receiver.url)], file);
  sender.record('a');
  await expect.poll(() => names(receiver.events)).toEqual(['a']);
});

test('when the queue is full, later events are skipped and reported, and no queued event is lost', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 503;
  await using sender = await start([webhook(receiver.url, { maxWaiting: 100 })]);
  for (const name of numbers(150)) sender.record(name);
  await expect.poll(() => sender.status()).toMatchObject({ state: 'failing', full: true, waiting: 100 });
  receiver.behave = () => 200;
  await expect.poll(() => sender.status()).toMatchObject({ waiting: 0, skipped: expect.any(Number) as number });
  expect(names(receiver.events).slice(0, 90)).toEqual(numbers(90));
  expect(sender.status()?.skipped).toBeGreaterThan(40);
  sender.record('later');
  await expect.poll(() => names(receiver.events).at(-1)).toBe('later');
  await expect
    .poll(() => typesIn(sender.store))
    .toEqual(
      expect.arrayContaining(['webhook.full', 'webhook.failing', 'webhook.recovered', 'webhook.events_skipped']),
    );
});

test('calls caused by a delivery, and events about webhooks, are not sent', async () => {
  await using receiver = await startReceiver();
  await using sender = await start([webhook(receiver.url)]);
  sender.record('first');
  await expect.poll(() => receiver.requests.length).toBe(1);
  const trace = String(receiver.requests[0]?.headers.traceparent).split('-')[1] as string;
  sender.record('echo', trace);
  sender.log.record({ type: 'webhook.resumed', webhook: 'webhook', waiting: 0 });
  sender.record('last');
  await expect.poll(() => names(receiver.events)).toEqual(['first', 'last']);
});

test('a huge response body is cut off, and the delivery counts', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => ({ status: 200, body: 'x'.repeat(5_000_000) });
  await using sender = await start([webhook(receiver.url)]);
  sender.record('a');
  await expect.poll(() => sender.status()?.delivered).toBe(1);
  expect(receiver.events.length).toBe(1);
});

test('events that wait for delivery are kept from pruning', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 503;
  await using sender = await start([webhook(receiver.url)]);
  sender.record('a');
  await sender.log.flush();
  const [event] = (await sender.store.events.query({ order: 'asc' })).events;
  await expect.poll(() => sender.status()?.state).toBe('failing');
  expect(await sender.store.outbox.keepFrom()).toBe(event?.id);
  receiver.behave = () => 200;
  await expect.poll(() => sender.store.outbox.keepFrom()).toBeGreaterThan(event?.id as number);
});

test('events marked for retry are delivered when the receiver is back, without a new event', async () => {
  await using receiver = await startReceiver();
  receiver.behave = ({ events }) => (names(events).includes('poison') ? 422 : 200);
  await using sender = await start([webhook(receiver.url, { tries: 1 })]);
  sender.record('poison');
  await expect.poll(() => sender.status()?.dead).toBe(1);
  receiver.behave = () => 503;
  await sender.store.outbox.retry();
  sender.log.passOn([]);
  await expect.poll(() => sender.status()?.state).toBe('failing');
  receiver.behave = () => 200;
  await expect.poll(() => names(receiver.events)).toEqual(['poison']);
  await expect.poll(() => sender.status()).toMatchObject({ state: 'delivering', dead: 0 });
  await expect.poll(() => typesIn(sender.store)).toContain('webhook.recovered');
});

test('setting the clock back does not delay a retry', async () => {
  await using receiver = await startReceiver();
  receiver.behave = () => 503;
  await using sender = await start([webhook(receiver.url)]);
  sender.record('a');
  await expect.poll(() => sender.status()?.state).toBe('failing');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    receiver.behave = () => 200;
    await expect.poll(() => names(receiver.events)).toEqual(['a']);
  } finally {
    vi.useRealTimers();
  }
});

test('a webhook that returns after its events were pruned continues with new ones', async () => {
  await using receiver = await startReceiver();
  const file = newFile();
  {
    await using store = await openSqlite(file);
    await store.outbox.open('webhook');
    const old = { timestamp: '2020-01-01T00:00:00.000Z', trace_id: 't', event_type: 'x', status: 'success' as const };
    await store.events.append(numbers(50).map((backend) => ({ ...old, data: { backend } })));
    await store.outbox.stopAfter('webhook', 20);
    await store.events.prune(new Date());
  }
  await using sender = await start([webhook(receiver.url)], file);
  sender.record('today');
  await expect.poll(() => names(receiver.events)).toEqual(['today']);
  await expect.poll(() => sender.status()).toMatchObject({ waiting: 0 });
  expect(sender.status()?.skipped).toBeGreaterThanOrEqual(0);
});
