import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import { postgresBackend } from '../../../src/blueprints/engine/backends.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type Behind, behind, ownRedis, REDIS } from '../../support/own-redis.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas, type TwoReplicas } from '../../support/two-replicas.ts';
import { type Json, open, send, type TestGateway } from '../harness.ts';

const SOON = { interval: 20, timeout: 15_000 };

describe.skipIf(postgresIsMissing || !existsSync(REDIS))('blueprints over REST on two replicas', () => {
  let stack: AsyncDisposableStack;
  let server: StepServer;
  let replicas: TwoReplicas;
  let redis: Behind;
  let made = 0;

  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    server = stack.use(await startStepServer());
    const own = stack.use(await ownRedis());
    redis = stack.use(await behind(own.url));
    replicas = stack.use(
      await startReplicas({
        auth: { mode: 'keys' },
        mcpServers: { steps: { ...server.entry, confirm: ['act'] } },
        redis: own.url,
      }),
    );
  });
  afterAll(() => stack.disposeAsync());

  async function key(...scopes: string[]) {
    const grant = { name: `key-${++made}`, scopes, createdBy: 'test', createdAt: new Date().toISOString() };
    const { id, key: text } = await createKey(replicas.a.runtime.store.keys, grant);
    return { id, headers: { 'x-api-key': text } };
  }

  async function ask({ url }: TestGateway, headers: Record<string, string>, path: string, body?: Json) {
    const options = body === undefined ? {} : { method: 'POST', body };
    const { status, messages } = await send(`${url}/api/v1${path}`, { ...options, headers });
    return { status, body: messages[0] ?? {} };
  }

  const events = ({ url }: TestGateway, headers: Record<string, string>, run: string) =>
    open(`${url}/api/v1/blueprint-runs/${run}/events`, { headers: { accept: 'text/event-stream', ...headers } });

  async function written(run: string): Promise<Json> {
    return JSON.parse(String(await redis.send('GET', `sluice:blueprint:${run}`))) as Json;
  }

  test('what is saved and deployed at one is confirmed, followed, approved and undone at the other', async () => {
    const { a, b } = replicas;
    const owner = (await key('admin')).headers;
    const approver = (await key('blueprint:approve', 'blueprint:read')).headers;
    const text = `name: both
inputs: { token: { type: string, secret: true } }
steps:
  - { id: one, tool: steps__act, arguments: { name: one, value: "\${inputs.token}" }, undo: { tool: steps__drop, arguments: { name: one } } }
  - { id: go, approval: "Go on with \${inputs.token}?" }
  - { id: two, tool: steps__put, arguments: { name: two } }
outputs: { echo: "\${steps.one.result.value}" }`;
    expect(await ask(a, owner, '/blueprints', { text })).toMatchObject({ status: 200 });
    const wish = { inputs: { token: 'a-very-secret-text' }, run_id: 'mine' };
    const first = await ask(a, owner, '/blueprints/both/deploy', wish);
    expect(first.status).toBe(409);
    const { confirm } = (first.body.error as { data: Json }).data;
    const deployed = await ask(b, owner, '/blueprints/both/deploy', { ...wish, confirm });
    expect(deployed.status).toBe(200);
    const run = String(deployed.body.run);
    expect((await ask(a, owner, '/blueprints/both/deploy', wish)).body.run).toBe(run);
    using atA = await events(a, owner, run);
    using atB = await events(b, approver, run);
    for (const stream of [atA, atB])
      await expect.poll(() => stream.messages.at(-1), SOON).toMatchObject({ run, state: 'waiting' });
    await expect.poll(() => written(run), SOON).toMatchObject({ state: 'waiting', waits: { step: 'go' } });
    for (const replica of [a, b])
      expect((await ask(replica, owner, `/blueprint-runs/${run}/approve`, {})).status).toBe(403);
    expect((await ask(a, approver, `/blueprint-runs/${run}/approve`, { comment: 'fine' })).status).toBe(200);
    await Promise.all([atA.ended, atB.ended]);
    for (const stream of [atA, atB])
      expect(stream.messages.slice(-2)).toMatchObject([
        { state: 'succeeded', progress: { done: 3, total: 3 } },
        { state: 'succeeded' },
      ]);
    await expect.poll(() => written(run), SOON).toMatchObject({ state: 'succeeded' });
    const path = `/blueprint-runs/${run}/undo`;
    const token = ((await ask(a, owner, path, {})).body.error as { data: Json }).data.confirm;
    expect((await ask(b, owner, path, { confirm: token })).status).toBe(200);
    expect((await ask(a, owner, `/blueprint-runs/${run}?wait_seconds=20`)).body.state).toBe('undone');
    expect(server.calls.map(({ tool, name }) => `${tool} ${name}`)).toEqual(['act one', 'put two', 'drop one']);
    await expect.poll(() => written(run), SOON).toMatchObject({ state: 'undone' });
    const seen = JSON.stringify([atA.messages, atB.messages, await written(run)]);
    expect(seen).toContain('[redacted]');
    expect(seen).not.toContain('a-very-secret-text');
  });

  test('a run is cancelled at the replica that does not carry it out, and a revoked key loses its stream on both', async () => {
    const { a, b } = replicas;
    const owner = await key('admin');
    const reader = await key('blueprint:read');
    const text = 'name: long\nsteps: [{ id: one, tool: steps__put, arguments: { name: one, ms: 60000 } }]';
    await ask(a, owner.headers, '/blueprints', { text });
    const run = String((await ask(a, owner.headers, '/blueprints/long/deploy', {})).body.run);
    const streams = [await events(a, reader.headers, run), await events(b, reader.headers, run)];
    for (const { messages } of streams)
      await expect.poll(() => messages.at(-1), SOON).toMatchObject({ steps: [{ state: 'running' }] });
    await revokeKey(a.runtime.store.keys, reader.id, new Date());
    await Promise.all(streams.map(({ ended }) => ended));
    // One of them does not carry it out.
    const [one, two] = await Promise.all(
      [a, b].map((replica) => ask(replica, owner.headers, `/blueprint-runs/${run}/cancel`, { undo: false })),
    );
    expect([one?.status, two?.status]).toContain(200);
    expect((await ask(b, owner.headers, `/blueprint-runs/${run}?wait_seconds=20`)).body.state).toBe('cancelled');
  });
});

