/** ARK polls two replicas while servers crash, the replicas restart one by one, and tools change. */
import { mkdtempDisposable, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { arkResources } from '../../../src/server/commands/export/ark/resources.ts';
import { reference } from '../command-line.ts';
import { freePort } from '../free-port.ts';
import { createDatabase } from '../postgres.ts';
import { type ServeProcess, serve } from '../serve-process.ts';
import { fetchOver } from './connect.ts';
import { createController, type Deletion } from './controller.ts';
import { createService, type Pod, type Service } from './kubernetes-service.ts';
import { mcpServer } from './schema.ts';

export const token = 'the-token-of-this-test-only';
const SECRET = 'one secret key for both replicas';

export interface Polled {
  readonly polls: number;
  readonly restarts: number;
  readonly crashes: number;
  readonly changes: number;
  /** Tools that were there at every moment, and were deleted all the same. */
  readonly wrong: Deletion[];
  /** Polls after which the server was not Available, by reason. */
  readonly unavailable: Readonly<Record<string, number>>;
  /** Changes that ARK never saw. */
  readonly missed: string[];
  readonly tools: number;
}

/** What `sluice export ark` prints, as ARK's API server takes it. */
export const exported = (url: string) =>
  mcpServer.parse(
    arkResources({
      name: 'sluice',
      address: { url },
      secret: { name: 'mcp-auth-token', key: 'token' },
    })[0],
  );

const config = (store: string, changing: boolean) => ({
  store,
  server: { drain: '1500ms' },
  gateway: { expose: 'compact' },
  mcpServers: {
    steady: reference,
    crasher: reference,
    ...(changing && { changing: { ...reference, tools: { include: ['echo'] } } }),
  },
  toolsets: { ark: { include: ['steady__*', 'crasher__*', 'changing__*'] } },
});

export async function pollThroughRestarts(wanted: { polls: number; restarts: number }): Promise<Polled> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-ark-'))).path;
  const database = stack.use(await createDatabase());
  const service = stack.use(createService());
  const pods = await Promise.all([0, 1].map(async (n) => ({ n, port: await freePort() })));
  const replicas = new Map<number, ServeProcess>();
  stack.defer(async () => {
    await Promise.all([...replicas.values()].map((replica) => replica[Symbol.asyncDispose]()));
  });
  let changing = false;
  const env = { SLUICE_SECRET_KEY: SECRET, MCP_AUTH_TOKEN: token };
  const start = async ({ n, port }: Pod & { n: number }) => {
    const replica = await serve(join(directory, `replica-${n}`), config(database.url, changing), { env, port });
    replicas.set(n, replica);
    service.add({ port });
  };
  for (const pod of pods) await start(pod);
  await until(() => service.endpoints() === 2);

  using ark = createController({
    server: exported('http://127.0.0.1:1/mcp/ark?expose=flat'),
    secrets: { 'mcp-auth-token': { token } },
    agent: service.agent,
  });
  const unavailable: Record<string, number> = {};
  const missed: string[] = [];
  let [restarts, crashes, changes] = [0, 0, 0];
  const done = () => ark.polls() >= wanted.polls && restarts >= wanted.restarts;

  const polling = (async () => {
    while (!done()) {
      await ark.poll();
      const { status, reason, message } = ark.available();
      if (status !== 'True') unavailable[`${reason}: ${message}`] = (unavailable[`${reason}: ${message}`] ?? 0) + 1;
    }
  })();
  await until(() => ark.tools.size > 0);
  const steady = new Set(ark.tools.keys());

  async function restart(): Promise<void> {
    for (let turn = 0; !done(); turn++) {
      const pod = pods[turn % pods.length] as Pod & { n: number };
      // A rolling update goes on when the new pod is ready.
      if (!(await until(() => service.endpoints() === 2 || done())) || done()) return;
      service.terminate(pod);
      await replicas.get(pod.n)?.end('SIGTERM');
      restarts++;
      await start(pod);
    }
  }

  async function crash(): Promise<void> {
    while (!done()) {
      await delay(150);
      await call(service, 'crasher__crash');
      crashes++;
    }
  }

  async function change(): Promise<void> {
    const name = 'sluice-changing--echo';
    while (!done()) {
      await delay(1000);
      changing = !changing;
      changes++;
      await Promise.all([...replicas.values()].map((one) => swap(one.home, config(database.url, changing))));
      const seen = await until(() => ark.tools.has(name) === changing || done());
      if (!seen) missed.push(`${name} ${changing ? 'did not appear' : 'did not vanish'}`);
    }
  }

  await Promise.all([polling, restart(), crash(), change()]);
  return {
    polls: ark.polls(),
    restarts,
    crashes,
    changes,
    wrong: ark.deletions.filter(({ tool }) => steady.has(tool)),
    unavailable,
    missed,
    tools: ark.tools.size,
  };
}

/** As a ConfigMap changes: at once, so that a replica that starts right now reads the one or the other. */
async function swap(home: string, next: object): Promise<void> {
  const file = join(home, 'sluice.json');
  await writeFile(`${file}.next`, JSON.stringify(next));
  await rename(`${file}.next`, file);
}

const MOST_WAIT_MS = 30_000;

async function until(holds: () => boolean): Promise<boolean> {
  for (const end = Date.now() + MOST_WAIT_MS; Date.now() < end; await delay(20)) if (holds()) return true;
  return false;
}

/** A call by somebody else, who does not care how it ends. */
async function call({ agent }: Service, name: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    host: '127.0.0.1',
  };
  await fetchOver(agent, new URL('http://127.0.0.1/mcp'), { method: 'POST', headers, body })
    .then((answer) => answer.text())
    .catch(() => undefined);
}
