/** Three replicas behind a load balancer: clients of both eras call while each replica is stopped in order, and started again. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AnyClient, startReference } from '../integration/harness.ts';
import { connect, type Era, eras } from './eras.ts';
import { freePort } from './free-port.ts';
import { createDatabase } from './postgres.ts';
import { type ProxyName, startProxy } from './proxies.ts';
import { type ServeProcess, serve } from './serve-process.ts';
import { callEcho, newEcho } from './traced-echo.ts';
import { secretKey } from './two-replicas.ts';

export const CLIENTS_OF_EACH_ERA = 3;
/** A proxy asks a replica every second. */
const NOTICED_MS = 3000;

export interface StopToll {
  readonly calls: number;
  /** How many calls failed, by era and message. */
  readonly failed: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** The slowest call while a replica hung. */
  readonly hungMs: number;
}

/** `stops` is how many replicas are stopped, one after the other; then one hangs for `hangMs`. */
export async function stopReplicas(name: ProxyName, stops: number, hangMs = 0): Promise<StopToll> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-stops-'))).path;
  const database = stack.use(await createDatabase());
  const reference = stack.use(await startReference('http', 'both'));
  const auth = { mode: 'none', token: 'the-token-of-these-callers' };
  const config = { store: database.url, auth, mcpServers: { ref: reference.entry }, nodes: { build: 'manual' } };
  const ports = await Promise.all([freePort(), freePort()]);
  const replicas: ServeProcess[] = [];
  const start = async (n: number) => {
    const one = await serve(join(directory, `replica-${n}`), config, { env: secretKey, port: ports[n] as number });
    replicas[n] = one;
    await one.ready();
  };
  stack.defer(async () => {
    await Promise.all(replicas.map((one) => one[Symbol.asyncDispose]()));
  });
  await Promise.all(ports.keys().map(start));
  const proxy = stack.use(await startProxy(name, directory, ports));
  await delay(NOTICED_MS);

  const place = { url: proxy.url, home: directory };
  const headers = { authorization: `Bearer ${auth.token}` };
  const failed: Record<string, number> = {};
  let [calls, slowestMs] = [0, 0];
  const over = new AbortController();

  async function callOn(era: Era): Promise<void> {
    let client: (AnyClient & AsyncDisposable) | undefined;
    while (!over.signal.aborted) {
      const began = performance.now();
      try {
        client ??= await connect(place, era, { headers });
        await callEcho(client, newEcho());
        calls++;
      } catch (error) {
        const why = `${era}: ${(error as Error).message.replaceAll(/[\da-f-]{12,}|127\.0\.0\.1:\d+/g, '…').slice(0, 160)}`;
        failed[why] = (failed[why] ?? 0) + 1;
        if (era === 'legacy') client = undefined;
      }
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await delay(10);
    }
    await client?.close();
  }

  const calling = eras.flatMap((era) => Array.from({ length: CLIENTS_OF_EACH_ERA }, () => callOn(era)));
  for (let n = 0; n < stops; n++) {
    await delay(1000);
    await replicas[n % ports.length]?.end('SIGTERM');
    await start(n % ports.length);
    await delay(NOTICED_MS);
  }
  const atStops = { ...failed };
  const slowestAtStops = slowestMs;
  slowestMs = 0;
  const [hanging] = replicas;
  if (hanging && hangMs > 0) {
    process.kill(hanging.pid, 'SIGSTOP');
    await delay(hangMs);
    process.kill(hanging.pid, 'SIGCONT');
  }
  over.abort();
  await Promise.all(calling);
  if (Object.keys(atStops).length > Object.keys(unavoidable(atStops)).length) console.log(proxy.said());
  return { calls, failed: atStops, slowestMs: Math.round(slowestAtStops), hungMs: Math.round(slowestMs) };
}

/** Of the failures, those of sessions of the 2025 era that ended with their replica. */
export const unavoidable = (failed: StopToll['failed']): StopToll['failed'] =>
  Object.fromEntries(
    Object.entries(failed).filter(([why]) => /^legacy: .*(?:Session not found|is stopping)/.test(why)),
  );
