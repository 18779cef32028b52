// node bench/store.ts [ROUNDS]: only the stores beside each other. `npm run bench -- --store` prints the same tables.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { createKey, revokeKey } from '../src/auth/keys.ts';
import { openStore } from '../src/store/open.ts';
import type { StoreSettings } from '../src/store/settings.ts';
import { freePort } from '../test/support/free-port.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { announce } from '../test/support/services.ts';
import { connect, type Era, versionOf } from './client.ts';
import { type EventFigures, eventTable, measureEvents } from './events.ts';
import { type Generator, startGenerator } from './generator.ts';
import { cpuOf } from './proc.ts';
import { type Running, start, untilListed } from './process.ts';
import { median, percentile } from './statistics.ts';
import { floor } from './targets.ts';

const SECRET = 'a secret key that is only for the benchmark';
const WARMUP = { calls: 6_000, seconds: 2 };
const LOAD = { calls: 50_000, seconds: 2 };
const CALLERS = 32;
const DELAYS = 40;
const eras: readonly Era[] = ['legacy', 'modern'];
const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

/** Calls through one way to store. `postgresMicros` is what the database's own processes used. */
interface Sample {
  perSecond: number;
  cpuMicros: number;
  p95: number;
  postgresMicros: number;
}

interface StoreFigures {
  rounds: number;
  calls: { label: string; era: Era; samples: Sample[] }[];
  revocation: number[];
  listChanged: number[];
  events: EventFigures;
}

interface Replica {
  readonly running: Running;
  readonly url: URL;
}

/** One or more replicas, ready; with a key for callers that may do everything. */
async function startReplicas(root: string, settings: StoreSettings, count: number) {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(root, 'replicas-'));
  const env = { SLUICE_SECRET_KEY: SECRET };
  const homes = Array.from({ length: count }, (_, n) => join(directory, `home-${n}`));
  for (const home of homes) await mkdir(home, { mode: 0o700 });
  const store = stack.use(await openStore({ home: homes[0] as string, version: 'bench', settings, env }));
  const grant = {
    name: `bench-${directory.slice(-6)}`,
    scopes: ['tools:read', 'tools:execute', 'admin'],
    confirm: 'never' as const,
    createdBy: 'bench',
    createdAt: new Date().toISOString(),
  };
  const { key } = await createKey(store.keys, grant);
  const config = {
    mcpServers: { b0: { command: process.execPath, args: [floor('echo-stdio'), '--name', 'b0'] } },
    auth: { mode: 'keys' },
    gateway: { allowInternalUrls: true },
    ...(settings.kind === 'postgres' && { store: settings.url }),
  };
  const replicas: Replica[] = [];
  for (const home of homes) {
    await writeFile(join(home, 'sluice.json'), JSON.stringify(config));
    const port = await freePort();
    const args = [bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)];
    const running = stack.use(start(args, home, { SLUICE_HOME: home, ...env }));
    const url = new URL(`http://${key}@127.0.0.1:${port}/mcp`);
    await untilListed(running, url, 'modern', ['b0__echo']);
    replicas.push({ running, url });
  }
  await delay(500);
  const owned = stack.move();
  return { replicas, store, key, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function loadOf(replicas: readonly Replica[], generators: readonly Generator[], era: Era, server?: () => number) {
  const before = server?.() ?? 0;
  const results = await Promise.all(
    replicas.map(({ running, url }, n) =>
      (generators[n] as Generator).load(running, {
        url: url.href,
        era,
        ask: { tool: 'b0__echo' },
        callers: CALLERS / replicas.length,
        warmup: WARMUP,
        limit: LOAD,
      }),
    ),
  );
  const calls = results.reduce((sum, result) => sum + result.calls, 0);
  const failed = results.find(({ errors }) => errors > 0);
  if (failed) throw new Error(`A call was answered wrongly: ${failed.firstError}`);
  return {
    perSecond: results.reduce((sum, result) => sum + result.perSecond, 0),
    cpuMicros: results.reduce((sum, result) => sum + result.cpuMicros * result.calls, 0) / calls,
    p95: Math.max(...results.map(({ p95 }) => p95)),
    // The warm-up is in it: about a tenth too much for a comparison, enough to tell its order.
    postgresMicros: ((server?.() ?? 0) - before) / calls,
  };
}

/** CPU of a PostgreSQL: of its server and of all processes that the server started and that live. */
async function postgresCpu(url: string): Promise<() => number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  const used = new Map<number, number>();
  return () => {
    for (const pid of [server, ...childrenOf(server)]) {
      try {
        used.set(pid, cpuOf(pid));
      } catch {
        // It ended between the two reads; what it used so far counts.
      }
    }
    return [...used.values()].reduce((sum, micros) => sum + micros, 0);
  };
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
  return pids.filter((pid) => {
    try {
      return parentOf(pid) === parent;
    } catch {
      return false;
    }
  });
}

