// node bench/events.ts [EVENTS]: only the event log. `npm run bench` prints the same table.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { RecordedEvent } from '../src/kernel/events.ts';
import { BLOCK } from '../src/store/sqlite/event-digest.ts';
import { createEventLog } from '../src/store/event-log.ts';
import { openStore } from '../src/store/open.ts';
import type { StoreSettings } from '../src/store/settings.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';
import { connect } from './client.ts';
import { freePort } from '../test/support/free-port.ts';
import { start, untilListed } from './process.ts';
import { percentile } from './statistics.ts';
import { floor } from './targets.ts';

const MILLION = 1_000_000;
const APPENDS = 200_000;
const QUERIES = 200;
const QUIET_MS = 3000;

export interface EventFigures {
  events: number;
  appendsPerSecond: number;
  appendMicros: number;
  firstMs: number;
  queries: { label: string; p50: number; p95: number; longest: number }[];
  usageMs: number;
  /** The longest call in milliseconds, without and with queries at the same time. */
  quiet: { p99: number; longest: number };
  asked: { p99: number; longest: number };
}

type OpenStore = () => Promise<Store>;

const hour = 3_600_000;
const hex = () => crypto.randomUUID().replaceAll('-', '');

/** Twenty days of calls by five keys to fifty tools of seven servers, with a few other events in between. */
async function fill(open: OpenStore, count: number): Promise<string[]> {
  await using store = await open();
  const traces: string[] = [];
  const begin = Date.now() - 20 * 24 * hour;
  const every = (20 * 24 * hour) / count;
  let n = 0;
  const at = () => new Date(begin + n++ * every).toISOString();
  for (let made = 0; made < count; made = n) {
    const batch: RecordedEvent[] = [];
    for (let i = 0; i < 500; i++) {
      const trace_id = hex();
      const source = `srv${n % 7}`;
      const data = {
        tool: `${source}__tool_${(n * 31) % 50}`,
        source,
        principal: n % 10_000 ? `key:${n % 5}` : 'key:rare',
      };
      const failed = n % 100 === 0;
      batch.push(
        { timestamp: at(), trace_id, event_type: 'tool.call_received', status: 'pending', data },
        {
          timestamp: at(),
          trace_id,
          event_type: failed ? 'tool.call_failed' : 'tool.call_completed',
          status: failed ? 'failure' : 'success',
          data: { ...data, ms: (n % 5000) / 100, ...(failed && { reason: 'tool error' }) },
        },
      );
      if (n % 5000 === 0) traces.push(trace_id);
    }
    if (n % 50_000 === 0)
      batch.push({
        timestamp: at(),
        trace_id: hex(),
        event_type: 'gateway.server_added',
        status: 'success',
        data: { backend: 'srv1', transport: 'http', principal: 'key:1' },
      });
    await store.events.append(batch);
  }
  return traces;
}

async function measureAppends(open: OpenStore): Promise<Pick<EventFigures, 'appendsPerSecond' | 'appendMicros'>> {
  await using store = await open();
  await using log = createEventLog(store.events);
  const call = { tool: 'srv__tool', source: 'srv', principal: 'key:1' };
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let n = 0; n < APPENDS; n += 2) {
    const trace = { traceId: hex() };
    log.record({ type: 'tool.call_received', ...call }, trace);
    log.record({ type: 'tool.call_completed', ...call, ms: 1.5 }, trace);
    if (n % 5000 === 0) await log.flush();
  }
  await log.flush();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (log.dropped() > 0) throw new Error(`${log.dropped()} events were dropped.`);
  return { appendsPerSecond: APPENDS / seconds, appendMicros: (user + system) / APPENDS };
}

/** Typical queries of people and models, each with and without matches. */
function questions(traces: readonly string[]): [label: string, args: (n: number) => Record<string, unknown>][] {
  return [
    ['the newest', () => ({})],
    ['a trace', (n) => ({ trace_id: n % 4 ? traces[n % traces.length] : hex() })],
    ['failures of an hour', (n) => ({ status: 'failure', since: `${(n % 400) + 1}h`, until: `${n % 400}h` })],
    ['the audit', () => ({ audit: true })],
    ['a key that is rare', (n) => ({ principal: n % 2 ? 'key:rare' : 'key:none' })],
    ['a tool', (n) => ({ tool: `srv${n % 7}__tool_${n % 50}`, event_type: 'tool.call_failed' })],
  ];
}

function digestsIn(file: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  return Number(db.prepare('SELECT count(*) AS count FROM event_digests').get()?.count);
}

