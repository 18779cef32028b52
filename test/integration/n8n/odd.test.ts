/** Edge cases: odd names and ids, answers that look like n8n's own, keys with few scopes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { n8nTools } from '../../../src/n8n/own-source.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { openWorkbench, reachN8n, type Reached, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('edge cases', () => {
  let reached: Reached;
  let bench: Workbench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench(n8nTools, reached);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const runs = async (workflowId: string) =>
    (await bench.client.executions.page({ workflowId, limit: 50 })).items.length;

  test('a workflow that answers with its own 404 about a webhook is called once, and its answer is passed on', async () => {
    const path = bench.name('own-404');
    const reply = node('Reply', 'respondToWebhook', 1.4, {
      respondWith: 'json',
      responseBody: '{"message":"There is no such webhook subscription"}',
      options: { responseCode: 404 },
    });
    const { id } = await make(bench, 'own-404', line(hook(path, { responseMode: 'responseNode' }), reply));
    const answer = { status: 404, body: { message: 'There is no such webhook subscription' } };
    expect(await bench.call('n8n_trigger_webhook', { id, body: {} })).toMatchObject(answer);
    // n8n lists an execution shortly after it has sent the answer.
    await expect.poll(() => runs(id)).toBe(1);
    expect(await bench.call('n8n_execute_workflow', { id })).toMatchObject({ status: 'success', answer });
    await expect.poll(() => runs(id)).toBe(2);
  });

  test.each(['.', '..', '../tags', '%2e', '?limit=1', '#', '🙂'])('%j is an unknown id', async (id) => {
    const of = { id };
    await expect(bench.call('n8n_get_workflow', of)).rejects.toMatchObject({
      message: expect.stringContaining(`No workflow ${id} in n8n`) as string,
      data: { workflowId: id },
    });
    await expect(bench.call('n8n_delete_workflow', of)).rejects.toThrow(`No workflow ${id} in n8n`);
    await expect(bench.call('n8n_get_credential', of)).rejects.toThrow(`No credential ${id} in n8n`);
    await expect(bench.call('n8n_get_credential_schema', { type: id })).rejects.toThrow('no credential type');
  });

  test.each(['one\ntwo', '🙂'])('the header value %j is refused', async (value) => {
    const call = bench.call('n8n_trigger_webhook', { path: bench.name('any'), headers: { 'X-Odd': value } });
    await expect(call).rejects.toThrow('The value of the header X-Odd');
  });

  test('a node whose name would lose its connections is refused', async () => {
    const nodes = [{ name: '__proto__', type: 'n8n-nodes-base.noOp', typeVersion: 1 }];
    await expect(bench.call('n8n_create_workflow', { name: bench.name('proto'), nodes })).rejects.toThrow('__proto__');
    const { id } = await make(bench, 'proto', line(set('A', '{}')), { publish: false });
    const operations = [{ op: 'rename_node', node: 'A', to: '__proto__' }];
    await expect(bench.call('n8n_edit_workflow', { id, operations })).rejects.toThrow('__proto__');
  });

  test('names with quotes, slashes and emoji survive a rename, a deletion and a restore', async () => {
    const name = `"Quoted" 'one' \`tick\` / back\\slash 🙂 <b> % # ? é`;
    const body = line(
      node(name, 'manualTrigger', 1),
      set('Answer', `{ got: $(${JSON.stringify(name)}).first().json.q }`),
    );
    const { id } = await make(bench, name, body, { publish: false });
    await bench.call('n8n_edit_workflow', { id, operations: [{ op: 'rename_node', node: name, to: `${name}2` }] });
    const run = () => bench.call('n8n_execute_workflow', { id, data: { q: 1 } });
    expect(await run()).toMatchObject({ status: 'success', trigger: `${name}2`, data: [{ got: 1 }] });
    await bench.call('n8n_delete_workflow', { id });
    expect(await bench.call('n8n_restore_workflow', { workflow: id })).toMatchObject({ restored: 'brought back' });
    expect(await run()).toMatchObject({ status: 'success', data: [{ got: 1 }] });
  });

  test('twenty concurrent edits are all saved', async () => {
    const { id } = await make(bench, 'crowd', line(set('A', '{}')), { publish: false });
    const add = (_: unknown, index: number) =>
      bench.call('n8n_edit_workflow', {
        id,
        operations: [{ op: 'add_node', node: { name: `N${index}`, type: 'n8n-nodes-base.noOp', typeVersion: 1 } }],
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect((await bench.client.workflows.get(id)).nodes).toHaveLength(21);
  });

  describe('a key with few scopes', () => {
    test.each([
      ['n8n_update_workflow', { name: 'other' }, 'workflow:update'],
      ['n8n_edit_workflow', { operations: [{ op: 'set_name', name: 'other' }] }, 'workflow:update'],
      ['n8n_delete_workflow', {}, 'workflow:delete'],
      ['n8n_archive_workflow', {}, 'workflow:delete'],
    ])('%s names the missing scope', async (tool, args, scope) => {
      const { id } = await make(bench, 'kept', line(set('A', '{}')), { publish: false });
      await using key = await limitedKey(reached, ['workflow:list', 'workflow:read']);
      const few = await openWorkbench(n8nTools, { ...reached, apiKey: key.apiKey }, {}, bench);
      await expect(few.call(tool, { id, ...args })).rejects.toThrow(`lacks the scope ${scope}`);
      expect((await bench.client.workflows.get(id)).name).toBe(bench.name('kept'));
    });

    test('gets a partial overview that names the missing scopes', async () => {
      await using key = await limitedKey(reached, ['workflow:list', 'workflow:read']);
      const few = await openWorkbench(n8nTools, { ...reached, apiKey: key.apiKey }, {}, bench);
      const seen = await few.call<{ notes: string[] }>('n8n_get_overview');
      expect(seen).toMatchObject({ workflows: { total: expect.any(Number) as number } });
      expect(seen).not.toHaveProperty('executions');
      expect(seen.notes.join('\n')).toMatch(/execution:list[^]*credential:list/);
      await using other = await limitedKey(reached, ['tag:list']);
      const none = await openWorkbench(n8nTools, { ...reached, apiKey: other.apiKey }, {}, bench);
      await expect(none.call('n8n_get_overview')).rejects.toThrow('lacks the scope workflow:list');
    });

    test('is told that a run has begun, even if it may not read executions', async () => {
      const { id } = await make(bench, 'begun', line(node('Start', 'manualTrigger', 1)), { publish: false });
      await using key = await limitedKey(reached, ['workflow:list', 'workflow:read']);
      const few = await openWorkbench(n8nTools, { ...reached, apiKey: key.apiKey }, {}, bench);
      for (const tool of ['n8n_test_workflow', 'n8n_execute_workflow']) {
        await expect(few.call(tool, { id })).rejects.toThrow(/Execution \d+ has started.* execution:read/);
      }
    });
  });
});