test.skipIf(postgresIsMissing)('the tables of the engine are created at the first try', async () => {
  await using database = await createDatabase();
  // Another try would wait, which this signal does not allow.
  const { backend } = await postgresBackend(readAddress(database.url) as PostgresAddress, AbortSignal.abort());
  expect(await backend.countWorkflowRuns()).toMatchObject({ pending: 0 });
  await backend.stop();
});

test.skipIf(postgresIsMissing)('the engine calls no function that somebody put into its way', async () => {
  await using database = await createDatabase();
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`CREATE SCHEMA trap; CREATE TABLE trap.calls (at text);
    CREATE FUNCTION trap.now() RETURNS timestamptz LANGUAGE sql AS
      $$ INSERT INTO trap.calls VALUES ('called'); SELECT pg_catalog.now() $$;
    ALTER DATABASE ${database.database} SET search_path = trap, pg_catalog`);
  const { backend } = await postgresBackend(readAddress(database.url) as PostgresAddress, AbortSignal.abort());
  const run = await backend.createWorkflowRun({
    workflowName: 'w',
    version: null,
    idempotencyKey: 'k',
    config: {},
    context: null,
    input: null,
    parentStepAttemptNamespaceId: null,
    parentStepAttemptId: null,
    availableAt: null,
    deadlineAt: null,
  });
  expect(await backend.claimWorkflowRun({ workerId: 'w', leaseDurationMs: 1000 })).toMatchObject({ id: run.id });
  await backend.stop();
  expect((await admin.query('SELECT * FROM trap.calls')).rows).toEqual([]);
  await admin.end();
});
