import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ReceivedEvent, startReceiver } from '../../fixtures/webhook-receiver.ts';
import { statusOf } from '../../support/plain-calls.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';
import { secretKey, startReplicas } from '../../support/two-replicas.ts';
import { startGateway, type TestGateway } from '../harness.ts';

const SOON = { interval: 20, timeout: 10_000 };
/** Replicas count as dead after twelve seconds; what they led moves within twenty. */
const MOVED = { interval: 50, timeout: 20_000 };

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const lines = (from: number, to: number) =>
  numbers(from, to)
    .map((n) => `${JSON.stringify({ event: 'thing.happened', n })}\n`)
    .join('');
const valuesOf = (events: readonly ReceivedEvent[], type: string, field: string) =>
  events.flatMap(({ event_type, data }) => (event_type === type ? [data[field]] : []));
const record = ({ runtime }: TestGateway, name: string) =>
  runtime.events.record({ type: 'gateway.backend_removed', backend: name });
const places = async (url: string) => {
  const { webhooks = [], watch = [] } = (await statusOf(url)).events ?? {};
  return [...webhooks, ...watch].map(({ state }) => state);
};

describe.skipIf(postgresIsMissing)('background work of two replicas', () => {
  test('five hundred events of both reach the webhook once each, in the order of each replica', async () => {
    await using receiver = await startReceiver();
    await using replicas = await startReplicas({
      events: { webhook: { url: receiver.url, filter: ['gateway.backend_removed'] } },
    });
    const { a, b } = replicas;
    for (let n = 0; n < 250; n++) {
      record(a, `a${n}`);
      record(b, `b${n}`);
      if (n % 25 === 0) await new Promise((resolve) => void setTimeout(resolve, 20));
    }
    await expect.poll(() => receiver.events.length, SOON).toBe(500);
    const names = valuesOf(receiver.events, 'gateway.backend_removed', 'backend') as string[];
    for (const replica of ['a', 'b'])
      expect(names.filter((name) => name.startsWith(replica))).toEqual(numbers(0, 250).map((n) => `${replica}${n}`));
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(500);
    await expect
      .poll(async () => [...(await places(a.url)), ...(await places(b.url))].sort(), SOON)
      .toEqual(['delivering', 'elsewhere']);
  });

  test('a watched file is read once, and what one replica led goes on in the other when it stops', async () => {
    await using files = await scratch();
    await using receiver = await startReceiver();
    const path = files.path('told.jsonl');
    writeFileSync(path, '');
    await using database = await createDatabase();
    const config = { store: database.url, events: { webhook: { url: receiver.url }, watch: [path] } };
    const a = await startGateway(config, { env: secretKey });
    await expect.poll(() => places(a.url), SOON).toEqual(['delivering', 'reading']);
    await using b = await startGateway(config, { env: secretKey });
    await expect.poll(() => places(b.url), SOON).toEqual(['elsewhere', 'elsewhere']);
    appendFileSync(path, lines(0, 100));
    const told = () => valuesOf(receiver.events, 'thing.happened', 'n');
    await expect.poll(told, SOON).toEqual(numbers(0, 100));
    await a[Symbol.asyncDispose]();
    const stopped = performance.now();
    await expect.poll(() => places(b.url), SOON).toEqual(['delivering', 'reading']);
    expect(performance.now() - stopped).toBeLessThan(3000);
    appendFileSync(path, lines(100, 150));
    await expect.poll(told, SOON).toEqual(numbers(0, 150));
  });

  test('a replica that drains hands everything over at once, and what it still records is delivered', async () => {
    await using files = await scratch();
    await using receiver = await startReceiver();
    const path = files.path('told.jsonl');
    writeFileSync(path, '');
    await using replicas = await startReplicas({ events: { webhook: { url: receiver.url }, watch: [path] } });
    const { a, b } = replicas;
    await expect.poll(() => places(a.url), SOON).toEqual(['delivering', 'reading']);
    await expect.poll(() => places(b.url), SOON).toEqual(['elsewhere', 'elsewhere']);
    await expect.poll(() => a.runtime.store.shared.peers?.all().length, SOON).toBe(2);
    const began = performance.now();
    await a.runtime.store.shared.peers?.drain();
    await expect.poll(() => places(b.url), SOON).toEqual(['delivering', 'reading']);
    expect(performance.now() - began).toBeLessThan(3000);
    await expect.poll(() => places(a.url), SOON).toEqual(['elsewhere', 'elsewhere']);
    appendFileSync(path, lines(0, 20));
    for (let n = 0; n < 20; n++) record(a, `a${n}`);
    await expect.poll(() => valuesOf(receiver.events, 'thing.happened', 'n'), SOON).toEqual(numbers(0, 20));
    await expect
      .poll(() => valuesOf(receiver.events, 'gateway.backend_removed', 'backend'), SOON)
      .toEqual(numbers(0, 20).map((n) => `a${n}`));
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(receiver.events.length);
  });

  test('what a killed replica led moves to the other within twenty seconds, and nothing is lost or sent twice', async () => {
    await using files = await scratch();
    await using receiver = await startReceiver();
    const path = files.path('told.jsonl');
    writeFileSync(path, '');
    await using database = await createDatabase();
    const config = { store: database.url, events: { webhook: { url: receiver.url }, watch: [path] } };
    await using a = await serve(files.directory, config, { env: secretKey });
    await a.ready();
    await expect.poll(() => places(a.url), SOON).toEqual(['delivering', 'reading']);
    await using b = await startGateway(config, { env: secretKey });
    appendFileSync(path, lines(0, 50));
    const told = () => valuesOf(receiver.events, 'thing.happened', 'n');
    await expect.poll(told, SOON).toEqual(numbers(0, 50));
    // What was delivered and not noted yet is sent again, with the same id.
    const last = Number(receiver.events.at(-1)?.id.split('-')[1]);
    const noted = async () => (await b.runtime.store.outbox.list())[0]?.deliveredTo;
    await expect.poll(noted, SOON).toBeGreaterThanOrEqual(last);
    await a.end('SIGKILL');
    appendFileSync(path, lines(50, 100));
    for (let n = 0; n < 50; n++) record(b, `b${n}`);
    await expect.poll(() => places(b.url), MOVED).toEqual(['delivering', 'reading']);
    await expect.poll(told, SOON).toEqual(numbers(0, 100));
    await expect
      .poll(() => valuesOf(receiver.events, 'gateway.backend_removed', 'backend'), SOON)
      .toEqual(numbers(0, 50).map((n) => `b${n}`));
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(receiver.events.length);
  });
});
