/** The blueprints that come with Sluice, deployed and undone on a real n8n. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { bin } from '../../support/command-line.ts';
import { isMissing } from '../../support/daemon.ts';
import { N8N_START_MS, n8nIsMissing, startFreshN8n, startN8n } from '../../support/n8n.ts';
import { ownRedis, REDIS } from '../../support/own-redis.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { RABBITMQ, startRabbit } from '../../support/rabbitmq.ts';
import { type TestKuma, testKuma } from '../../support/uptimekuma.ts';
import { hook, line, set } from '../../support/workflows.ts';
import { type ArithmeticModel, startArithmeticModel } from '../bridge/arithmetic-model.ts';
import { startGateway, type TestGateway } from '../harness.ts';

interface Run {
  run: string;
  state: string;
  error?: string;
  outputs?: Record<string, unknown>;
  steps: { step: string; state: string; undo?: string; error?: string }[];
}

const NAMES = ['health-report', 'nightly-backup', 'onboard-project', 'promote-workflow', 'provision-agent'];

async function deployed(blueprints: BlueprintCalls, name: string, inputs: object): Promise<Run> {
  const { run } = await blueprints.confirmed<Run>('blueprint_deploy', { name, inputs, wait_seconds: 60 });
  return blueprints.call<Run>('blueprint_status', { run });
}

async function undone(blueprints: BlueprintCalls, run: string): Promise<Run> {
  await blueprints.confirmed('blueprint_undo', { run, wait_seconds: 60 });
  const after = await blueprints.call<Run>('blueprint_status', { run });
  expect(after, JSON.stringify(after.steps)).toMatchObject({ state: 'undone' });
  return after;
}

describe.skipIf(n8nIsMissing)('shipped blueprints on an n8n', () => {
  const stack = new AsyncDisposableStack();
  let client: N8nClient;
  let other: N8nClient;
  let model: ArithmeticModel;
  let kuma: TestKuma;
  let gateway: TestGateway;
  let blueprints: BlueprintCalls;

  beforeAll(async () => {
    // What is there before and after is compared, so nobody else may use it.
    const [own, shared] = await Promise.all([startFreshN8n(), startN8n()]);
    stack.use(own);
    model = stack.use(await startArithmeticModel(() => undefined));
    kuma = stack.use(await testKuma());
    const settings = { url: own.url, apiKey: own.apiKey, login: own.owner };
    client = createN8nClient('default', { ...settings, timeoutMs: 30_000 });
    other = createN8nClient('production', { url: shared.url, apiKey: shared.apiKey, timeoutMs: 30_000 });
    gateway = stack.use(
      await startGateway({
        n8n: {
          default: settings,
          production: { url: shared.url, apiKey: shared.apiKey, login: shared.owner },
        },
        modules: { uptimekuma: { ...kuma.section, mode: 'read-write' } },
        bridge: { workflows: { tag: '', availableInMCP: false }, poll: '1h' },
      }),
    );
    blueprints = stack.use(await blueprintCalls(gateway));
  }, N8N_START_MS);
  afterAll(() => stack.disposeAsync(), 60_000);

  const sluice = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [bin, ...args], {
      cwd: gateway.home,
      env: { PATH: process.env.PATH, HOME: gateway.home, SLUICE_HOME: gateway.home },
    });

  /** Everything that a blueprint could leave behind. */
  async function everything() {
    const [workflows, credentials, tags] = await Promise.all([
      Array.fromAsync(client.workflows.all({})),
      Array.fromAsync(client.credentials.all()),
      Array.fromAsync(client.tags.all()),
    ]);
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();
    return {
      workflows: names(workflows),
      credentials: names(credentials),
      tags: names(tags),
      namespaces: (await blueprints.call('memory_list_namespaces')).namespaces,
      memories: (await blueprints.call('memory_list_memories')).memories,
      monitors: (await blueprints.call<{ monitors: unknown[] }>('uptimekuma_list_monitors')).monitors.length,
      tools: gateway.runtime.apis.gateway.registry
        .all()
        .map(({ name }) => name)
        .filter((name) => name.startsWith('run_')),
    };
  }

  test.each(NAMES)('%s has no mistakes', async (name) => {
    const { findings, valid } = await blueprints.call<{ valid: boolean; findings: { severity: string }[] }>(
      'blueprint_validate',
      { name },
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(valid).toBe(true);
    expect(await blueprints.call('blueprint_show', { name })).toMatchObject({ origin: 'shipped' });
  });

  test('their n8n workflows have no mistakes', async () => {
    const files = ['health-report.json', 'templates/agent.json'].map((file) =>
      fileURLToPath(new URL(`../../../n8n-workflows/${file}`, import.meta.url)),
    );
    expect((await sluice('validate', ...files)).stderr).toContain('no errors');
  });

  test('provision-agent sets up an agent that answers, and leaves nothing', async () => {
    const before = await everything();
    const run = await deployed(blueprints, 'provision-agent', {
      name: 'support-bot',
      team: 'Support',
      api_key: 'sk-0123456789',
      token: '0123456789abcdef',
      model: 'arithmetic',
      model_url: model.url,
    });
    expect(run, JSON.stringify(run)).toMatchObject({ state: 'succeeded', outputs: { memory: 'agent-support-bot' } });
    expect(JSON.stringify(run)).not.toMatch(/sk-0123456789|0123456789abcdef/);
    const asked = model.asked.at(-1)?.messages.map(({ content }) => content);
    expect(asked?.[0]).toContain('You are support-bot, an agent of Support.');

    const { url, health } = run.outputs as { url: string; health: string };
    const ask = (token: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-agent-token': token },
        body: JSON.stringify({ question: 'Hello?' }),
      });
    expect((await ask('wrong')).status).toBe(403);
    expect(await (await ask('0123456789abcdef')).json()).toEqual({ output: 'No such tool among ' });
    expect(await (await fetch(health)).json()).toEqual({ live: true });

    const during = await everything();
    expect(during.tools).toEqual(['run_agent_support-bot']);
    expect(during.monitors).toBe(before.monitors + 1);
    expect(await blueprints.call('run_agent_support-bot', { question: 'Hello?' })).toEqual({
      output: 'No such tool among ',
    });

    await undone(blueprints, run.run);
    expect(await everything()).toEqual({
      ...before,
      // They belong to the bridge, which goes on: other workflows may use it by now.
      credentials: [expect.stringMatching(/^\[sluice\] bridge/)],
      tags: ['sluice-bridge'],
    });
    await blueprints.confirmed('bridge_cleanup', { instance: 'default' });
    expect(await everything()).toEqual(before);
  }, 60_000);

  test('nightly-backup backs up, keeps the last ones, and reports', async () => {
    const body = { ...line(hook('backups'), set('Answer', '$json.body')), settings: {} };
    const { id } = await client.workflows.create({ name: 'Backup reports', ...body });
    await client.workflows.publish(id);
    const before = await everything();
    const inputs = { keep: 1, report_to: 'backups' };
    await deployed(blueprints, 'nightly-backup', inputs);
    const run = await deployed(blueprints, 'nightly-backup', inputs);
    expect(run, JSON.stringify(run)).toMatchObject({ state: 'succeeded', outputs: { workflows: 1 } });
    const { whole } = await blueprints.call<{ whole: { id: string }[] }>('n8n_list_backups', {
      instance: 'default',
      whole: true,
    });
    expect(whole.map((one) => one.id)).toEqual([run.outputs?.backup]);
    const { executions } = await blueprints.call<{ executions: { id: string }[] }>('n8n_list_executions', {
      workflow: id,
    });
    const last = await blueprints.call('n8n_get_execution', { id: executions[0]?.id, node: 'Answer' });
    expect(JSON.stringify(last)).toContain(String(run.outputs?.backup));
    expect(await everything()).toEqual(before);
    await blueprints.confirmed('n8n_delete_workflow', { id });
  }, 60_000);

  test('health-report posts to the workflow that a command installs and uninstalls', async () => {
    const before = await everything();
    expect((await sluice('blueprint', 'install')).stdout).toMatch(/^created health-report \(\w+\)\n$/);
    expect((await sluice('blueprint', 'install', 'health-report')).stdout).toMatch(/^unchanged/);
    expect((await everything()).tags).toContain('sluice-blueprints');
    const run = await deployed(blueprints, 'health-report', {});
    expect(run, JSON.stringify(run)).toMatchObject({
      state: 'succeeded',
      outputs: { answer: { key: `${run.run}:post`, text: expect.stringContaining('of the n8n default failed since') } },
    });

    const [installed] = await Array.fromAsync(client.workflows.all({ name: 'Sluice health report' }));
    const id = String(installed?.id);
    await blueprints.call('n8n_duplicate_workflow', { id, name: 'My copy', tags: false });
    const operations = [
      { op: 'set_parameter', node: 'Text', path: 'options.dotNotation', value: false },
      { op: 'disable_node', node: 'Text' },
    ];
    await blueprints.call('n8n_edit_workflow', { id, operations });
    for (const verb of ['install', 'uninstall'])
      await expect(sluice('blueprint', verb)).rejects.toMatchObject({
        stderr: expect.stringContaining('because somebody changed it'),
      });
    expect((await sluice('blueprint', 'install', '--yes')).stdout).toMatch(/^updated/);
    expect((await sluice('blueprint', 'install')).stdout).toMatch(/^unchanged/);
    expect((await sluice('blueprint', 'uninstall', '--yes')).stdout).toBe(`deleted health-report (${id})\n`);
    expect((await everything()).workflows).toEqual([...before.workflows, 'My copy']);
    const [copy] = await Array.fromAsync(client.workflows.all({ name: 'My copy' }));
    await client.workflows.delete(String(copy?.id));
    expect(await everything()).toEqual(before);
  }, 60_000);

  describe('promote-workflow', () => {
    const name = `Shipped ${crypto.randomUUID()}`;
    const inputs = { workflow: name, from: 'default', to: 'production' };
    const there = async () => (await Array.fromAsync(other.workflows.all({ name }))).length;

    test('promotes what was approved, and takes it back', async () => {
      const body = { ...line(hook(crypto.randomUUID()), set('Answer', '1')), settings: {} };
      const { id } = await client.workflows.create({ name, ...body });
      const { run } = await blueprints.confirmed<Run>('blueprint_deploy', {
        name: 'promote-workflow',
        inputs,
        wait_seconds: 0,
      });
      await expect
        .poll(() => blueprints.call('blueprint_status', { run }), { timeout: 20_000 })
        .toMatchObject({
          state: 'waiting',
          waits: { for: 'approval', question: expect.stringContaining('creates 1') },
        });
      expect(await there()).toBe(0);
      await blueprints.confirmed('blueprint_approve', { run, step: 'approve', approve: true });
      await expect
        .poll(() => blueprints.call('blueprint_status', { run }), { timeout: 20_000 })
        .toMatchObject({ state: 'succeeded', outputs: { state: 'done', workflows: [name] } });
      expect(await there()).toBe(1);
      await undone(blueprints, run);
      expect(await there()).toBe(0);
      await client.workflows.delete(id);
    }, 60_000);

    test('says which n8n is missing', async () => {
      const run = await deployed(blueprints, 'promote-workflow', { ...inputs, to: 'staging' });
      expect(run.state).toBe('undone');
      expect(run.error).toContain('There is no n8n staging. Known: default, production.');
    });
  });
});