export async function measureEvents(
  root: string,
  say: (line: string) => void,
  { count = MILLION, postgres }: { count?: number; postgres?: string } = {},
): Promise<EventFigures> {
  const home = await mkdtemp(join(root, 'events-'));
  const env = { SLUICE_SECRET_KEY: 'a secret key that is only for the benchmark' };
  const settings: StoreSettings =
    postgres === undefined ? { kind: 'sqlite' } : { kind: 'postgres', url: postgres, connections: 6 };
  const open: OpenStore = () => openStore({ home, version: 'bench', settings, env });
  const appending: OpenStore = postgres === undefined ? () => openSqlite(join(home, 'appends.db')) : open;
  say('events: appending');
  const appends = await measureAppends(appending);
  say(`events: making ${count}`);
  const traces = await fill(open, count);
  const port = await freePort();
  const entry = { command: process.execPath, args: [floor('echo-stdio'), '--name', 'b0'] };
  await writeFile(
    join(home, 'sluice.json'),
    JSON.stringify({ mcpServers: { b0: entry }, ...(postgres !== undefined && { store: postgres }) }),
  );
  const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));
  const args = [bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)];
  await using running = start(args, home, { SLUICE_HOME: home, ...env });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await untilListed(running, url, 'modern', ['b0__echo', 'get_events']);
  const agent = new http.Agent({ keepAlive: true });
  const asker = await connect('modern', url, agent);
  const caller = await connect('modern', url, agent);
  const ask = async (name: string, given: Record<string, unknown>) => {
    const { result, ms } = await asker.request('tools/call', { name, arguments: given });
    if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
    return ms;
  };

  /** Calls one after the other until told to stop, and returns how long each took. */
  function callOn() {
    const stop = new AbortController();
    const times: number[] = [];
    const done = (async () => {
      while (!stop.signal.aborted) {
        const { ms } = await caller.request('tools/call', { name: 'b0__echo', arguments: { text: 'hi' } });
        times.push(ms);
      }
    })();
    return async () => {
      stop.abort();
      await done;
      return { p99: percentile(times, 0.99), longest: Math.max(...times) };
    };
  }

  say('events: calls alone');
  const warming = callOn();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 3));
  await warming();
  const quietly = callOn();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const quiet = await quietly();
  say('events: queries');
  const meanwhile = callOn();
  // The first query finds no digests yet.
  const firstMs = await ask('get_events', { trace_id: traces[0] });
  // Digests are built in the background and survive restarts. PostgreSQL has indexes instead.
  if (postgres === undefined)
    while (digestsIn(join(home, 'sluice.db')) < Math.floor(count / BLOCK) - 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
  const queries: EventFigures['queries'] = [];
  for (const [label, argsOf] of questions(traces)) {
    const times: number[] = [];
    for (let n = 0; n < QUERIES; n++) times.push(await ask('get_events', argsOf(n)));
    queries.push({ label, p50: percentile(times, 0.5), p95: percentile(times, 0.95), longest: Math.max(...times) });
  }
  const usageMs = await ask('gateway_usage', { since: '30d' });
  const asked = await meanwhile();
  agent.destroy();
  return { events: count, ...appends, firstMs, queries, usageMs, quiet, asked };
}

export function eventTable(figures: EventFigures): string {
  const { events, appendsPerSecond, appendMicros, firstMs, queries, usageMs, quiet, asked } = figures;
  const ms = (value: number) => value.toFixed(1);
  const million = events.toLocaleString('en-US');
  return [
    `| events | figure |`,
    `| --- | --: |`,
    `| appends a second | ${Math.round(appendsPerSecond).toLocaleString('en-US')} |`,
    `| CPU µs an event | ${ms(appendMicros)} |`,
    ...queries.map(
      ({ label, p50, p95, longest }) =>
        `| get_events over ${million}: ${label}, p50 / p95 / longest ms | ${ms(p50)} / ${ms(p95)} / ${ms(longest)} |`,
    ),
    `| the very first query ms | ${ms(firstMs)} |`,
    `| gateway_usage over all of them ms | ${ms(usageMs)} |`,
    `| calls meanwhile, p99 / longest ms | ${ms(asked.p99)} / ${ms(asked.longest)} |`,
    `| calls without queries, p99 / longest ms | ${ms(quiet.p99)} / ${ms(quiet.longest)} |`,
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  try {
    console.log(
      eventTable(
        await measureEvents(root, (line) => console.error(line), { count: Number(process.argv[2] ?? MILLION) }),
      ),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
