import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, askIn, call, callIn, said } from '../../support/exchange.ts';
import { startBalancer } from '../../support/balancer.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { freePort } from '../../support/free-port.ts';
import { serve, type ServeProcess } from '../../support/serve-process.ts';
import {
  callTool,
  connectV1,
  connectV2,
  type Json,
  type LocalReference,
  open,
  openSession,
  type Reference,
  rpc,
  send,
  startReference,
  textOf,
} from '../harness.ts';

const SECRET = 'one secret for all replicas of this test';
const TASKS = 'io.modelcontextprotocol/tasks';
const knowing = { capabilities: { extensions: { [TASKS]: {} } } };
const sse = { accept: 'text/event-stream' };
const answer = () => ({ action: 'accept', content: { value: 'forty-two' } });

interface ReplicaStatus extends Json {
  id: string;
  url: string;
}

describe.skipIf(postgresIsMissing)('replicas in PostgreSQL', () => {
  let stack: AsyncDisposableStack;
  let database: TestDatabase;
  let reference: LocalReference;
  let tasks: Reference;
  let first: ServeProcess;
  let second: ServeProcess;

  async function startReplica(config: object = {}, port = 0, store = database.url): Promise<ServeProcess> {
    const place = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-replica-')));
    const mcpServers = { ref: reference.entry, own: tasks.entry };
    const settings = {
      store,
      mcpServers,
      nodes: { build: 'manual' },
      server: { drain: '200ms' },
      ...config,
    };
    const started = stack.use(await serve(place.path, settings, { env: { SLUICE_SECRET_KEY: SECRET }, port }));
    await started.ready();
    return started;
  }

  const statusAt = async ({ url }: ServeProcess): Promise<Json & { replicas: ReplicaStatus[]; problems: string[] }> => {
    const { result } = await call(`${url}/mcp`, 'gateway_status');
    return result.structuredContent as Json & { replicas: ReplicaStatus[]; problems: string[] };
  };
  const knows = (here: ServeProcess, there: ServeProcess) =>
    vi.waitFor(async () => expect((await statusAt(here)).replicas.map(({ url }) => url)).toContain(there.url), 10_000);

  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    database = stack.use(await createDatabase());
    reference = stack.use(await startReference('http', 'legacy'));
    tasks = await startReference('stdio', 'modern');
    [first, second] = await Promise.all([startReplica(), startReplica()]);
    await Promise.all([knows(first, second), knows(second, first)]);
  });

  afterAll(() => stack.disposeAsync());

  it('serve clients of both eras, whichever of them a request reaches', async () => {
    await using balancer = await startBalancer([first.url, second.url]);
    const place = { url: balancer.url, home: first.home };
    for (const connect of [
      () => connectV1(place, { answer }),
      () => connectV2(place, { answer }),
      () => connectV2(place, { answer, era: 'modern' }),
      () => connectV1(place, { answer, transport: 'sse' }),
    ]) {
      await using client = await connect();
      for (const tag of ['one', 'two', 'three']) {
        expect(textOf(await callTool(client, 'ref__echo', { text: tag }))).toBe(tag);
        expect(textOf(await callTool(client, 'ref__ask', { kind: 'elicitation', tag }))).toContain('forty-two');
      }
    }
  });

  it('name each other in the status', async () => {
    const { replicas } = await statusAt(first);
    expect(replicas).toMatchObject([{ self: true, url: first.url }, { url: second.url }]);
    // What the other one says about itself comes with its next heartbeat.
    const session = await openSession(`${second.url}/mcp`);
    await expect.poll(async () => (await statusAt(first)).replicas[1]?.sessions).toBeGreaterThan(0);
    expect(await send(`${first.url}/mcp`, { method: 'DELETE', headers: session })).toMatchObject({ status: 200 });
  });

  it('ask for the task of a stdio server where it was made', async () => {
    const made = await call(`${first.url}/mcp`, 'own__slow_compute', { seconds: 0.1, label: 'there' }, knowing);
    const taskId = String(made.result.taskId);
    const status = async () => (await ask(`${second.url}/mcp`, 'tasks/get', { taskId }, knowing)).result.status;
    await expect.poll(status).toBe('completed');
    // A session may ask too. Its capabilities stay behind, so this server refuses: but it is the server that answers.
    const session = await openSession(`${second.url}/mcp`);
    const asked = await askIn(`${second.url}/mcp`, session, 'tasks/get', { taskId });
    expect(asked.error?.message).toBe('Missing required client capabilities: extensions');
  });

  it('leave clearly when they are told to stop', async () => {
    const third = await startReplica({ server: { drain: '5s' } });
    await knows(second, third);
    const session = await openSession(`${third.url}/mcp`);
    using stream = await open(`${second.url}/mcp`, { headers: { ...session, ...sse } });
    const ended = third.end('SIGTERM');
    const readiness = async () => (await send(`${third.url}/ready`)).text;
    await expect.poll(readiness).toContain('stopping');
    await expect
      .poll(async () => (await statusAt(second)).replicas.find(({ url }) => url === third.url))
      .toMatchObject({ draining: true });
    // It still serves its sessions.
    expect(said(await callIn(`${second.url}/mcp`, session, 'ref__echo', { text: 'still here' }))).toBe('still here');
    expect(await ended).toBe(0);
    await stream.ended;
    expect(await askIn(`${second.url}/mcp`, session, 'ping')).toMatchObject({
      status: 404,
      error: { message: 'Session not found: initialize again.' },
    });
  });

  it('survive one that is killed in the middle of a stream and of a call', async () => {
    const third = await startReplica();
    await knows(second, third);
    const mcp = `${second.url}/mcp`;
    const session = await openSession(`${third.url}/mcp`);
    const made = await call(`${third.url}/mcp`, 'own__slow_compute', { seconds: 60, label: 'lost' }, knowing);
    using stream = await open(mcp, { headers: { ...session, ...sse } });
    const slow = send(mcp, {
      headers: { ...session, accept: 'application/json' },
      body: rpc(1, 'tools/call', { name: 'ref__slow', arguments: { ms: 60_000, tag: 'killed' } }),
    });
    await expect.poll(() => reference.world.journal).toContain('slow started killed');
    await third.end('SIGKILL');
    await stream.ended;
    const cut = await slow;
    expect([cut.status, cut.text]).toEqual([502, expect.stringContaining('broke off')]);
    expect(await askIn(mcp, session, 'ping')).toMatchObject({ status: 404 });
    // Within 12 s the others know that it is dead, and with it its tasks.
    const lost = async () =>
      (await ask(mcp, 'tasks/get', { taskId: made.result.taskId }, knowing)).error?.message ?? '';
    await expect.poll(lost, { timeout: 20_000 }).toContain('Start the task again');
  });

  it('that were all killed and are back at the same addresses know that the old ones are dead', async () => {
    const { url } = stack.use(await createDatabase());
    const ports = await Promise.all([freePort(), freePort()]);
    const startAll = () => Promise.all(ports.map((port) => startReplica({}, port, url)));
    const before = await startAll();
    const sessions = await Promise.all(before.map((replica) => openSession(`${replica.url}/mcp`)));
    await Promise.all(before.map((replica) => replica.end('SIGKILL')));
    const [one, other] = (await startAll()) as [ServeProcess, ServeProcess];
    for (const replica of [one, other])
      for (const session of sessions)
        expect(await askIn(`${replica.url}/mcp`, session, 'ping')).toMatchObject({
          status: 404,
          error: { message: 'Session not found: initialize again.' },
        });
    // Long before the old ones would count as dead because they are silent.
    for (const replica of [one, other])
      await expect.poll(async () => (await statusAt(replica)).replicas.length, { timeout: 6000 }).toBe(2);
    expect((await statusAt(one)).problems.join()).not.toContain('SLUICE_PEER_URL');
  });
});
