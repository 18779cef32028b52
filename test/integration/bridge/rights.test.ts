import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialName } from '../../../src/n8n/generate/header.ts';
import { projectOf } from '../../../src/n8n/workflows/project.ts';
import { GENERATED_TAG } from '../../../src/n8n/generated.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import type { Json } from '../harness.ts';
import { hook, line, make, set } from '../../support/workflows.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { type Reached, reachN8n } from '../../support/workbench.ts';
import { calculator, openToolBench, textOf, type ToolBench } from '../../support/tool-bench.ts';

const { N8N_TEST_URL, N8N_TEST_EMAIL } = process.env;
// Creating API keys needs a login.
const missing = N8N_TEST_URL === undefined ? n8nIsMissing : N8N_TEST_EMAIL === undefined;

/** The scopes that docs/bridge.md says a key needs. */
const enough = [
  ...['list', 'read', 'create', 'update', 'delete', 'activate', 'deactivate'].map((one) => `workflow:${one}`),
  ...['list', 'create', 'delete'].map((one) => `tag:${one}`),
  ...['list', 'update'].map((one) => `workflowTags:${one}`),
  ...['list', 'read', 'create', 'delete'].map((one) => `credential:${one}`),
];

interface Status {
  instances: { problem?: string; others?: number; generated: { count: number } }[];
}

