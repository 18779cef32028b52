import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { promotionTools } from '../../../src/n8n/promotion/tools.ts';
import { writable } from '../../../src/n8n/workflows/body.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { type BreakingProxy, openBreakingProxy, type Spoil } from '../../support/breaking-proxy.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';
import { hook, line, node, set } from '../../support/workflows.ts';

interface Report {
  state: string;
  plan?: string;
  promotion?: string;
  counts: Record<'create' | 'update' | 'unchanged' | 'conflict', number>;
  holes?: { what: string; why: string; fix: string }[];
  problems?: string[];
  creates?: { tags?: string[]; data_tables?: string[]; credentials?: string[] };
  to_fill?: { id: string; name: string; url: string; fields: string[] }[];
  workflows: { name: string; id: string; target_id?: string; action: string; changes?: string[]; since?: string[] }[];
  notes?: string[];
  mapped?: string[];
  more?: string;
}

const FROM = 'default';
const TO = 'production';
/** The same n8n, with a key that may not delete workflows. */
const WEAK = 'weak';

async function weakKey({ url, owner }: TestN8n): Promise<string> {
  const { session } = createN8nClient(WEAK, { url, login: owner, timeoutMs: 30_000 });
  const scopes = (await session.ask('GET', '/api-keys/scopes')) as string[];
  const { rawApiKey } = (await session.ask('POST', '/api-keys', {
    body: {
      label: `weak ${crypto.randomUUID()}`,
      scopes: scopes.filter((scope) => scope !== 'workflow:delete'),
      expiresAt: null,
    },
  })) as { rawApiKey: string };
  return rawApiKey;
}