/** A 2026 client's stream of notices. */
async function listen({ url }: Replica, key: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': versionOf.modern,
    'io.modelcontextprotocol/clientInfo': { name: 'sluice-bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { notifications: { toolsListChanged: true }, _meta },
  });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': versionOf.modern,
      'mcp-method': method,
    };
    const request = http.request(new URL(url.pathname, `http://${url.host}`), { method: 'POST', headers }, resolve);
    request.once('error', reject);
    request.end(body);
  });
  if (response.statusCode !== 200) throw new Error(`${method} was answered with ${response.statusCode}.`);
  let text = '';
  let told = () => {};
  response.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (text.includes('list_changed')) told();
  });
  const ended = new Promise<void>((resolve) => void response.once('close', resolve));
  return {
    ended,
    /** Settles at the next notice. */
    next: () =>
      new Promise<void>((resolve) => {
        text = '';
        told = resolve;
      }),
    close: () => void response.destroy(),
  };
}

const LATE_MS = 10_000;

async function within<T>(wanted: Promise<T>, what: string): Promise<T> {
  const late = delay(LATE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${what} did not come within ${LATE_MS / 1000} s.`);
  });
  return await Promise.race([wanted, late]);
}

type Site = Awaited<ReturnType<typeof startReplicas>>;

/** From the revocation in the store to the end of a stream on each of two replicas: the later one counts. */
async function measureRevocation({ replicas, store }: Site): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < DELAYS; n++) {
    const grant = {
      name: `guest-${n}`,
      scopes: ['tools:read'],
      createdBy: 'bench',
      createdAt: new Date().toISOString(),
    };
    const { id, key } = await createKey(store.keys, grant);
    const streams = await Promise.all(replicas.map((replica) => listen(replica, key)));
    const started = performance.now();
    await revokeKey(store.keys, id, new Date());
    await within(Promise.all(streams.map(({ ended }) => ended)), 'The end of a revoked key');
    times.push(performance.now() - started);
  }
  return times;
}

/** From asking one replica to add a server to the notice at a client of the other one. */
async function measureListChanged({ replicas, key }: Site, upstream: string): Promise<number[]> {
  const [first, second] = replicas as [Replica, Replica];
  const agent = new http.Agent({ keepAlive: true });
  const asker = await connect('modern', first.url, agent);
  const ask = async (name: string, given: Record<string, unknown>) => {
    const { result } = await asker.request('tools/call', { name, arguments: given });
    if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  };
  const stream = await listen(second, key);
  const times: number[] = [];
  for (let n = 0; n < DELAYS / 2; n++) {
    const added = stream.next();
    const started = performance.now();
    await ask('gateway_add_server', { name: `more${n}`, server: { url: upstream } });
    await within(added, 'The notice of a new server');
    times.push(performance.now() - started);
    await delay(100);
    const removed = stream.next();
    await ask('gateway_remove_server', { name: `more${n}` });
    await within(removed, 'The notice of a removed server');
    await delay(100);
  }
  stream.close();
  agent.destroy();
  return times;
}

export async function measureStore(root: string, say: (line: string) => void, rounds: number): Promise<StoreFigures> {
  const directory = await mkdtemp(join(root, 'services-'));
  announce({ directory, runner: process.pid });
  using generators = new DisposableStack();
  const loaders = [generators.use(startGenerator()), generators.use(startGenerator())];
  const ways = [
    { label: 'SQLite', replicas: 1, postgres: false },
    { label: 'PostgreSQL', replicas: 1, postgres: true },
    { label: 'PostgreSQL, two replicas', replicas: 2, postgres: true },
  ];
  const calls = ways.flatMap(({ label }) => eras.map((era) => ({ label, era, samples: [] as Sample[] })));
  for (let round = 1; round <= rounds; round++) {
    for (const { label, replicas: count, postgres } of ways) {
      say(`store: round ${round}/${rounds}: ${label}`);
      await using database = postgres ? await createDatabase() : undefined;
      const settings: StoreSettings = database
        ? { kind: 'postgres', url: database.url, connections: 6 }
        : { kind: 'sqlite' };
      const server = database && (await postgresCpu(database.url));
      await using site = await startReplicas(root, settings, count);
      for (const era of eras) {
        const sample = await loadOf(site.replicas, loaders, era, server);
        calls.find((row) => row.label === label && row.era === era)?.samples.push(sample);
      }
    }
  }
  say('store: delays between two replicas');
  await using database = await createDatabase();
  const settings = { kind: 'postgres', url: database.url, connections: 6 } as const;
  const port = await freePort();
  await using echo = start([floor('echo-http'), '--port', String(port)], await mkdtemp(join(root, 'echo-')));
  const upstream = `http://127.0.0.1:${port}/mcp`;
  await untilListed(echo, new URL(upstream), 'modern', ['echo']);
  let revocation: number[];
  let listChanged: number[];
  {
    await using site = await startReplicas(root, settings, 2);
    revocation = await measureRevocation(site);
    listChanged = await measureListChanged(site, upstream);
  }
  await using full = await createDatabase();
  const events = await measureEvents(root, say, { postgres: full.url });
  return { rounds, calls, revocation, listChanged, events };
}

export function storeTable({ rounds, calls, revocation, listChanged, events }: StoreFigures): string {
  const ms = (value: number) => value.toFixed(0);
  const of = (samples: readonly Sample[], key: keyof Sample) => median(samples.map((sample) => sample[key]));
  const floorOf = (era: Era) => {
    const row = calls.find(({ label, era: other }) => label === 'SQLite' && other === era);
    return row ? of(row.samples, 'cpuMicros') : Number.NaN;
  };
  return [
    `Medians of ${rounds} rounds; ${CALLERS} callers with a key, call events on, one stdio server in each replica.`,
    '',
    '| store | era | calls/s | p95 ms | CPU µs a call | beside SQLite | CPU µs of PostgreSQL a call |',
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...calls.map(({ label, era, samples }) => {
      const cpu = of(samples, 'cpuMicros');
      const theirs = of(samples, 'postgresMicros');
      return `| ${label} | ${versionOf[era]} | ${ms(of(samples, 'perSecond'))} | ${of(samples, 'p95').toFixed(1)} | ${ms(cpu)} | ${(cpu / floorOf(era)).toFixed(2)} x | ${theirs > 0 ? ms(theirs) : ''} |`;
    }),
    '',
    '| between two replicas | p50 / p95 / longest ms |',
    '| --- | --: |',
    `| a key is revoked: its streams end on both | ${spread(revocation)} |`,
    `| a server is added on one: list_changed at a client of the other | ${spread(listChanged)} |`,
    '',
    eventTable(events),
  ].join('\n');

  function spread(times: readonly number[]): string {
    return [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map(ms).join(' / ');
  }
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    console.log(storeTable(await measureStore(root, (line) => console.error(line), Number(process.argv[2] ?? 3))));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
