/** Runs of ten steps whose gateway is killed at every point, on SQLite and on PostgreSQL with two replicas. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { type StepCall, startStepServer } from '../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from './blueprints.ts';
import { freePort } from './free-port.ts';
import { createDatabase } from './postgres.ts';
import { type ServeProcess, serve } from './serve-process.ts';

type Json = Record<string, unknown>;

const SECRET = 'one secret key for both of the replicas';
const TAKEOVER = '3s';
const PATIENCE_MS = 60_000;

const inner = `name: inner
inputs: { tag: { type: string } }
steps:
  - { id: in, tool: steps__put, arguments: { name: "\${inputs.tag}-in" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-in" } } }
outputs: { made: "\${steps[\\"in\\"].result.name}" }
`;

const outer = (webhook: string) => `name: ten-steps
inputs: { tag: { type: string }, fails: { type: boolean, default: false } }
steps:
  - { id: a, tool: steps__put, arguments: { name: "\${inputs.tag}-a" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-a" } } }
  - { id: b, tool: steps__act, arguments: { name: "\${inputs.tag}-b" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-b" } } }
  - { id: c, tool: steps__look, arguments: { name: "\${inputs.tag}-c" } }
  - { id: d, webhook: "${webhook}", body: { tag: "\${inputs.tag}" } }
  - { id: e, for_each: [x, y, z], parallel: 2, tool: steps__put, arguments: { name: "\${inputs.tag}-e\${item}" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-e\${item}" } } }
  - { id: f, wait: 100ms }
  - { id: g, tool: steps__put, arguments: { name: "\${inputs.tag}-g" }, retry: { times: 2, backoff: 50ms }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-g" } } }
  - { id: h, tool: steps__act, arguments: { name: "\${inputs.tag}-h" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.tag}-h" } } }
  - { id: i, blueprint: inner, inputs: { tag: "\${inputs.tag}" } }
  - { id: j, tool: steps__look, arguments: { name: "\${inputs.tag}-\${inputs.fails ? 'fail' : 'j'}" } }
outputs: { made: "\${steps.i.result.made}", items: "\${size(steps.e.result)}" }
`;

/** Where a run is killed: at the call with this end of its key, before it is answered or right after. */
interface Point {
  readonly at: string;
  readonly when: 'before' | 'during' | 'after';
  /** The last step fails, so the run is undone. */
  readonly fails: boolean;
}

const forward = [':a', ':b', ':c', ':d', ':e:0', ':e:2', ':g', ':h', '.i:in', ':j'];
const backward = ['.i:in:undo', ':h:undo', ':g:undo', ':e:1:undo', ':b:undo', ':a:undo'];

/** Every point once; then again in the other order. */
function pointsOf(kills: number): Point[] {
  const all: Point[] = [
    ...forward.flatMap((at) => (['during', 'after'] as const).map((when) => ({ at, when, fails: false }))),
    ...backward.flatMap((at) => (['during', 'after'] as const).map((when) => ({ at, when, fails: true }))),
    ...forward.map((at) => ({ at, when: 'before' as const, fails: true })),
  ];
  // Spread over the list, so that few kills meet every kind of point.
  const step = 13;
  return Array.from({ length: kills }, (_, n) => all[(n * step) % all.length] as Point);
}

export interface Toll {
  readonly kills: number;
  /** What should not have happened. */
  readonly wrong: string[];
  /** How many steps were called twice with one key, and how many a person had to decide about. */
  readonly repeated: number;
  readonly decided: number;
  /** From the kill to the end of the run. */
  readonly ms: number[];
}

interface Cluster extends AsyncDisposable {
  calls(): Promise<BlueprintCalls>;
  /** Kills the process that carries the run out, and starts it again. */
  kill(run: string): Promise<void>;
}