describe.skipIf(n8nIsMissing)('promotion between two n8n', () => {
  let bench: Workbench;
  let proxy: BreakingProxy;
  let source: N8nClient;
  let target: N8nClient;

  beforeAll(async () => {
    const [here, there] = await Promise.all([startN8n(), startN8n({ database: 'postgres' })]);
    proxy = await openBreakingProxy(there.url);
    const production = { ...there, url: proxy.url };
    bench = await openWorkbench([...promotionTools, ...workflowTools], here, {}, undefined, {
      [TO]: production,
      [WEAK]: { ...production, apiKey: await weakKey(there) },
    });
    source = bench.client;
    target = bench.instances.get(TO);
  }, N8N_START_MS);

  afterAll(async () => {
    proxy.heal();
    for (const client of [target, source]) {
      for await (const one of client.workflows.all({ name: bench.name('') })) await client.workflows.delete(one.id);
      for await (const one of client.credentials.all()) if (isOurs(one)) await client.credentials.delete(one.id);
      for await (const one of client.tags.all()) if (isOurs(one)) await client.tags.delete(one.id);
      for await (const one of client.dataTables.all()) {
        if (isOurs(one)) await client.http.ask('DELETE', `/api/v1/data-tables/${one.id}`);
      }
    }
    await bench[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const isOurs = ({ name }: { name: string }) => name.startsWith(bench.name(''));
  const plan = (args: object) => bench.call<Report>('n8n_promote', { from: FROM, to: TO, ...args });
  const apply = (id: string | undefined) => bench.call<Report>('n8n_promote', { apply: id });

  /** The id of a plan that can be applied. */
  async function planned(args: object): Promise<string> {
    const report = await plan(args);
    if (report.plan === undefined) throw new Error(JSON.stringify(report));
    return report.plan;
  }

  const promoted = async (args: object) => apply(await planned(args));

  const call = (name: string, id: string) =>
    node(name, 'executeWorkflow', 1.2, {
      workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: 'x', cachedResultUrl: `/workflow/${id}` },
      workflowInputs: { mappingMode: 'defineBelow', value: {} },
      options: {},
    });
  const called = () => node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
  const request = (credential: { id: string; name: string }, more: object = {}) =>
    node(
      'Ask',
      'httpRequest',
      4.2,
      {
        url: 'http://127.0.0.1:9/',
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        options: {},
        ...more,
      },
      { credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } } },
    );

  const create = (client: N8nClient, name: string, body: ReturnType<typeof line>, settings: object = {}) =>
    client.workflows.create({ name: bench.name(name), ...body, settings: { executionOrder: 'v1', ...settings } });

  const headerAuth = (client: N8nClient, name: string, value = 'not so secret') =>
    client.credentials.create({ name: bench.name(name), type: 'httpHeaderAuth', data: { name: 'X-Key', value } });

  /** Everything of ours on the target, as people see it. */
  async function targetState() {
    const workflows = (await Array.fromAsync(target.workflows.all({ name: bench.name('') }))).filter(isOurs);
    const names = async (list: AsyncIterable<{ name: string }>) =>
      (await Array.fromAsync(list))
        .filter(isOurs)
        .map(({ name }) => name)
        .sort();
    return {
      workflows: workflows
        .map((one) => ({
          id: one.id,
          ...writable(one),
          active: one.active,
          activeVersionId: one.activeVersionId,
          tags: (one.tags ?? []).map(({ name }) => name).sort(),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
      credentials: await names(target.credentials.all()),
      tags: await names(target.tags.all()),
      tables: await names(target.dataTables.all()),
    };
  }

  async function changeSet(client: N8nClient, id: string, value: string): Promise<Workflow> {
    const now = await client.workflows.get(id);
    const nodes = now.nodes.map((one) =>
      one.type.endsWith('.set') ? { ...one, parameters: { ...one.parameters, jsonOutput: value } } : one,
    );
    return (await client.workflows.update(id, { ...writable(now), nodes }, false)).workflow;
  }

  describe('twenty workflows with sub-workflows, an error workflow and credentials', () => {
    const parents: Workflow[] = [];
    let subs: Workflow[];
    let errors: Workflow;
    let first: Report;

    beforeAll(async () => {
      const here = await headerAuth(source, 'shared');
      await headerAuth(target, 'shared');
      errors = await create(source, 'errors', line(node('Failed', 'errorTrigger', 1), set('Note', '({ seen: true })')));
      const deepest = await create(source, 'sub-deep', line(called(), set('Answer', '({ deep: 1 })')));
      subs = [deepest];
      for (const name of ['sub-a', 'sub-b']) {
        subs.push(await create(source, name, line(called(), call('Deeper', deepest.id))));
      }
      const tag = await source.tags.create(bench.name('rel'));
      for (let index = 0; index < 16; index++) {
        const path = bench.name(`in-${index}`);
        const sub = subs[1 + (index % 2)] as Workflow;
        const body = line(hook(path), call('Sub', sub.id), set('Done', `({ sub: $json.deep, of: ${index} })`));
        const lonely = { ...body, nodes: [...body.nodes, { ...request(here), disabled: true }] };
        const made = await create(source, `parent-${index}`, lonely, { errorWorkflow: errors.id });
        if (index < 3) await source.workflows.setTags(made.id, [tag.id]);
        parents.push(made);
      }
      const described = parents[0] as Workflow;
      await source.workflows.update(described.id, { ...writable(described), description: 'Takes orders' }, false);
    });

    const asked = () => ({ workflows: parents.map(({ id }) => id) });

    it('plans without changing anything', async () => {
      const before = await targetState();
      const report = await plan(asked());
      expect(report).toMatchObject({
        state: 'plan',
        counts: { create: 20, update: 0, unchanged: 0, conflict: 0 },
        creates: { tags: [bench.name('rel')] },
      });
      expect(report.holes).toBeUndefined();
      expect(Buffer.byteLength(JSON.stringify({ content: JSON.stringify(report), report }))).toBeLessThan(8192);
      expect(await targetState()).toEqual(before);
    });

    it('creates all twenty as drafts, bottom-up, with their references mapped', async () => {
      first = await promoted({ ...asked(), publish: false });
      expect(first).toMatchObject({ state: 'done', counts: { create: 20 } });
      const full = await bench.call<Report>('n8n_promote', { from: FROM, to: TO, ...asked(), full: true });
      expect(full).toMatchObject({ state: 'nothing to do', counts: { create: 0, update: 0, unchanged: 16 } });
      const { workflows } = await targetState();
      expect(workflows).toHaveLength(20);
      const at = (name: string) => workflows.find((one) => one.name === bench.name(name));
      const parent = at('parent-0');
      const original = await source.workflows.get((parents[0] as Workflow).id);
      expect(parent).toMatchObject({ active: false, tags: [bench.name('rel')] });
      expect((await target.workflows.get(parent?.id as string)).description).toBe('Takes orders');
      expect(parent?.settings.errorWorkflow).toBe(at('errors')?.id);
      expect(parent?.nodes.map(({ id, webhookId }) => [id, webhookId])).toEqual(
        original.nodes.map(({ id, webhookId }) => [id, webhookId]),
      );
      expect(parent?.nodes[1]?.parameters.workflowId).toMatchObject({
        value: at('sub-a')?.id,
        cachedResultName: bench.name('sub-a'),
      });
      const credentials = await Array.fromAsync(target.credentials.all());
      const shared = credentials.find(({ name }) => name === bench.name('shared'));
      expect(parent?.nodes[3]?.credentials).toEqual({ httpHeaderAuth: { id: shared?.id, name: bench.name('shared') } });
    });

    it('has nothing to do the second time, and reads nothing one by one', async () => {
      proxy.heal();
      const report = await plan({ ...asked(), update_dependencies: true });
      expect(report).toMatchObject({ state: 'nothing to do', counts: { unchanged: 20 } });
      expect(proxy.requests()).toBeLessThan(8);
      expect(report.plan).toBeUndefined();
    });

    it('publishes sub-workflows first, and the imported workflow runs through them', async () => {
      const one = { workflows: [(parents[3] as Workflow).id], update_dependencies: true, publish: true };
      expect(await promoted(one)).toMatchObject({ counts: { unchanged: 4 } });
      const answer = await fetch(`${proxy.url}/webhook/${bench.name('in-3')}`, { method: 'POST' });
      expect(await answer.json()).toEqual({ sub: 1, of: 3 });
    });

    it('uses the credential of the target when the imported workflow runs', async () => {
      const asked: (string | undefined)[] = [];
      const service = createServer((incoming, answer) => {
        asked.push(incoming.headers['x-key'] as string | undefined);
        answer.setHeader('content-type', 'application/json').end('{"answered":true}');
      });
      await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
      await using _ = { [Symbol.asyncDispose]: async () => void service.close() };
      const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
      const secret = await headerAuth(source, 'run');
      await headerAuth(target, 'run', 'of the target');
      const one = await create(source, 'run', line(hook(bench.name('run')), request(secret, { url })));
      await promoted({ workflows: [one.id], publish: true });
      const answer = await fetch(`${proxy.url}/webhook/${bench.name('run')}`, { method: 'POST' });
      expect(await answer.json()).toEqual({ answered: true });
      expect(asked).toEqual(['of the target']);
    });

    it('updates only what changed on the source, with a backup, and leaves the live version alone', async () => {
      await changeSet(source, (parents[3] as Workflow).id, '={"changed":3}');
      const report = await promoted(asked());
      expect(report.counts).toEqual({ create: 0, update: 1, unchanged: 15, conflict: 0 });
      const [entry] = report.workflows;
      expect(entry).toMatchObject({ name: bench.name('parent-3'), action: 'update', backup: expect.any(String) });
      expect(entry?.changes?.join()).toContain('jsonOutput');
      const now = await target.workflows.get(entry?.target_id as string);
      expect(now.nodes[2]?.parameters.jsonOutput).toBe('={"changed":3}');
      expect(now.activeVersionId).not.toBe(now.versionId);
    });

    it('refuses to overwrite what somebody changed on the target, unless told to', async () => {
      const id = first.workflows.find(({ name }) => name === bench.name('parent-7'))?.target_id;
      const found = id ?? (await targetIdOf('parent-7'));
      await changeSet(target, found, '={"theirs":7}');
      await changeSet(source, (parents[7] as Workflow).id, '={"ours":7}');
      const before = await targetState();
      const blocked = await plan(asked());
      expect(blocked).toMatchObject({ state: 'blocked', counts: { conflict: 1 } });
      expect(blocked.plan).toBeUndefined();
      expect(blocked.workflows[0]).toMatchObject({ action: 'conflict', name: bench.name('parent-7') });
      expect(blocked.workflows[0]?.since?.join()).toContain('theirs');
      expect(await targetState()).toEqual(before);
      const forced = await promoted({ ...asked(), overwrite: true });
      expect(forced.counts).toMatchObject({ update: 1, conflict: 0 });
      expect((await target.workflows.get(found)).nodes[2]?.parameters.jsonOutput).toBe('={"ours":7}');
    });

    it('refuses a plan when the target or the source changed since, and says what', async () => {
      await changeSet(source, (parents[1] as Workflow).id, '={"v":1}');
      const id = await planned(asked());
      const mine = await targetIdOf('parent-1');
      await changeSet(target, mine, '={"in":"between"}');
      const before = await targetState();
      await expect(apply(id)).rejects.toThrow(/out of date.*"t\w+-parent-1" on production has changed/);
      expect(await targetState()).toEqual(before);
      await changeSet(target, mine, String((parents[1] as Workflow).nodes[2]?.parameters.jsonOutput));
      const other = await planned(asked());
      await changeSet(source, (parents[1] as Workflow).id, '={"v":2}');
      await expect(apply(other)).rejects.toThrow(/"t\w+-parent-1" on default has changed/);
      await expect(bench.call('n8n_promote', { apply: 'plan-none' })).rejects.toThrow(/No plan/);
    });

    it('undoes the last promotion, and marks it', async () => {
      const before = await targetState();
      const done = await promoted(asked());
      expect(done.counts.update).toBe(1);
      expect(await targetState()).not.toEqual(before);
      const undone = await bench.call<{ state: string; promotion: string }>('n8n_undo_promotion', { to: TO });
      expect(undone).toMatchObject({ state: 'undone', promotion: done.promotion });
      expect(await targetState()).toEqual(before);
      const { promotions } = await bench.call<{ promotions: { id: string; state: string }[] }>('n8n_list_promotions', {
        to: TO,
      });
      expect(promotions[0]).toMatchObject({ id: done.promotion, state: 'undone' });
      await expect(bench.call('n8n_undo_promotion', { id: done.promotion })).rejects.toThrow(/undone already/);
      // What was undone is no change by somebody else.
      expect(await plan(asked())).toMatchObject({ state: 'plan', counts: { update: 1, conflict: 0 } });
    });

    it('shows what differs between both instances', async () => {
      const compared = await bench.call<{
        counts: Record<string, number>;
        differences: { name: string; kind: string; state: string; changes?: string[] }[];
      }>('n8n_compare_instances', { from: FROM, to: TO, workflows: parents.map(({ id }) => id) });
      expect(compared.counts).toMatchObject({ only_from: 0, differs: 2, same: 14 });
      const changed = compared.differences.find(({ name }) => name === bench.name('parent-1'));
      expect(changed?.changes?.join()).toContain('jsonOutput');
      const quiet = compared.differences.find(({ name }) => name === bench.name('parent-3'));
      expect(quiet?.changes).toEqual(['live only on `to`']);
    });

    async function targetIdOf(name: string): Promise<string> {
      const { workflows } = await targetState();
      return workflows.find((one) => one.name === bench.name(name))?.id as string;
    }
  });

  describe('what is missing', () => {
    it('lists holes with how to fill them, and creates empty credentials if asked', async () => {
      const secret = await headerAuth(source, 'only-here');
      const one = await create(source, 'holes', line(hook(bench.name('holes')), request(secret)));
      const blocked = await plan({ workflows: [one.id] });
      expect(blocked).toMatchObject({ state: 'blocked', holes: [{ why: 'production does not have it' }] });
      expect(blocked.holes?.[0]?.fix).toContain('create_empty');
      const done = await promoted({ workflows: [one.name], credentials: 'create_empty' });
      expect(done.to_fill).toEqual([
        expect.objectContaining({ name: bench.name('only-here'), fields: expect.arrayContaining(['name', 'value']) }),
      ]);
      const made = await target.credentials.get(done.to_fill?.[0]?.id as string);
      expect(made).toMatchObject({ name: bench.name('only-here'), type: 'httpHeaderAuth' });
      await target.credentials.update(made.id, { data: { name: 'X', value: 'filled' } });
      await expect(bench.call('n8n_undo_promotion', { to: TO })).rejects.toThrow(/filled in/);
      await bench.call('n8n_undo_promotion', { to: TO, overwrite: true });
      const state = await targetState();
      expect(state.credentials).not.toContain(bench.name('only-here'));
      expect(state.workflows.map(({ name }) => name)).not.toContain(bench.name('holes'));
    });

    it('names every empty credential that is to be filled in', async () => {
      const secrets = await Promise.all(Array.from({ length: 20 }, (_, index) => headerAuth(source, `fill-${index}`)));
      const asking = secrets.map((secret, index) => ({ ...request(secret), name: `Ask ${index}` }));
      const one = await create(source, 'fills', line(called(), ...asking));
      const done = await promoted({ workflows: [one.id], credentials: 'create_empty' });
      const told = `${done.to_fill?.map(({ name }) => name).join()} ${done.more}`;
      for (const { name } of secrets) expect(told).toContain(name);
      expect(Buffer.byteLength(JSON.stringify({ content: JSON.stringify(done), done }))).toBeLessThan(8192);
    });

    it('asks which one if several have the name, and takes the mapping', async () => {
      const secret = await headerAuth(source, 'twin');
      await headerAuth(target, 'twin');
      const second = await headerAuth(target, 'twin');
      const one = await create(source, 'twins', line(hook(bench.name('twins')), request(secret)));
      const blocked = await plan({ workflows: [one.id] });
      expect(blocked.holes?.[0]?.why).toContain('2 of this name');
      await expect(plan({ workflows: [one.id], mapping: { credentials: { [secret.id]: 'nope' } } })).rejects.toThrow(
        /production\) does not have/,
      );
      const misspelt = await plan({
        workflows: [one.id],
        mapping: { credentials: { [`${secret.name}s`]: second.id } },
      });
      expect(misspelt.notes?.join()).toContain(`${secret.name}s", which n8n (default) does not have. Did you mean`);
      const done = await promoted({ workflows: [one.id], mapping: { credentials: { [secret.name]: second.id } } });
      const now = await target.workflows.get(done.workflows[0]?.target_id as string);
      expect(now.nodes[1]?.credentials?.httpHeaderAuth?.id).toBe(second.id);
      // The mapping is kept.
      const kept = await plan({ workflows: [one.id] });
      expect(kept.state).toBe('nothing to do');
      const mapping: object[] = [];
      let cursor: string | undefined;
      do {
        const asked = { from: FROM, to: TO, mapping: true, ...(cursor !== undefined && { cursor }) };
        const page = await bench.call<{ mapping: object[]; cursor?: string }>('n8n_list_promotions', asked);
        mapping.push(...page.mapping);
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(JSON.stringify(mapping)).toContain(second.id);
    });

    it('creates data tables without rows, leaves out unknown callers, and notes what only runs can tell', async () => {
      const table = (await source.http.ask('POST', '/api/v1/data-tables', {
        body: { name: bench.name('table'), columns: [{ name: 'city', type: 'string' }] },
      })) as { id: string };
      const rows = node('Rows', 'dataTable', 1, {
        resource: 'row',
        operation: 'get',
        dataTableId: { __rl: true, mode: 'id', value: table.id },
        matchType: 'anyCondition',
        filters: { conditions: [] },
      });
      const chosen = call('Chosen', '={{ $json.id }}');
      const one = await create(source, 'tables', line(called(), rows, chosen), {
        callerPolicy: 'workflowsFromAList',
        callerIds: 'nobody12345',
      });
      const done = await promoted({ workflows: [one.id] });
      expect(done.creates).toEqual({ data_tables: [bench.name('table')] });
      expect(done.notes?.join()).toMatch(/an expression in the node "Chosen"/);
      const made = (await Array.fromAsync(target.dataTables.all())).find(isOurs);
      expect(made?.columns).toEqual([expect.objectContaining({ name: 'city', type: 'string' })]);
      const now = await target.workflows.get(done.workflows[0]?.target_id as string);
      expect(now.nodes[1]?.parameters.dataTableId).toMatchObject({ value: made?.id });
      expect(now.settings?.callerIds).toBe('');
    });

    it('writes workflows that call each other in a circle', async () => {
      const one = await create(source, 'ring-1', line(called(), set('One', '({})')));
      const two = await create(source, 'ring-2', line(called(), call('Back', one.id)), { errorWorkflow: one.id });
      await source.workflows.update(one.id, { ...writable(one), ...line(called(), call('On', two.id)) }, false);
      await promoted({ workflows: [one.id] });
      const { workflows } = await targetState();
      const [first, second] = ['ring-1', 'ring-2'].map((name) =>
        workflows.find((each) => each.name === bench.name(name)),
      );
      const calls = (each: typeof first) => each?.nodes[1]?.parameters.workflowId;
      expect(calls(first)).toMatchObject({ value: second?.id });
      expect(calls(second)).toMatchObject({ value: first?.id });
      expect(second?.settings.errorWorkflow).toBe(first?.id);
      expect(await plan({ workflows: [one.id, two.id] })).toMatchObject({ state: 'nothing to do' });
    });

    it('refuses bad requests with what to do', async () => {
      await expect(plan({ workflows: ['x'], to: FROM })).rejects.toThrow(/must differ/);
      await expect(plan({ workflows: ['x'], to: 'moon' })).rejects.toThrow(/production/);
      await expect(plan({ workflows: ['x'], to: undefined })).rejects.toThrow(/There are: default, production/);
      await expect(plan({})).rejects.toThrow(/Say which workflows/);
      await expect(plan({ workflows: [bench.name('parent-99')] })).rejects.toThrow(/No workflow.*Did you mean/);
      const odd = await create(source, 'odd', line(hook(bench.name('odd')), node('Odd', 'n8n-nodes-base.nope', 1)));
      const report = await plan({ workflows: [odd.id] });
      expect(report.problems?.join()).toContain('does not have the node type n8n-nodes-base.nope');
    });
  });

  describe('others at work on the target', () => {
    /** Runs once, before the given write is passed on. */
    function beforeWrite(at: number, act: () => Promise<unknown>): void {
      proxy.heal();
      proxy.onWrite = async () => {
        if (proxy.writes() !== at) return;
        proxy.onWrite = undefined;
        await act();
      };
    }
    const jsonOf = (workflow: { nodes: Workflow['nodes'] }) => workflow.nodes[1]?.parameters.jsonOutput;
    const small = (name: string) => create(source, name, line(called(), set('Do', '({ v: 0 })')));
    const targetIds = (report: Report) => report.workflows.map(({ target_id: id }) => id as string);

    it('carries out a plan once, although two callers apply it at the same time', async () => {
      const one = await small('once');
      const id = await planned({ workflows: [one.id] });
      const outcomes = await Promise.allSettled([apply(id), apply(id)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { message: expect.stringMatching(/nothing was promoted.*Make a new plan/) },
      });
      expect((await targetState()).workflows.filter(({ name }) => name === one.name)).toHaveLength(1);
    });

    it('sees next time what somebody changed while a promotion was still at work', async () => {
      const [one, two] = [await small('early'), await small('late')];
      const asked = { workflows: [one.id, two.id] };
      const early = (await promoted(asked)).workflows.find(({ id }) => id === one.id)?.target_id as string;
      for (const { id } of [one, two]) await changeSet(source, id, '={"v":1}');
      const id = await planned(asked);
      beforeWrite(2, () => changeSet(target, early, '={"theirs":1}'));
      expect(await apply(id)).toMatchObject({ state: 'done', counts: { update: 2 } });
      expect(jsonOf(await target.workflows.get(early))).toBe('={"theirs":1}');
      const next = await plan(asked);
      expect(next).toMatchObject({ state: 'blocked', counts: { conflict: 1 } });
      expect(next.workflows[0]?.since?.join()).toContain('theirs');
    });

    it('publishes what it wrote, not what somebody saved since', async () => {
      const one = await small('publish');
      const id = await planned({ workflows: [one.id], publish: true });
      let made = '';
      beforeWrite(2, async () => {
        made = (await targetState()).workflows.find(({ name }) => name === one.name)?.id as string;
        await changeSet(target, made, '={"theirs":1}');
      });
      await apply(id);
      const now = await target.workflows.get(made);
      expect(jsonOf(now)).toBe('={"theirs":1}');
      const live = await target.workflows.version(made, now.activeVersionId as string);
      expect(jsonOf(live)).toBe(one.nodes[1]?.parameters.jsonOutput);
    });

    it('does not undo what somebody has tagged, published or taken down since, unless told to', async () => {
      const one = await small('hand');
      const [id] = targetIds(await promoted({ workflows: [one.id], publish: true })) as [string];
      const before = await target.workflows.get(id);
      await changeSet(source, one.id, '={"v":1}');
      await promoted({ workflows: [one.id] });
      const undo = (more: object = {}) => bench.call('n8n_undo_promotion', { to: TO, ...more });
      const tag = await target.tags.create(bench.name('theirs'));
      await target.workflows.setTags(id, [tag.id]);
      await expect(undo()).rejects.toThrow(/"t\w+-hand" has other tags/);
      await target.workflows.setTags(id, []);
      await target.workflows.publish(id);
      await expect(undo()).rejects.toThrow(/"t\w+-hand" was published/);
      await target.workflows.unpublish(id);
      await expect(undo()).rejects.toThrow(/"t\w+-hand" was taken down/);
      expect(await undo({ overwrite: true })).toMatchObject({ state: 'undone' });
      const after = await target.workflows.get(id);
      expect([jsonOf(after), after.activeVersionId]).toEqual([jsonOf(before), before.activeVersionId]);
    });

    it('undoes the last promotion only, however often it is called', async () => {
      const one = await small('again');
      const [id] = targetIds(await promoted({ workflows: [one.id] })) as [string];
      await changeSet(source, one.id, '={"v":1}');
      await promoted({ workflows: [one.id] });
      await bench.call('n8n_undo_promotion', { to: TO });
      await expect(bench.call('n8n_undo_promotion', { to: TO })).rejects.toThrow(
        /was undone already. To undo the one before, pass "id": "promotion-/,
      );
      expect(jsonOf(await target.workflows.get(id))).toBe(one.nodes[1]?.parameters.jsonOutput);
    });

    it('undoes nothing if the key may not undo everything', async () => {
      const secret = await headerAuth(source, 'weak');
      const one = await create(source, 'weak', line(called(), request(secret)));
      const done = await promoted({ to: WEAK, workflows: [one.id], credentials: 'create_empty' });
      expect(done.notes?.join()).toContain('lacks the scopes workflow:delete');
      const before = await targetState();
      await expect(bench.call('n8n_undo_promotion', { to: WEAK })).rejects.toThrow(/lacks the scope workflow:delete/);
      expect(await targetState()).toEqual(before);
    });

    it('backs up the rows of a data table before an undo deletes it', async () => {
      const name = bench.name('filled');
      const { id: table } = await source.dataTables.create({ name, columns: [{ name: 'city', type: 'string' }] });
      const rows = node('Rows', 'dataTable', 1, { dataTableId: { __rl: true, mode: 'id', value: table } });
      await promoted({ workflows: [(await create(source, 'filled', line(called(), rows))).id], validate: 'off' });
      const made = (await Array.fromAsync(target.dataTables.all())).find((one) => one.name === name);
      await target.dataTables.insert(made?.id as string, [{ city: 'Rome' }]);
      await expect(bench.call('n8n_undo_promotion', { to: TO })).rejects.toThrow(/has rows now.*credentials cannot/);
      await bench.call('n8n_undo_promotion', { to: TO, overwrite: true });
      expect((await targetState()).tables).not.toContain(name);
      const { found } = await bench.backups.list({ instance: TO }, 'table');
      const kept = await Promise.all(found.map(({ id }) => bench.backups.readTable(id)));
      const saved = kept.find((one) => one.table.name === name)?.rows();
      expect(await Array.fromAsync(saved ?? [])).toMatchObject([{ city: 'Rome' }]);
    });
  });

  describe('a failure in the middle', () => {
    let asked: object;
    let changed: Workflow;

    beforeAll(async () => {
      const secret = await headerAuth(source, 'flaky');
      const tag = await source.tags.create(bench.name('flaky'));
      changed = await create(source, 'fail-old', line(called(), set('Old', '({ v: 1 })')));
      await promoted({ workflows: [changed.id], publish: true });
      await changeSet(source, changed.id, '={"v":2}');
      const sub = await create(source, 'fail-sub', line(called(), set('Sub', '({})')));
      const body = line(hook(bench.name('fail')), call('Sub', sub.id), request(secret));
      const parent = await create(source, 'fail-parent', body);
      await source.workflows.setTags(parent.id, [tag.id]);
      await source.workflows.update(parent.id, { ...writable(parent), description: 'Fails' }, false);
      asked = { workflows: [parent.id, changed.id], credentials: 'create_empty', publish: true, validate: 'warn' };
    });

    const cases: [Spoil, number][] = [
      ['refuse', 1],
      ['refuse', 5],
      ['refuse', 6],
      ['refuse', 7],
      ['refuse', 9],
      ['cut', 4],
      ['lose', 1],
      ['lose', 2],
      ['lose', 3],
    ];

    it.each(cases)('takes everything back: %s, write %i', async (how, at) => {
      const before = await targetState();
      const id = await planned(asked);
      proxy.spoil(at, how);
      await expect(apply(id)).rejects.toThrow(
        /stopped at step \d+ of \d+ \(\w+.* "t\w+-.*"\): .*Everything it had done on production was taken back/s,
      );
      proxy.heal();
      expect(await targetState()).toEqual(before);
    });

    it('takes everything back if the target is changed in the middle', async () => {
      const old = (await targetState()).workflows.find(({ name }) => name === changed.name)?.id as string;
      const id = await planned(asked);
      const before = await targetState();
      let left = 1;
      proxy.onWrite = async () => {
        if (left-- === 1) await changeSet(bench.instances.get(TO), old, '={"foreign":1}').catch(() => {});
      };
      await expect(apply(id)).rejects.toThrow(/Somebody changed.*taken back/s);
      proxy.onWrite = undefined;
      const after = await targetState();
      expect(after.workflows.map(({ name }) => name)).toEqual(before.workflows.map(({ name }) => name));
      expect((await target.workflows.get(old)).nodes[1]?.parameters.jsonOutput).toBe('={"foreign":1}');
      await changeSet(target, old, String(changed.nodes[1]?.parameters.jsonOutput));
    });

    it('says what is left if the target is gone, and undoes it when it is back', async () => {
      const before = await targetState();
      const id = await planned(asked);
      proxy.spoil(4, 'gone');
      await expect(apply(id)).rejects.toThrow(/Not taken back on production.*n8n_undo_promotion/s);
      proxy.heal();
      expect(await plan(asked)).toMatchObject({ state: 'blocked', problems: [expect.stringContaining('half way')] });
      expect(await bench.call('n8n_undo_promotion', { to: TO })).toMatchObject({ state: 'undone' });
      expect(await targetState()).toEqual(before);
    });

    it('knows after a crash what was half done', async () => {
      const before = await targetState();
      const id = await planned(asked);
      proxy.heal();
      // The process dies before the eighth entry of its journal.
      const { putStep } = bench.promotions;
      let entries = 0;
      const died = new Promise<void>((die) => {
        Object.assign(bench.promotions, {
          putStep: (...args: Parameters<typeof putStep>) => {
            if (++entries < 8) return putStep(...args);
            die();
            return new Promise(() => {});
          },
        });
      });
      void apply(id);
      await died;
      expect(proxy.writes()).toBe(6);
      bench.restart();
      target = bench.instances.get(TO);
      expect(await targetState()).not.toEqual(before);
      expect(await plan(asked)).toMatchObject({ state: 'blocked', problems: [expect.stringContaining('half way')] });
      expect(await bench.call('n8n_undo_promotion', { to: TO })).toMatchObject({ state: 'undone' });
      expect(await targetState()).toEqual(before);
    });
  });
});
