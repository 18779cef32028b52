/** Three replicas behind haproxy: clients of both eras call while the replicas are killed and started in turn. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../src/auth/keys.ts';
import { openStore } from '../../src/store/open.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { type AnyClient, connectV1, connectV2, startReference } from '../integration/harness.ts';
import { freePort } from './free-port.ts';
import { createDatabase } from './postgres.ts';
import { startProxy } from './proxies.ts';
import { type ServeProcess, serve } from './serve-process.ts';
import { callEcho, newEcho } from './traced-echo.ts';

const SECRET = 'one secret key for all three replicas';
/** A call or a client that needs longer than this is lost. */
const PATIENCE_MS = 20_000;

export interface Toll {
  readonly kills: number;
  readonly calls: number;
  /** Calls that failed at first, by how their failure was worded. */
  readonly failures: ReadonlyMap<string, number>;
  /** Calls that never succeeded. */
  readonly lost: string[];
  /** How long each client of the 2025 era needed from its first failure to its next answer. */
  readonly backMs: number[];
  /** Answered calls without an event, and events without a delivery. */
  readonly withoutEvent: string[];
  readonly undelivered: string[];
  /** Ids that came more than once with another content. */
  readonly altered: string[];
  readonly repeated: number;
}

interface Caller {
  readonly era: 'legacy' | 'modern';
  connect(): Promise<AnyClient & AsyncDisposable>;
}

export async function killReplicas(wanted: number, callers = 8, kills = 6): Promise<Toll> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-replicas-'))).path;
  const database = stack.use(await createDatabase());
  const reference = stack.use(await startReference('http', 'both'));
  const receiver = stack.use(await startReceiver());
  const settings = { kind: 'postgres', url: database.url, connections: 6 } as const;
  const env = { SLUICE_SECRET_KEY: SECRET };
  const store = stack.use(await openStore({ home: directory, version: '0', settings, env }));
  const { key } = await createKey(store.keys, {
    name: 'callers',
    scopes: ['tools:read', 'tools:execute'],
    createdBy: 'test',
    createdAt: new Date().toISOString(),
  });
  const config = {
    store: database.url,
    auth: { mode: 'keys' },
    mcpServers: { ref: reference.entry },
    events: { webhook: { url: receiver.url, retry: { first: '50ms', most: '500ms' } } },
  };
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const replicas: ServeProcess[] = [];
  const startOne = async (n: number) => {
    const replica = await serve(join(directory, `replica-${n}`), config, { env, port: ports[n] as number });
    await replica.ready();
    replicas[n] = replica;
  };
  stack.defer(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });
  for (const n of ports.keys()) await startOne(n);
  const proxy = stack.use(await startProxy('haproxy', directory, ports));

  const place = { url: proxy.url, home: directory };
  const headers = { authorization: `Bearer ${key}` };
  const kinds: Caller[] = [
    { era: 'modern', connect: () => connectV2(place, { era: 'modern', headers }) },
    { era: 'legacy', connect: () => connectV2(place, { era: 'legacy', headers }) },
    { era: 'modern', connect: () => connectV2(place, { era: 'modern', headers }) },
    { era: 'legacy', connect: () => connectV1(place, { headers }) },
  ];
  const failures = new Map<string, number>();
  const lost: string[] = [];
  const backMs: number[] = [];
  const answered = new Set<string>();
  let left = wanted;
  let killed = 0;
  const done = () => left <= 0 && killed >= kills;

  async function callOn(caller: Caller): Promise<void> {
    let client: (AnyClient & AsyncDisposable) | undefined;
    while (!done()) {
      left--;
      const echo = newEcho();
      let failedAt: number | undefined;
      for (;;) {
        try {
          client ??= await caller.connect();
          await callEcho(client, echo);
          answered.add(echo.trace);
          if (failedAt !== undefined && caller.era === 'legacy') backMs.push(performance.now() - failedAt);
          break;
        } catch (error) {
          failedAt ??= performance.now();
          count(failures, wordsOf(error));
          // A client of the 2025 era begins anew; one of 2026 just asks again.
          if (caller.era === 'legacy') {
            void client?.close().catch(() => {});
            client = undefined;
          }
          if (performance.now() - failedAt > PATIENCE_MS) {
            lost.push(`${caller.era}: ${wordsOf(error)}`);
            break;
          }
          await delay(20);
        }
      }
      // Spread over the kills.
      await delay(5 + Math.random() * 20);
    }
    await client?.close().catch(() => {});
  }

  async function kill(): Promise<void> {
    for (let turn = 0; turn < kills; turn++) {
      const n = turn % ports.length;
      await delay(300 + Math.random() * 500);
      await replicas[n]?.end('SIGKILL');
      killed++;
      await startOne(n);
    }
  }

  const calling = Array.from({ length: callers }, (_, n) => callOn(kinds[n % kinds.length] as Caller));
  await Promise.all([kill(), ...calling]);

  // Everything that was answered is stored, and everything that is stored gets delivered.
  const stored = new Map<string, number>();
  for (let after = 0; ; ) {
    const { events, position } = await store.events.follow({ type: 'tool.call_completed' }, after, 1000);
    for (const event of events) stored.set(event.trace_id, event.id);
    if (events.length === 0) break;
    after = position;
  }
  const withoutEvent = [...answered].filter((trace) => !stored.has(trace));
  const has = () => new Set(receiver.events.map(({ id }) => Number(id.split('-')[1])));
  const missing = () => {
    const delivered = has();
    return [...stored.values()].filter((id) => !delivered.has(id));
  };
  for (const end = Date.now() + 40_000; missing().length > 0 && Date.now() < end; ) await delay(100);
  const contents = new Map<string, string>();
  const altered: string[] = [];
  for (const event of receiver.events) {
    const text = JSON.stringify(event);
    if ((contents.get(event.id) ?? text) !== text) altered.push(event.id);
    contents.set(event.id, text);
  }
  return {
    kills: killed,
    calls: answered.size,
    failures,
    lost,
    backMs,
    withoutEvent,
    undelivered: missing().map(String),
    altered,
    repeated: receiver.events.length - contents.size,
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The kind of a failure: its numbers and names differ each time. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  const code = cause?.code === undefined ? '' : ` (${cause.code})`;
  return `${message.replaceAll(/[\da-f-]{12,}|127\.0\.0\.1:\d+/g, '…').slice(0, 160)}${code}`;
}