export async function killRuns(store: 'sqlite' | 'postgres', kills: number): Promise<Toll> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-runs-'))).path;
  const server = stack.use(await startStepServer());
  let onCall: (call: StepCall, when: Point['when']) => Promise<void> | void = () => {};
  /** All calls, in the order in which they came. */
  const made: StepCall[] = [];
  server.before = async (call) => {
    made.push(call);
    await onCall(call, 'before');
    if (call.tool === 'look' && call.name.endsWith('-fail')) throw new Error('it fails on purpose');
    void onCall(call, 'during');
  };
  server.after = (call) => void onCall(call, 'after');
  const receiver = stack.use(
    await listening(async (body, key) => {
      const call = { tool: 'webhook', name: String(body.tag), args: body, key, ended: false };
      made.push(call);
      await onCall(call, 'before');
      void onCall(call, 'during');
      call.ended = true;
      setImmediate(() => void onCall(call, 'after'));
    }),
  );
  const config = { mcpServers: { steps: server.entry }, blueprints: { takeover: TAKEOVER } };
  const cluster = stack.use(
    store === 'sqlite'
      ? await single(directory, config, receiver.url)
      : await replicated(directory, config, receiver.url),
  );

  const toll = { kills: 0, wrong: [] as string[], repeated: 0, decided: 0, ms: [] as number[] };
  for (const [n, point] of pointsOf(kills).entries()) {
    const tag = `t${n}`;
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    let killed: Promise<void> | undefined;
    onCall = async (call, when) => {
      if (when !== point.when || !call.key.endsWith(point.at) || !call.name.startsWith(tag) || killed) return;
      killed = cluster.kill(call.key.split(':')[0] as string);
      // Whoever is killed never learns of the answer.
      resolve(killed);
      await killed;
    };
    let first = await cluster.calls();
    const deploy = { name: 'ten-steps', inputs: { tag, fails: point.fails }, run_id: tag, wait_seconds: 0 };
    const { run } = await first.call<{ run: string }>('blueprint_deploy', deploy).catch(async (error: unknown) => {
      if (!killed) throw error;
      // Killed before it could answer: the same id is the same run.
      await killed;
      first = await cluster.calls();
      return first.call<{ run: string }>('blueprint_deploy', deploy);
    });
    await Promise.race([reached, delay(PATIENCE_MS, undefined, { ref: false })]);
    await Promise.resolve(first[Symbol.asyncDispose]()).catch(() => {});
    if (!killed) {
      toll.wrong.push(`${tag}: ${point.at} ${point.when} was never reached`);
      continue;
    }
    const since = performance.now();
    await killed;
    toll.kills++;
    await using second = await cluster.calls();
    let view = await settled(second, run);
    const decidedBefore = toll.decided;
    for (let round = 0; view.state === 'unknown' && round < 3; round++) {
      // A person looks whether it took effect.
      toll.decided++;
      const open = (view.steps as { step: string; state: string; undo?: string }[]).find(
        ({ state, undo }) => state === 'unknown' || undo === 'unknown',
      );
      const key = `${run}:${open?.step}`;
      const did = server.calls.some((call) => call.key === key && call.ended);
      await second.confirmed('blueprint_resume', { run, unknown: did ? 'done' : 'repeat', wait_seconds: 0 });
      view = await settled(second, run);
    }
    toll.ms.push(performance.now() - since);
    judge(tag, point, view, run, toll.decided > decidedBefore);
  }
  return toll;

  function judge(tag: string, point: Point, view: Json, run: string, isDecided: boolean): void {
    const say = (what: string) =>
      toll.wrong.push(`${tag} (${point.at} ${point.when}${point.fails ? ', fails' : ''}): ${what}`);
    const wanted = point.fails ? 'undone' : 'succeeded';
    if (view.state !== wanted) say(`ended as ${String(view.state)}: ${String(view.error)}`);
    const mine = made.filter(({ key }) => key.startsWith(run));
    for (const [at, { key, tool }] of mine.entries()) {
      const earlier = mine.slice(0, at).flatMap((call, n) => (call.key === key ? [n] : []));
      const [first] = earlier;
      if (first === undefined) continue;
      if (earlier.length === 1) toll.repeated++;
      else say(`${key} was called ${earlier.length + 1} times`);
      // A run goes on with what was interrupted: if something else was called since, this had ended.
      const since = mine.slice(first + 1, at).find((call) => call.key !== key && !isBeside(call.key, key));
      if (since) say(`${key} had ended, and was called again after ${since.key}`);
      if (tool === 'act' && !isDecided) say(`${key} is not safe to repeat, and was repeated`);
    }
    const left = [...server.things.keys()].filter((name) => name.startsWith(`${tag}-`));
    if (point.fails && left.length > 0) say(`was undone, but left ${left.join(', ')}`);
    if (!point.fails && left.length !== 8) say(`made ${left.length} things: ${left.join(', ')}`);
    const outputs = view.outputs as Json | undefined;
    if (!point.fails && (outputs?.made !== `${tag}-in` || outputs.items !== 3))
      say(`has the outputs ${JSON.stringify(outputs)}`);
  }
}