/** An n8n with restricted keys, several projects, and another Sluice. */
describe.skipIf(missing)('a bridge to a shared n8n', () => {
  let reached: Reached;
  let bench: ToolBench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openToolBench({ reached });
    await bench.agent('ours', [calculator()]);
    await bench.own('bridge_apply');
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

  const sum = async (on: ToolBench, workflow: string) =>
    textOf(await on.call(workflow, 'Calculator', { input: '25*42' }));

  test('two Sluices share it, and removing one leaves the other alone', async () => {
    await using second = await openToolBench({ reached });
    await second.agent('theirs', [calculator()]);
    await second.own('bridge_apply');
    expect([await sum(bench, 'ours'), await sum(second, 'theirs')]).toEqual(['1050', '1050']);
    const { instances } = await second.own<Status>('bridge_status');
    expect(instances[0]).toMatchObject({ generated: { count: 1 }, others: expect.any(Number) });
    const left = await second.own<{ left?: number; removed: { name: string }[] }>('bridge_cleanup');
    expect(left.removed).toHaveLength(1);
    expect(left.left).toBeGreaterThan(0);
    expect(await second.generated()).toEqual([]);
    await bench.refresh();
    expect(await bench.generated()).toHaveLength(1);
    expect(await sum(bench, 'ours')).toBe('1050');
    const tags = (await Array.fromAsync(bench.n8n.client.tags.all())).map(({ name }) => name);
    expect(tags).toContain(GENERATED_TAG);
  }, 60_000);

  test('a key with the documented scopes is enough for apply and remove', async () => {
    await using key = await limitedKey(reached, enough);
    await using own = await openToolBench({ reached, config: keyed(key.apiKey) });
    await own.agent('enough', [calculator()]);
    await own.own('bridge_apply');
    expect(await sum(own, 'enough')).toBe('1050');
    await own.own('bridge_cleanup');
    expect(await own.generated()).toEqual([]);
  }, 60_000);

  test.each([
    ['workflow:create', 'lacks a scope'],
    ['workflow:activate', 'lacks a scope'],
    ['credential:create', 'lacks a scope'],
    ['workflow:list', 'lacks a scope'],
  ])(
    'without %s it says so, and generates nothing',
    async (scope, said) => {
      const scopes = enough.filter((one) => one !== scope);
      await using key = await limitedKey(reached, scopes);
      await using own = await openToolBench({ reached, config: keyed(key.apiKey) });
      await own.agent('less', [calculator()]);
      const applied = own.own('bridge_apply');
      await expect(applied).rejects.toThrow(/API key|scope/);
      await expect(applied).rejects.toThrow(new RegExp(`${said}|${scope}`));
      await expect(applied).rejects.not.toThrow('Unexpected');
      expect(await own.listed(own.slug('less'))).toEqual([]);
      expect(await own.generated()).toEqual([]);
      const { instances } = await own.own<Status>('bridge_status');
      expect(instances[0]?.problem).toMatch(/API key|scope/);
    },
    60_000,
  );

  test('after the key is revoked, tools keep working, the status reports it, and a new key fixes it', async () => {
    const key = await limitedKey(reached, enough);
    await using own = await openToolBench({ reached, config: keyed(key.apiKey) });
    await own.agent('revoked', [calculator()]);
    await own.own('bridge_apply');
    await key[Symbol.asyncDispose]();
    await expect(own.refresh()).rejects.toThrow('refused the API key');
    expect(await own.listed(own.slug('revoked'))).toHaveLength(1);
    expect(await sum(own, 'revoked')).toBe('1050');
    const { instances } = await own.own<Status>('bridge_status');
    expect(instances[0]?.problem).toContain('n8n.default.apiKey');
    await own.gateway.reload({ ...own.config, ...keyed(reached.apiKey) });
    await own.refresh();
    expect(await sum(own, 'revoked')).toBe('1050');
    expect((await own.own<Status>('bridge_status')).instances[0]).not.toHaveProperty('problem');
  }, 60_000);

  test('archiving a workflow removes its tools, and unarchiving restores them', async () => {
    const { id } = await bench.agent('archived', [calculator()]);
    await bench.refresh();
    expect(await sum(bench, 'archived')).toBe('1050');
    await bench.n8n.client.workflows.archive(id);
    await bench.refresh();
    await bench.until(bench.slug('archived'), []);
    expect(await bench.generated()).toHaveLength(1);
    await bench.n8n.client.workflows.unarchive(id);
    await bench.refresh();
    await bench.until(bench.slug('archived'), [`${bench.slug('archived')}__Calculator`]);
    await bench.n8n.client.workflows.delete(id);
    await bench.refresh();
  }, 60_000);

  test('a workflow that moves to another project keeps its tools, and nothing stays in the old project', async () => {
    const { http, workflows } = bench.n8n.client;
    const email = `${bench.name('mover')}@example.com`;
    const [invited] = (await http.ask('POST', '/api/v1/users', { body: [{ email, role: 'global:member' }] })) as {
      user: { id: string };
    }[];
    const source = await bench.agent('moving', [calculator()]);
    const webhook = line(hook(bench.name('moving-run')), set('Out', '({ ok: true })'));
    const ran = await make(bench.n8n, 'moving-run', webhook);
    await workflows.setTags(ran.id, [bench.tag.id]);
    await bench.refresh();
    expect(await sum(bench, 'moving')).toBe('1050');
    const projects = (await bench.n8n.client.session.ask('GET', '/projects')) as { id: string; name: string }[];
    const destinationProjectId = projects.find(({ name }) => name.includes(email))?.id;
    for (const { id } of [source, ran])
      await http.ask('PUT', `/api/v1/workflows/${id}/transfer`, { body: { destinationProjectId } });
    await bench.refresh();
    const copies = (await bench.generated()).filter(({ name }) => name.includes(bench.name('moving')));
    expect(copies.map((one) => projectOf(one)?.id)).toEqual([destinationProjectId]);
    expect(await sum(bench, 'moving')).toBe('1050');
    for (const { id } of [source, ran]) await workflows.delete(id);
    await bench.refresh();
    expect(await bench.generated()).toHaveLength(1);
    await bench.own('bridge_cleanup');
    const left = (await Array.fromAsync(bench.n8n.client.credentials.all())).map(({ name }) => name);
    expect(left).not.toContain(credentialName(bench.owner));
    await http.ask('DELETE', `/api/v1/users/${invited?.user.id}`);
  }, 60_000);

  const keyed = (apiKey: string): Json => ({ n8n: { default: { url: reached.url, apiKey } } });
});
