// node bench/blueprints.ts [ROUNDS]: only the runs of blueprints. `npm run bench -- --blueprints` prints the same table.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startStepServer, type StepServer } from '../test/fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../test/support/blueprints.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { announce } from '../test/support/services.ts';
import { type ServeProcess, serve } from '../test/support/serve-process.ts';
import { finelyCpuOf, rssOf } from './proc.ts';
import { median } from './statistics.ts';

const STEPS = 100;
const WAITING = 1000;
const EXECUTING = 50;
const STEPS_EACH = 10;
const STEP_MS = 20;
const IDLE_S = 10;
const AT_ONCE = 20;
const SECRET = 'a secret key that is only for the benchmark';

type Kind = 'sqlite' | 'postgres';

interface Figures {
  readonly store: Kind;
  readonly callMs: number[];
  readonly stepMs: number[];
  readonly deployMs: number;
  readonly emptyMb: number;
  readonly waitingMb: number;
  /** Share of a core that a gateway needs while its runs wait, in percent. */
  readonly idlePercent: number;
  readonly approveMs: number;
  /** 50 runs of ten steps of 20 ms at once. */
  readonly burstMs: number;
  readonly burstMb: number;
  /** From a kill to the next call of the run. */
  readonly takeoverMs: number;
}

const line = (id: string, tool: string, more = '') =>
  `  - { id: ${id}, tool: steps__${tool}, arguments: { name: ${id}${more} } }`;
const many = (count: number, tool: string, more = '') =>
  Array.from({ length: count }, (_, n) => line(`s${n}`, tool, more)).join('\n');

async function defined(home: string): Promise<void> {
  const folder = join(home, 'blueprints');
  await mkdir(folder, { recursive: true });
  const texts = {
    long: many(STEPS, 'look'),
    asking: `  - { id: go, approval: "Go?" }`,
    short: many(STEPS_EACH, 'look', `, ms: ${STEP_MS}`),
    slow: many(3, 'put', ', ms: 1500'),
  };
  for (const [name, steps] of Object.entries(texts))
    await writeFile(join(folder, `${name}.yaml`), `name: ${name}\nsteps:\n${steps}\n`);
}

async function measureOn(kind: Kind, root: string, rounds: number, tell: (line: string) => void): Promise<Figures> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startStepServer());
  const database = kind === 'postgres' ? stack.use(await createDatabase()) : undefined;
  const env = { SLUICE_SECRET_KEY: SECRET };
  const config = { mcpServers: { steps: server.entry }, ...(database && { store: database.url }) };
  const gateways: ServeProcess[] = [];
  const start = async (n: number) => {
    const directory = join(root, `${kind}-${n}`);
    await defined(join(directory, 'home'));
    const gateway = await serve(directory, config, { env });
    await gateway.ready();
    gateways[n] = gateway;
    return gateway;
  };
  stack.defer(async () => {
    await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
  });
  const gateway = await start(0);
  const calls = stack.use(await blueprintCalls(gateway));

  tell(`${kind}: steps beside calls`);
  const callMs: number[] = [];
  const stepMs: number[] = [];
  await calls.call('blueprint_deploy', { name: 'long', wait_seconds: 60 });
  for (let round = 0; round < rounds; round++) {
    callMs.push(
      (await timed(async () => {
        for (let n = 0; n < STEPS; n++) await calls.call('steps__look', { name: `c${n}` });
      })) / STEPS,
    );
    stepMs.push((await timed(() => calls.call('blueprint_deploy', { name: 'long', wait_seconds: 60 }))) / STEPS);
  }
  const emptyMb = rssOf(gateway.pid) / 1e6;

  tell(`${kind}: ${WAITING} runs that wait`);
  const runs: string[] = [];
  const deployMs = await timed(() =>
    inParallel(WAITING, async () => {
      const { run } = await calls.call<{ run: string }>('blueprint_deploy', { name: 'asking', wait_seconds: 0 });
      runs.push(run);
    }),
  );
  await untilState(calls, runs.at(-1) as string, 'waiting');
  const before = finelyCpuOf(gateway.pid);
  await delay(IDLE_S * 1000);
  const idlePercent = (finelyCpuOf(gateway.pid) - before) / (IDLE_S * 10_000);
  const waitingMb = rssOf(gateway.pid) / 1e6;
  const approveMs = await timed(async () => {
    await calls.call('blueprint_approve', { run: runs[WAITING / 2], approve: true });
    await calls.call('blueprint_status', { run: runs[WAITING / 2], wait_seconds: 60 });
  });

  tell(`${kind}: ${EXECUTING} runs at once`);
  const burstMs = await timed(() =>
    inParallel(
      EXECUTING,
      async () => void (await calls.call('blueprint_deploy', { name: 'short', wait_seconds: 120 })),
      EXECUTING,
    ),
  );
  const burstMb = rssOf(gateway.pid) / 1e6;

  tell(`${kind}: a kill`);
  const takeoverMs = await takeover(kind, calls, server, gateways, start);
  return {
    store: kind,
    callMs,
    stepMs,
    deployMs,
    emptyMb,
    waitingMb,
    idlePercent,
    approveMs,
    burstMs,
    burstMb,
    takeoverMs,
  };
}

