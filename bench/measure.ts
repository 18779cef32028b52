import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Era } from './client.ts';
import type { Generator, Loaded } from './generator.ts';
import type { Limit } from './load.ts';
import { freePort } from '../test/support/free-port.ts';
import { start, untilListed } from './process.ts';
import { floor, type Setup, type Target } from './targets.ts';

/** How long each part of a round takes. */
export interface Pace {
  /** Seconds between ready and idle: long enough for the aftermath of the start to settle. */
  settle: number;
  /** Counted in calls, so that every target gets the same chance to be compiled. */
  warmup: Limit;
  many: Limit;
  one: Limit;
  list: Limit;
}

/** The result of one start of one target. */
export interface CallSample {
  startMs: number;
  idleRss: number;
  rssAfter: number;
  eras: Partial<Record<Era, { one: Loaded; many: Loaded }>>;
}

export interface ListSample {
  startMs: number;
  idleRss: number;
  eras: Partial<Record<Era, Loaded>>;
}

/** Shared by a whole run. */
export interface Rig {
  generator: Generator;
  pace: Pace;
  /** The parent of the fresh directory that every start gets. */
  root: string;
}

/** Calls through a target with one backend. */
export async function measureCalls(target: Target, program: string, rig: Rig): Promise<CallSample> {
  const { generator, pace, root } = rig;
  await using site = await startTarget(target, program, root, { backends: 1, tools: 1 });
  const { running, url, startMs } = site;
  await delay(pace.settle * 1000);
  const sample: CallSample = { startMs, idleRss: running.rss(), rssAfter: 0, eras: {} };
  for (const era of target.eras) {
    const job = { url: url(era), era, ask: { tool: `${target.prefix(0)}echo` } };
    const many = await generator.load(running, { ...job, callers: 32, warmup: pace.warmup, limit: pace.many });
    const one = await generator.load(running, {
      ...job,
      callers: 1,
      warmup: { calls: 50, seconds: 1 },
      limit: pace.one,
    });
    sample.eras[era] = { one, many };
  }
  sample.rssAfter = running.rss();
  return sample;
}

/** The list of 500 tools, and how long it takes until it is complete. */
export async function measureLists(target: Target, wide: Setup, program: string, rig: Rig): Promise<ListSample> {
  const { generator, pace, root } = rig;
  await using site = await startTarget(target, program, root, wide);
  const { running, url, startMs } = site;
  await delay(pace.settle * 1000);
  const sample: ListSample = { startMs, idleRss: running.rss(), eras: {} };
  for (const era of target.eras) {
    const job = { url: url(era), era, ask: { list: wide.backends * wide.tools } };
    sample.eras[era] = await generator.load(running, { ...job, callers: 1, warmup: pace.list, limit: pace.list });
  }
  return sample;
}

async function startTarget(target: Target, program: string, root: string, setup: Setup) {
  await using stack = new AsyncDisposableStack();
  let upstream = '';
  if (target.fronts === 'http') {
    const port = await freePort();
    const backend = stack.use(start([floor('echo-http'), '--port', String(port)], await mkdtemp(join(root, 'echo-'))));
    upstream = `http://127.0.0.1:${port}/mcp`;
    await untilListed(backend, new URL(upstream), 'modern', ['echo']);
  }
  const port = await freePort();
  const directory = await mkdtemp(join(root, `${target.name}-`));
  const { args, env, key } = await target.launch({ ...setup, port, directory, upstream, program });
  const user = key === undefined ? '' : `${key}@`;
  const url = (era: Era) => `http://${user}127.0.0.1:${port}${era === 'sse' ? target.ssePath : '/mcp'}`;
  const started = performance.now();
  const running = stack.use(start(args, directory, env));
  const era = target.eras[0] ?? 'legacy';
  const expected = Array.from({ length: setup.backends }, (_, index) => expectedTools(target, index, setup.tools));
  const ready = await untilListed(running, new URL(url(era)), era, expected.flat());
  const owned = stack.move();
  return { running, url, startMs: ready - started, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The first and the last tool of a backend: its list is either complete or absent. */
function expectedTools(target: Target, backend: number, tools: number): string[] {
  const last = tools === 1 ? 'echo' : `tool_${String(tools - 1).padStart(3, '0')}`;
  return ['echo', last].map((tool) => target.prefix(backend) + tool);
}
