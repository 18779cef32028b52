/** An approval holds for one call: its step, item, phase, tool and arguments. Whoever decides sees them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { startReplicas } from '../../support/two-replicas.ts';
import { type Json, callTool, connectV2, send, startGateway, type TestGateway } from '../harness.ts';

interface View {
  readonly run: string;
  readonly state: string;
  readonly waits?: {
    readonly for: string;
    readonly step: string;
    readonly question: string;
    readonly ask: string;
    readonly arguments?: unknown;
  };
}

let server: StepServer;
let gateway: TestGateway;
let made = 0;
const config = () => ({
  auth: { mode: 'keys' },
  mcpServers: { steps: server.entry, guarded: { ...server.entry, confirm: 'human' } },
});

beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway(config());
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.before = () => {};
});

async function keyed(at: TestGateway, ...scopes: string[]) {
  const grant = { name: `key-${++made}`, scopes, createdBy: 'test', createdAt: new Date().toISOString() };
  const { key } = await createKey(at.runtime.store.keys, grant);
  const headers = { authorization: `Bearer ${key}` };
  return { headers, calls: await blueprintCalls(at, headers) };
}
const owner = () => keyed(gateway, 'admin');
const approver = () => keyed(gateway, 'blueprint:approve', 'blueprint:read');

async function save(by: BlueprintCalls, yaml: string): Promise<string> {
  const name = `approved-${++made}`;
  await by.call('blueprint_save', { text: `name: ${name}\n${yaml}` });
  return name;
}

const status = (by: BlueprintCalls, run: string, wait_seconds = 20) =>
  by.call<View>('blueprint_status', { run, wait_seconds });
const called = () => server.calls.map(({ tool, name }) => `${tool} ${name}`);

test('of a for_each holds for one item, and each shows its arguments', async () => {
  const [deployer, person] = [await owner(), await approver()];
  const name = await save(
    deployer.calls,
    'steps: [{ id: all, confirm: human, for_each: [a, b, c], tool: steps__put, arguments: { name: "${item}" } }]',
  );
  const { run } = await deployer.calls.call<View>('blueprint_deploy', { name });
  for (const [index, thing] of ['a', 'b', 'c'].entries()) {
    const { waits } = await status(person.calls, run);
    expect(waits).toMatchObject({ for: 'approval', step: 'all', arguments: { name: thing } });
    expect(waits?.question).toContain(`item ${index}`);
    expect(called()).toHaveLength(index);
    await person.calls.call('blueprint_approve', { run, step: 'all', ask: waits?.ask, approve: true });
    // Deciding twice about the same call approves no other.
    await expect(
      person.calls.call('blueprint_approve', { run, step: 'all', ask: waits?.ask, approve: true }),
    ).rejects.toThrow(/waits for another call|does not wait for/);
  }
  expect(await status(deployer.calls, run)).toMatchObject({ state: 'succeeded' });
  expect(called()).toEqual(['put a', 'put b', 'put c']);
});

test('of a step does not hold for its undo', async () => {
  const [deployer, person] = [await owner(), await approver()];
  const name = await save(
    deployer.calls,
    `steps:
  - { id: a, confirm: human, tool: steps__put, arguments: { name: a }, undo: { tool: steps__drop, arguments: { name: a } } }`,
  );
  const { run } = await deployer.calls.call<View>('blueprint_deploy', { name });
  await person.calls.call('blueprint_approve', { run, approve: true });
  expect(await status(deployer.calls, run)).toMatchObject({ state: 'succeeded' });
  await deployer.calls.confirmed('blueprint_undo', { run });
  const { state, waits } = await status(person.calls, run);
  expect([state, waits?.question]).toEqual(['waiting', expect.stringMatching(/^Undo the step a .*steps__drop/)]);
  expect(called()).toEqual(['put a']);
  await person.calls.call('blueprint_approve', { run, ask: waits?.ask, approve: true });
  expect(await status(deployer.calls, run)).toMatchObject({ state: 'undone' });
  expect(called()).toEqual(['put a', 'drop a']);
});

test('of a called blueprint shows its inputs, and does not hold for undoing it', async () => {
  const [deployer, person] = [await owner(), await approver()];
  const inner = await save(
    deployer.calls,
    `inputs: { thing: { type: string }, pin: { type: string, secret: true } }
steps:
  - { id: a, tool: steps__put, arguments: { name: "\${inputs.thing}" }, undo: { tool: steps__drop, arguments: { name: a } } }`,
  );
  const name = await save(
    deployer.calls,
    `steps: [{ id: call, confirm: human, blueprint: ${inner}, inputs: { thing: one, pin: hunter22 } }]`,
  );
  const { run } = await deployer.calls.call<View>('blueprint_deploy', { name });
  const first = await status(person.calls, run);
  expect(first.waits?.arguments).toEqual({ thing: 'one', pin: '[secret]' });
  await person.calls.call('blueprint_approve', { run, ask: first.waits?.ask, approve: true });
  expect(await status(deployer.calls, run)).toMatchObject({ state: 'succeeded' });
  await deployer.calls.confirmed('blueprint_undo', { run });
  expect(await status(person.calls, run)).toMatchObject({ state: 'waiting', waits: { step: 'call' } });
  expect(called()).toEqual(['put one']);
  await person.calls.call('blueprint_approve', { run, approve: true });
  expect(await status(deployer.calls, run)).toMatchObject({ state: 'undone' });
});

describe('what is shown', () => {
  test('is without secrets everywhere, and only for whoever deployed the run or may approve it', async () => {
    const [deployer, person] = [await owner(), await approver()];
    const secret = 'correct-horse-battery';
    const name = await save(
      deployer.calls,
      `inputs: { token: { type: string, secret: true }, pin: { type: integer, secret: true } }
steps:
  - id: a
    tool: guarded__put
    arguments: { name: shown, value: { token: "Bearer \${inputs.token}", pin: "\${inputs.pin}", password: plain } }`,
    );
    const inputs = { token: secret, pin: 48271 };
    const { run } = await deployer.calls.call<View>('blueprint_deploy', { name, inputs });
    const reader = await keyed(gateway, 'blueprint:read');
    expect((await status(reader.calls, run)).waits?.arguments).toBeUndefined();
    const rest = async (path: string) =>
      (await send(`${gateway.url}/api/v1/${path}`, { headers: person.headers })).messages[0] as Json;
    const room = (await rest('waiting')).items as { id: string; page: string; data: unknown }[];
    const item = room.find(({ page }) => page === `blueprints/runs/${run}`);
    const answers = [
      (await status(deployer.calls, run)).waits?.arguments,
      (await status(person.calls, run)).waits?.arguments,
      ((await rest(`blueprint-runs/${run}`)).waits as Json).arguments,
      ((await rest(`blueprint-runs/${run}/timeline`)).waits as Json).arguments,
      item?.data,
    ];
    for (const one of answers)
      expect(one).toEqual({ name: 'shown', value: { token: '[redacted]', pin: '[redacted]', password: '[redacted]' } });
    const kept = await gateway.runtime.store.tables.rows('SELECT * FROM blueprint_runs WHERE id = ?', run);
    expect(JSON.stringify(kept)).not.toContain('shown');
    await send(`${gateway.url}/api/v1/waiting/blueprints/${encodeURIComponent(item?.id ?? '')}`, {
      method: 'POST',
      headers: person.headers,
      body: { approve: true },
    });
    expect(await status(deployer.calls, run)).toMatchObject({ state: 'succeeded' });
    expect(server.calls[0]?.args.value).toEqual({ token: `Bearer ${secret}`, pin: 48271, password: 'plain' });
  });

  test('is in the question that a client asks its user, for each call', async () => {
    await using open = await startGateway({ mcpServers: { steps: server.entry } });
    const asked: string[] = [];
    await using client = await connectV2(open, {
      answer: (_, params) => {
        asked.push((params as { message: string }).message);
        return { action: 'accept', content: { approve: true } };
      },
    });
    const text =
      'name: each\nsteps: [{ id: a, confirm: human, for_each: [x, y], tool: steps__put, arguments: { name: "${item}" } }]';
    await callTool(client, 'blueprint_save', { text });
    expect(await callTool(client, 'blueprint_deploy', { name: 'each' })).toMatchObject({
      structuredContent: { state: 'succeeded' },
    });
    expect(asked).toEqual([expect.stringContaining('{"name":"x"}'), expect.stringContaining('{"name":"y"}')]);
  });
});

describe.skipIf(postgresIsMissing)('on two replicas', () => {
  test('what is asked at one is decided at the other, call by call', async () => {
    await using replicas = await startReplicas(config());
    const [deployer, person] = [
      await keyed(replicas.a, 'admin'),
      await keyed(replicas.a, 'blueprint:approve', 'blueprint:read'),
    ];
    await using atB = await blueprintCalls(replicas.b, person.headers);
    const name = await save(
      deployer.calls,
      'steps: [{ id: all, confirm: human, for_each: [a, b], tool: steps__put, arguments: { name: "${item}" } }]',
    );
    const { run } = await deployer.calls.call<View>('blueprint_deploy', { name });
    const asked: unknown[] = [];
    for (const _ of ['a', 'b']) {
      const { waits } = await status(atB, run);
      asked.push(waits?.arguments);
      await atB.call('blueprint_approve', { run, ask: waits?.ask, approve: true });
    }
    // Both items ask at once.
    expect(asked).toEqual(expect.arrayContaining([{ name: 'a' }, { name: 'b' }]));
    expect(await status(deployer.calls, run)).toMatchObject({ state: 'succeeded' });
    expect(called().toSorted()).toEqual(['put a', 'put b']);
  });
});