async function takeover(
  kind: Kind,
  calls: BlueprintCalls,
  server: StepServer,
  gateways: ServeProcess[],
  start: (n: number) => Promise<ServeProcess>,
): Promise<number> {
  const [gateway] = gateways as [ServeProcess];
  if (kind === 'postgres') await start(1);
  server.calls.length = 0;
  await calls.call('blueprint_deploy', { name: 'slow', wait_seconds: 0 });
  while (server.calls.length === 0) await delay(5);
  await gateway.end('SIGKILL');
  const since = performance.now();
  if (kind === 'sqlite') await start(0);
  while (server.calls.length === 1) await delay(5);
  return performance.now() - since;
}

async function untilState(calls: BlueprintCalls, run: string, state: string): Promise<void> {
  while ((await calls.call<{ state: string }>('blueprint_status', { run })).state !== state) await delay(50);
}

async function inParallel(count: number, work: () => Promise<void>, atOnce = AT_ONCE): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

export async function measureBlueprints(
  root: string,
  tell: (line: string) => void,
  rounds: number,
): Promise<Figures[]> {
  announce({ directory: root, runner: process.pid });
  const figures: Figures[] = [];
  for (const kind of ['sqlite', 'postgres'] as const)
    figures.push(await measureOn(kind, await mkdtemp(join(root, 'blueprints-')), rounds, tell));
  return figures;
}

export function blueprintTable(all: readonly Figures[]): string {
  const row = (label: string, read: (figures: Figures) => string) => `| ${label} | ${all.map(read).join(' | ')} |`;
  const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  return [
    `| blueprints | ${all.map(({ store }) => store).join(' | ')} |`,
    `| --- | ${all.map(() => '---:').join(' | ')} |`,
    row('a call through the gateway (floor)', ({ callMs }) => ms(median(callMs))),
    row(`a step of a run of ${STEPS}`, ({ stepMs }) => ms(median(stepMs))),
    row('a step beside the floor', ({ stepMs, callMs }) => `${(median(stepMs) / median(callMs)).toFixed(1)} x`),
    row(
      `deploying ${WAITING} runs that wait for an approval`,
      ({ deployMs }) => `${(deployMs / WAITING).toFixed(1)} ms each`,
    ),
    row('memory before and with them', ({ emptyMb, waitingMb }) => `${mb(emptyMb)}, ${mb(waitingMb)}`),
    row('CPU while they wait', ({ idlePercent }) => `${idlePercent.toFixed(2)} % of a core`),
    row('an approval among them, to the end of its run', ({ approveMs }) => ms(approveMs)),
    row(
      `${EXECUTING} runs of ${STEPS_EACH} steps of ${STEP_MS} ms at once`,
      ({ burstMs }) => `${ms(burstMs)} (floor ${STEPS_EACH * STEP_MS} ms)`,
    ),
    row('memory after that', ({ burstMb }) => mb(burstMb)),
    row('from a kill to the next call of the run', ({ takeoverMs }) => ms(takeoverMs)),
  ].join('\n');
}

if (import.meta.main) {
  const root = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  console.log(
    blueprintTable(await measureBlueprints(root, (text) => console.error(text), Number(process.argv[2] ?? 3))),
  );
  await rm(root, { recursive: true, force: true });
}