describe('onboard-project', () => {
  const inputs = { name: 'web_shop', title: 'Web shop', team: 'Sales' };
  const memories = async (blueprints: BlueprintCalls) => ({
    ...(await blueprints.call('memory_list_namespaces')),
    ...(await blueprints.call('memory_list_memories')),
  });

  test('works with the embedded stores alone', async () => {
    await using gateway = await startGateway({});
    await using blueprints = await blueprintCalls(gateway);
    const before = await memories(blueprints);
    const run = await deployed(blueprints, 'onboard-project', inputs);
    expect(run, JSON.stringify(run)).toMatchObject({
      state: 'succeeded',
      outputs: { memory: 'project-web_shop', schema: null, queue: null, cache_prefix: null },
    });
    expect(await memories(blueprints)).toMatchObject({
      namespaces: [{ name: 'project-web_shop', memories: 1 }],
      memories: [{ text: expect.stringContaining('Sales works on the project Web shop.') }],
    });
    await undone(blueprints, run.run);
    expect(await memories(blueprints)).toEqual(before);
  });

  test('twice at once sets it up once, and an undo deletes no memory of others', async () => {
    await using gateway = await startGateway({});
    await using blueprints = await blueprintCalls(gateway);
    const runs = await Promise.all([1, 2].map(() => deployed(blueprints, 'onboard-project', inputs)));
    expect(runs.map(({ state }) => state).sort()).toEqual(['succeeded', 'undone']);
    const there = { namespaces: [{ name: 'project-web_shop', memories: 1 }] };
    expect(await memories(blueprints)).toMatchObject(there);
    expect(await blueprints.call('project_status', { name: 'Web shop' })).toMatchObject({ state: 'ok' });

    await blueprints.call('memory_store', { namespace: 'project-web_shop', text: 'We ship on Tuesdays.' });
    const run = runs.find(({ state }) => state === 'succeeded')?.run;
    const undo = await blueprints.confirmed<Run>('blueprint_undo', { run, wait_seconds: 60 });
    expect(undo).toMatchObject({ state: 'failed', error: expect.stringContaining('project-web_shop is not empty') });
    expect(await memories(blueprints)).toMatchObject({ ...there, memories: [{ text: 'We ship on Tuesdays.' }] });
  });

  test('leaves a namespace that was there before', async () => {
    await using gateway = await startGateway({});
    await using blueprints = await blueprintCalls(gateway);
    await blueprints.call('memory_store', { namespace: 'project-web_shop', text: 'An old memory.' });
    // More than a page of names before it.
    for (let number = 100; number < 160; number++)
      await blueprints.call('memory_set_namespace', { name: `project-web_sho_${number}` });
    const run = await deployed(blueprints, 'onboard-project', inputs);
    await undone(blueprints, run.run);
    expect(await blueprints.call('memory_list_memories')).toMatchObject({ memories: [{ text: 'An old memory.' }] });
  });

  const missing = postgresIsMissing || isMissing(REDIS) || isMissing(RABBITMQ);
  test.skipIf(missing)(
    'sets up a schema, a queue and a key, and leaves nothing',
    async () => {
      await using database = await createDatabase();
      await using redis = await ownRedis();
      await using rabbit = await startRabbit();
      const mode = 'read-write';
      await using gateway = await startGateway({
        modules: {
          postgres: { url: database.url, mode },
          redis: { url: redis.url, mode },
          rabbitmq: { managementUrl: rabbit.managementUrl, mode },
        },
      });
      await using blueprints = await blueprintCalls(gateway);
      const sql = new Client({ connectionString: database.url });
      await sql.connect();
      const keys = createClient({ url: redis.url });
      await keys.connect();
      const everything = async () => ({
        schemas: (await sql.query('SELECT nspname FROM pg_namespace ORDER BY 1')).rows,
        // The progress of runs expires by itself.
        keys: (await keys.keys('*')).filter((key) => !key.startsWith('sluice:blueprint:')),
        queues: ((await rabbit.api('queues')) as { name: string }[]).map(({ name }) => name),
        ...(await memories(blueprints)),
      });
      try {
        const before = await everything();
        const run = await deployed(blueprints, 'onboard-project', inputs);
        expect(run, JSON.stringify(run)).toMatchObject({
          state: 'succeeded',
          outputs: { schema: 'web_shop', queue: 'web_shop', cache_prefix: 'web_shop:' },
        });
        const during = await everything();
        expect(during.schemas).toContainEqual({ nspname: 'web_shop' });
        expect(during).toMatchObject({ keys: ['web_shop:project'], queues: ['web_shop'] });
        await undone(blueprints, run.run);
        expect(await everything()).toEqual(before);
      } finally {
        keys.destroy();
        await sql.end();
      }
    },
    120_000,
  );
});