/** Items of one step run side by side, so a kill interrupts more than one. */
const isBeside = (one: string, other: string): boolean => [one, other].every((key) => /:e:\d$/.test(key));

async function settled(calls: BlueprintCalls, run: string): Promise<Json> {
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    const view = await calls.call<Json>('blueprint_status', { run, wait_seconds: 20 });
    if (!['pending', 'running', 'waiting', 'undoing'].includes(String(view.state)) || Date.now() > until) return view;
  }
}

async function defined(home: string, webhook: string): Promise<void> {
  await mkdir(join(home, 'blueprints'), { recursive: true });
  await writeFile(join(home, 'blueprints', 'inner.yaml'), inner);
  await writeFile(join(home, 'blueprints', 'ten-steps.yaml'), outer(webhook));
}

async function single(directory: string, config: object, webhook: string): Promise<Cluster> {
  await defined(join(directory, 'home'), webhook);
  const port = await freePort();
  const start = async () => {
    const process = await serve(directory, config, { port });
    await process.ready();
    return process;
  };
  let process = await start();
  return {
    calls: () => blueprintCalls({ url: process.url, home: process.home }),
    async kill() {
      await process.end('SIGKILL');
      process = await start();
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

async function replicated(directory: string, config: object, webhook: string): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase());
  const env = { SLUICE_SECRET_KEY: SECRET };
  const settings = { kind: 'postgres', url: database.url, connections: 3 } as const;
  const replicas: ServeProcess[] = [];
  const start = async (n: number) => {
    const place = join(directory, `replica-${n}`);
    await defined(join(place, 'home'), webhook);
    const replica = await serve(place, { ...config, store: database.url }, { env });
    await replica.ready();
    replicas[n] = replica;
  };
  stack.defer(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
  });
  await start(0);
  await start(1);
  const store = stack.use(await openStore({ home: directory, version: '0', settings, env }));
  let next = 0;
  let restarted = -1;
  let starting: Promise<void> = Promise.resolve();
  stack.defer(() => starting);
  const owned = stack.move();
  return {
    async calls() {
      const n = next++ % 2;
      // The other one answers while it takes over.
      if (n === restarted) await starting;
      const { url, home } = replicas[n] as ServeProcess;
      return blueprintCalls({ url, home });
    },
    async kill(run) {
      const [row] = await store.tables.rows<{ replica: string }>(
        'SELECT replica FROM sluice.blueprint_runs WHERE id = ?',
        run,
      );
      const carrying = await store.shared.peers?.find(String(row?.replica));
      // A run that has just ended, or waits, is carried out by nobody.
      const n = Math.max(
        0,
        replicas.findIndex(({ pid }) => pid === carrying?.pid),
      );
      await starting;
      await replicas[n]?.end('SIGKILL');
      // Comes back while the other one takes over.
      restarted = n;
      starting = start(n);
      // The next call goes to the one that survived.
      next = 1 - n;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function listening(
  take: (body: Json, key: string) => Promise<void>,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      void take(body, String(request.headers['idempotency-key'])).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
