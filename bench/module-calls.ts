/** A call of a module through the gateway, beside the same call of the bare driver, with the real service behind both. */
import http from 'node:http';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { Client as Postgres } from 'pg';
import { known } from '../src/modules/known.ts';
import { startDaemon } from '../test/support/daemon.ts';
import { freePort } from '../test/support/free-port.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { PROMETHEUS, startPrometheus } from '../test/support/prometheus.ts';
import { announce } from '../test/support/services.ts';
import { timed } from './by-turns.ts';
import { connect } from './client.ts';
import { startServe } from './module-start.ts';
import { finelyCpuOf } from './proc.ts';
import { median, percentile } from './statistics.ts';

const TURNS = 300;
const WARMUP = 300;
const REDIS = '/usr/bin/redis-server';

/** A service with its driver, connected. */
interface Contender extends AsyncDisposable {
  readonly section: object;
  bare(): Promise<unknown>;
}

interface Comparison {
  readonly module: string;
  readonly call: string;
  readonly tool: string;
  readonly params: object;
  /** Why it cannot be measured here. */
  missing(): string | undefined;
  start(): Promise<Contender>;
}

const comparisons: readonly Comparison[] = [
  {
    module: 'redis',
    call: 'GET of a small key',
    tool: 'redis_get_key',
    params: { key: 'bench:small' },
    missing: () => (existsSync(REDIS) ? undefined : `${REDIS} is not installed`),
    async start() {
      const port = await freePort();
      const args = (folder: string) => ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
      const server = await startDaemon({ program: REDIS, port, args });
      const url = `redis://127.0.0.1:${port}`;
      const client = createClient({ url });
      await client.connect();
      await client.set('bench:small', 'a small value');
      return {
        section: { url },
        bare: () => client.get('bench:small'),
        async [Symbol.asyncDispose]() {
          client.destroy();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
  {
    module: 'postgres',
    call: 'SELECT 1',
    tool: 'postgres_query',
    params: { sql: 'SELECT 1 AS one' },
    missing: () => (existsSync('/usr/lib/postgresql') ? undefined : 'PostgreSQL is not installed'),
    async start() {
      const database = await createDatabase();
      const client = new Postgres(database.url);
      await client.connect();
      return {
        section: { url: database.url },
        bare: () => client.query('SELECT 1 AS one'),
        async [Symbol.asyncDispose]() {
          await client.end();
          await database[Symbol.asyncDispose]();
        },
      };
    },
  },
  {
    module: 'prometheus',
    call: 'query of vector(1)',
    tool: 'prometheus_query',
    params: { query: 'vector(1)' },
    missing: () => (existsSync(PROMETHEUS) ? undefined : `${PROMETHEUS} is not installed`),
    async start() {
      const server = await startPrometheus();
      return {
        section: { url: server.url },
        bare: async () => await (await fetch(`${server.url}/api/v1/query?query=vector(1)`)).json(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
];

/** A module of the same shape without a service: what HTTP, MCP, the wrapper and the host of modules cost. */
const floorModule = `
import { module, toolsFor, z } from 'sluice/module';
const say = toolsFor({ category: 'floor' })({
  name: 'floor_say_back', title: 'Say back', description: 'Returns the text it is given.', effect: 'read',
  phrases: 'say it again; repeat after me',
  input: z.strictObject({ text: z.string().describe('Any text') }), output: z.object({ text: z.string() }),
  run: async ({ text }) => ({ text }),
});
export default module({
  name: 'floor', description: 'Returns what it is given', settings: z.object({}),
  address: () => ({ text: 'here' }), tools: async () => [say],
  connect: async () => ({ [Symbol.asyncDispose]: async () => {} }), check: async () => 'here',
});
`;

/** Milliseconds of each way, in one round. */
interface Round {
  bare: number[];
  through: number[];
  floor: number[];
  /** CPU of the gateway for one call of the module. */
  cpuMicros: number;
}

export interface CallFigures {
  module: string;
  call: string;
  rounds: Round[];
}

export interface AllCallFigures {
  measured: CallFigures[];
  skipped: { module: string; reason: string }[];
}

async function reasonAgainst({ module, tool, missing }: Comparison): Promise<string | undefined> {
  const there = known.get(module);
  if (!there) return 'the module is not built in';
  const tools = await (await there.load()).tools();
  return tools.some(({ name }) => name === tool) ? missing() : `it has no tool ${tool}`;
}

export async function measureModuleCalls(
  root: string,
  say: (line: string) => void,
  rounds: number,
): Promise<AllCallFigures> {
  const services = await mkdtemp(join(root, 'services-'));
  announce({ directory: services, runner: process.pid });
  await using stack = new AsyncDisposableStack();
  const skipped: AllCallFigures['skipped'] = [];
  const running: { comparison: Comparison; contender: Contender; rounds: Round[] }[] = [];
  for (const comparison of comparisons) {
    const reason = await reasonAgainst(comparison);
    if (reason === undefined) {
      say(`modules: starting ${comparison.module}`);
      running.push({ comparison, contender: stack.use(await comparison.start()), rounds: [] });
    } else skipped.push({ module: comparison.module, reason });
  }
  const home = await mkdtemp(join(root, 'calls-'));
  await mkdir(join(home, 'modules'));
  await writeFile(join(home, 'modules', 'floor.js'), floorModule);
  const sections = running.map(({ comparison: { module }, contender: { section } }) => [module, section] as const);
  const gateway = stack.use(await startServe(home, { modules: { floor: {}, ...Object.fromEntries(sections) } }));
  const agent = new http.Agent({ keepAlive: true });
  stack.defer(() => agent.destroy());
  const client = await connect('modern', gateway.url, agent);
  const call = async (module: string, tool: string, params: object) => {
    const { result } = await client.request('tools/call', { name: `${module}_call`, arguments: { tool, params } });
    if (result.isError) throw new Error(`${tool} failed: ${JSON.stringify(result.content)}`);
  };
  for (let round = 1; round <= rounds; round++)
    for (const { comparison, contender, rounds: taken } of running) {
      const { module, tool, params } = comparison;
      say(`modules: round ${round}/${rounds}: calls of ${module}`);
      const ways = {
        bare: () => contender.bare(),
        through: () => call(module, tool, params),
        floor: () => call('floor', 'floor_say_back', { text: 'a small value' }),
      };
      for (const way of Object.values(ways)) for (let n = 0; n < WARMUP; n++) await way();
      taken.push(await inTurns(ways, gateway.running.pid));
    }
  return {
    measured: running.map(({ comparison: { module, call: what }, rounds: taken }) => ({
      module,
      call: what,
      rounds: taken,
    })),
    skipped,
  };
}

/** Each way goes first, second and third equally often. */
async function inTurns(
  ways: Record<'bare' | 'through' | 'floor', () => Promise<unknown>>,
  pid: number,
): Promise<Round> {
  const round: Round = { bare: [], through: [], floor: [], cpuMicros: 0 };
  const orders = [
    ['bare', 'through', 'floor'],
    ['through', 'floor', 'bare'],
    ['floor', 'bare', 'through'],
  ] as const;
  let cpu = 0;
  for (let n = 0; n < TURNS; n++)
    for (const way of orders[n % orders.length] ?? []) {
      const before = way === 'through' ? finelyCpuOf(pid) : 0;
      round[way].push(await timed(ways[way]));
      if (way === 'through') cpu += finelyCpuOf(pid) - before;
    }
  return { ...round, cpuMicros: cpu / TURNS };
}

/** What a call through the gateway takes longer than the bare driver's, per round. */
export const added = ({ rounds }: CallFigures): number[] =>
  rounds.map(({ bare, through }) => median(through) - median(bare));

export function callRows({ measured, skipped }: AllCallFigures): string {
  const spread = (rounds: readonly Round[], way: 'bare' | 'through' | 'floor') =>
    [0.5, 0.95].map((share) => median(rounds.map((round) => percentile(round[way], share))).toFixed(2)).join(' / ');
  return [
    '| call | bare driver, p50 / p95 ms | through Sluice | a module without a service | added, p50 ms | of that by the module | CPU µs a call |',
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...measured.map((one) => {
      const { module, call, rounds } = one;
      const floors = rounds.map(({ floor }) => median(floor));
      const own = median(added(one).map((value, index) => value - (floors[index] ?? Number.NaN)));
      const cpu = median(rounds.map(({ cpuMicros }) => cpuMicros));
      return `| ${module}: ${call} | ${spread(rounds, 'bare')} | ${spread(rounds, 'through')} | ${spread(rounds, 'floor')} | ${median(added(one)).toFixed(2)} | ${own.toFixed(2)} | ${cpu.toFixed(0)} |`;
    }),
    ...skipped.map(({ module, reason }) => `| ${module} | not measured: ${reason} | | | | | |`),
  ].join('\n');
}
