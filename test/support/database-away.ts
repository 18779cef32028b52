/** Two replicas behind a balancer: clients of both eras call while the database of both is away. */
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../src/auth/keys.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { type Json, startReference } from '../integration/harness.ts';
import { startBalancer } from './balancer.ts';
import { lineTo } from './cut-line.ts';
import { connect, type Era, eras } from './eras.ts';
import { callEcho, newEcho } from './traced-echo.ts';
import { startReplicas } from './two-replicas.ts';

export interface AwayToll {
  readonly calls: number;
  readonly slowestMs: number;
  /** How many calls failed, by era and message. */
  readonly failed: Readonly<Record<string, number>>;
  /** How many answers said that their event was not stored yet. */
  readonly unstored: number;
  /** Answered calls whose event the webhook did not get. */
  readonly undelivered: readonly string[];
}

const CLIENTS_OF_EACH_ERA = 2;
const PATIENCE_MS = 30_000;
/** How long to go on once the database is back: until everybody renewed. */
const AFTERWARDS_MS = 6000;

/** `cut` refuses connections, `freeze` drops packets. */
export async function callWhileAway(how: 'cut' | 'freeze', ms: number): Promise<AwayToll> {
  await using stack = new AsyncDisposableStack();
  const reference = stack.use(await startReference('http', 'both'));
  const receiver = stack.use(await startReceiver());
  let line: Awaited<ReturnType<typeof lineTo>> | undefined;
  const config = {
    mcpServers: { ref: reference.entry },
    auth: { mode: 'keys' },
    // With a webhook, answers wait until their events are stored.
    events: { webhook: { url: receiver.url, retry: { first: '50ms', most: '500ms' } } },
  };
  const { a, b } = stack.use(
    await startReplicas(config, config, async ({ url, port }) => {
      line = stack.use(await lineTo(port));
      return url.replace(`:${port}/`, `:${line.port}/`);
    }),
  );
  const stores = [a.runtime.store.shared, b.runtime.store.shared];
  const { key } = await createKey(a.runtime.store.keys, {
    name: 'callers',
    scopes: ['tools:read', 'tools:execute'],
    createdBy: 'test',
    createdAt: new Date().toISOString(),
  });
  const balancer = stack.use(await startBalancer([a.url, b.url]));
  const place = { url: balancer.url, home: a.home };
  const isKnown = (url: string) => stores.every(({ peers }) => peers?.all().some((one) => one.url === url));
  await until(() => isKnown(a.url) && isKnown(b.url), 'They do not know each other');

  const failed: Record<string, number> = {};
  const answered: string[] = [];
  let unstored = 0;
  let slowestMs = 0;
  const over = new AbortController();

  async function callOn(era: Era): Promise<void> {
    await using client = await connect(place, era, { headers: { authorization: `Bearer ${key}` } });
    while (!over.signal.aborted) {
      const echo = newEcho();
      const began = performance.now();
      try {
        const { _meta } = await callEcho(client, echo);
        answered.push(echo.trace);
        if ((_meta as Json | undefined)?.['sluice/notice'] !== undefined) unstored++;
      } catch (error) {
        const why = `${era}: ${(error as Error).message}`;
        failed[why] = (failed[why] ?? 0) + 1;
      }
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await delay(20);
    }
  }

  const calling = eras.flatMap((era) => Array.from({ length: CLIENTS_OF_EACH_ERA }, () => callOn(era)));
  await until(() => answered.length > 20, 'Nothing is answered');
  line?.[how]();
  await delay(ms);
  line?.mend();
  await until(() => stores.every((shared) => shared.cutOffSince() === undefined), 'The database is not back');
  await delay(AFTERWARDS_MS);
  over.abort();
  await Promise.all(calling);

  const undelivered = () => {
    const got = new Set(receiver.events.map(({ trace_id }) => trace_id));
    return answered.filter((trace) => !got.has(trace));
  };
  for (const end = performance.now() + PATIENCE_MS; undelivered().length > 0 && performance.now() < end; )
    await delay(100);
  return { calls: answered.length, slowestMs: Math.round(slowestMs), failed, unstored, undelivered: undelivered() };
}

async function until(holds: () => boolean, otherwise: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !holds(); await delay(20))
    if (performance.now() > end) throw new Error(`${otherwise}, after ${PATIENCE_MS} ms.`);
}
