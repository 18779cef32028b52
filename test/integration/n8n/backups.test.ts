import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { backupTools } from '../../../src/n8n/backups/tools.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { writable } from '../../../src/n8n/workflows/body.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Kept {
  backups: { workflow: string; backup: string; unchanged?: boolean }[];
}

interface Restored {
  restored: string;
  workflow: { id: string; name: string; active: boolean };
  backup?: string;
  changes?: string[];
  notes?: string[];
  missing_credentials?: string[];
}

describe.skipIf(n8nIsMissing)('the tools for backups, on a real n8n', () => {
  let bench: Workbench;
  let reached: Reached;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...backupTools, ...workflowTools], reached);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  /** A workflow with everything that a save could lose. */
  async function richWorkflow(name: string): Promise<Workflow> {
    const made = await bench.client.workflows.create({
      name: bench.name(name),
      description: 'What it is for',
      nodes: [
        {
          id: 'hook',
          name: 'Hook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [40, 60],
          parameters: { path: bench.name(name), httpMethod: 'GET', responseMode: 'lastNode' },
          webhookId: '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f',
          notes: 'Called by the shop',
          notesInFlow: true,
        },
        {
          id: 'set',
          name: 'Set',
          type: 'n8n-nodes-base.set',
          typeVersion: 3.4,
          position: [300, 60],
          parameters: { assignments: { assignments: [{ id: 'a', name: 'answer', value: 'first', type: 'string' }] } },
          retryOnFail: true,
          maxTries: 4,
        },
      ],
      connections: { Hook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
      settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' },
      pinData: { Hook: [{ json: { shop: 7 } }] },
      staticData: { seen: 3 },
    });
    const tag = await bench.client.tags.create(bench.name(name).slice(0, 24));
    await bench.client.workflows.setTags(made.id, [tag.id]);
    return bench.client.workflows.get(made.id);
  }

  /** What a backup must restore: everything but times, versions and counters. */
  function essence(workflow: Workflow) {
    const { name, description, nodes, connections, settings, pinData, tags } = workflow;
    const names = (tags ?? []).map((tag) => tag.name);
    return { name, description, nodes, connections, settings, pinData, tags: names };
  }

  const answerOf = (value: string) => ({
    op: 'set_parameter',
    node: 'Set',
    path: 'assignments.assignments[0].value',
    value,
  });

  async function backUp(id: string): Promise<string> {
    const { backups } = await bench.call<Kept>('n8n_backup_workflow', { id });
    return backups[0]?.backup as string;
  }

  async function answer(name: string): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(`${bench.url}/webhook/${bench.name(name)}`);
      // n8n reports the workflow as published before the webhook answers.
      if (response.ok || attempt === 150) return response.ok ? response.json() : response.status;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  it('stores a copy, and no second copy of the same state', async () => {
    const { id, name } = await richWorkflow('keep');
    const backup = await backUp(id);
    expect(await bench.call('n8n_backup_workflow', { id: [id] })).toEqual({
      backups: [{ workflow: id, name, backup, unchanged: true }],
    });
    const { backups } = await bench.call<{ backups: unknown[] }>('n8n_list_backups', { workflow: id });
    expect(backups).toEqual([expect.objectContaining({ id: backup, workflow: id, name, reason: 'asked', nodes: 2 })]);
  });

  it('restores in place, keeping the id, and backs up what was there', async () => {
    const before = await richWorkflow('place');
    const backup = await backUp(before.id);
    await bench.call('n8n_edit_workflow', {
      id: before.id,
      operations: [
        answerOf('second'),
        { op: 'rename_node', node: 'Hook', to: 'Door' },
        { op: 'set_settings', settings: { executionTimeout: 60, timezone: 'Europe/Rome' } },
        { op: 'set_tags', tags: [] },
        { op: 'pin_data', node: 'Door', items: null },
      ],
    });
    const diff = await bench.call<{ changes: string[]; same: boolean }>('n8n_diff_versions', { before: backup });
    expect(diff.same).toBe(false);
    expect(diff.changes.join('\n')).toMatch(/"Hook" is now called "Door"/);
    const done = await bench.call<Restored>('n8n_restore_workflow', { backup });
    expect(done).toMatchObject({ restored: 'in place', workflow: { id: before.id } });
    expect(done.notes).toBeUndefined();
    expect(essence(await bench.client.workflows.get(before.id))).toEqual(essence(before));
    expect(await bench.call('n8n_diff_versions', { before: backup })).toMatchObject({ same: true, changes: [] });
    // The restore can be undone too.
    await bench.call('n8n_restore_workflow', { backup: done.backup });
    expect((await bench.client.workflows.get(before.id)).nodes.map((node) => node.name)).toContain('Door');
  });

  it('undoes the last change when only the workflow is named', async () => {
    const before = await richWorkflow('undo');
    await bench.call('n8n_edit_workflow', { id: before.id, operations: [answerOf('second')] });
    await bench.call('n8n_restore_workflow', { workflow: before.id });
    expect(essence(await bench.client.workflows.get(before.id))).toEqual(essence(before));
  });

  it('restores a deleted workflow under its id, published as before, with its draft', async () => {
    const { id } = await richWorkflow('deleted');
    await bench.call('n8n_publish_workflow', { id });
    await bench.call('n8n_edit_workflow', { id, operations: [answerOf('drafted')] });
    const before = await bench.client.workflows.get(id);
    const { deleted } = await bench.call<{ deleted: { backup: string }[] }>('n8n_delete_workflow', { id });
    await expect(bench.client.workflows.get(id)).rejects.toThrow(/not found/i);
    const [last] = deleted;
    const restored = await bench.call<Restored>('n8n_restore_workflow', { backup: last?.backup, publish: true });
    expect(restored).toMatchObject({ restored: 'brought back', workflow: { id, active: true } });
    const after = await bench.client.workflows.get(id);
    expect(essence(after)).toEqual(essence(before));
    expect(after.staticData).toEqual({ seen: 3 });
    expect(after.activeVersionId).not.toBe(after.versionId);
    expect(await answer('deleted')).toEqual({ answer: 'first' });
  });

  it('publishes only on request, and says how', async () => {
    const { id } = await richWorkflow('quiet');
    await bench.call('n8n_publish_workflow', { id });
    const backup = await backUp(id);
    await bench.call('n8n_edit_workflow', { id, operations: [answerOf('second')], publish: true });
    const done = await bench.call<Restored>('n8n_restore_workflow', { backup });
    expect(done.notes?.join()).toContain('n8n_publish_workflow');
    expect(await answer('quiet')).toEqual({ answer: 'second' });
    await bench.call('n8n_delete_workflow', { id });
    const back = await bench.call<Restored>('n8n_restore_workflow', { backup });
    expect(back).toMatchObject({ restored: 'brought back', workflow: { active: false } });
    expect(back.notes?.join()).toContain('It was live');
  });

  it('restores over an archived workflow', async () => {
    const before = await richWorkflow('archived');
    const backup = await backUp(before.id);
    await bench.call('n8n_edit_workflow', { id: before.id, operations: [answerOf('second')] });
    await bench.call('n8n_archive_workflow', { id: before.id });
    await bench.call('n8n_restore_workflow', { backup });
    const after = await bench.client.workflows.get(before.id);
    expect(after.isArchived).toBe(false);
    expect(essence(after)).toEqual(essence(before));
  });

  it('restores as a copy with its own addresses, so that both can be live', async () => {
    const before = await richWorkflow('copy');
    const name = bench.name('copy');
    const trigger = (kind: string, type: string, typeVersion: number, parameters: Record<string, unknown>) => ({
      id: `${kind}-id`,
      name: kind,
      type,
      typeVersion,
      position: [0, 300] as [number, number],
      parameters,
      webhookId: crypto.randomUUID(),
    });
    const more = [
      trigger('Param', 'n8n-nodes-base.webhook', 2, { path: `${name}/:id`, responseMode: 'lastNode', options: {} }),
      trigger('Form', 'n8n-nodes-base.formTrigger', 2.2, {
        formTitle: 'T',
        formFields: { values: [{ fieldLabel: 'Name' }] },
        options: { path: `${name}-form` },
      }),
      trigger('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.1, { public: true, options: {} }),
    ];
    const link = [[{ node: 'Set', type: 'main', index: 0 }]];
    const connections = { ...before.connections, Param: { main: link }, Form: { main: link }, Chat: { main: link } };
    const body = writable({ ...before, nodes: [...before.nodes, ...more], connections });
    await bench.client.workflows.update(before.id, body, false);
    await bench.call('n8n_publish_workflow', { id: before.id });
    const live = await bench.client.workflows.get(before.id);
    const backup = await backUp(before.id);
    const done = await bench.call<Restored & { addresses: { node: string; url: string; method?: string }[] }>(
      'n8n_restore_workflow',
      { backup, copy: true, publish: true },
    );
    expect(done).toMatchObject({ restored: 'copy', workflow: { name: `${before.name} (restored)`, active: true } });
    expect(done.workflow.id).not.toBe(before.id);
    const copy = await bench.client.workflows.get(done.workflow.id);
    for (const { name: node, webhookId } of live.nodes.filter((one) => one.webhookId !== undefined)) {
      expect(copy.nodes.find((one) => one.name === node)?.webhookId).not.toBe(webhookId);
    }
    expect(essence(copy).tags).toEqual(essence(before).tags);
    expect(copy.pinData).toEqual(before.pinData);
    expect(essence(await bench.client.workflows.get(before.id))).toEqual(essence(live));

    expect(done.addresses.map(({ node, method }) => [node, method])).toEqual([
      ['Hook', 'GET'],
      ['Param', 'GET'],
      ['Form', undefined],
      ['Chat', undefined],
    ]);
    const url = (node: string) => done.addresses.find((one) => one.node === node)?.url ?? '';
    expect(await answer('copy')).toMatchObject({ answer: 'first' });
    for (const at of [url('Hook'), url('Param').replace(':id', '7')]) {
      await vi.waitFor(async () => expect(await (await fetch(at)).json()).toMatchObject({ answer: 'first' }), 20_000);
    }
    expect((await fetch(url('Form'))).status).toBe(200);
    const chat = await fetch(url('Chat'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'sendMessage', sessionId: 's', chatInput: 'hello' }),
    });
    expect(chat.status).toBe(200);
    const ran = async (id: string) => (await bench.client.executions.page({ workflowId: id, limit: 20 })).items.length;
    // Each workflow ran only for calls to its own addresses.
    await vi.waitFor(async () => expect(await ran(copy.id)).toBe(3), 20_000);
    expect(await ran(before.id)).toBe(1);
  });

  it('names credentials that no longer exist', async () => {
    const credential = await bench.client.credentials.create({
      name: bench.name('gone'),
      type: 'httpHeaderAuth',
      data: { name: 'a', value: 'b' },
    });
    const { id } = await bench.client.workflows.create({
      name: bench.name('gone'),
      nodes: [
        {
          id: 'ask',
          name: 'Ask',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4.2,
          position: [0, 0],
          parameters: { url: 'http://127.0.0.1:9' },
          credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } },
        },
      ],
      connections: {},
      settings: {},
    });
    const backup = await backUp(id);
    await bench.client.credentials.delete(credential.id);
    await bench.call('n8n_delete_workflow', { id });
    const done = await bench.call<Restored>('n8n_restore_workflow', { backup });
    expect(done.workflow.id).toBe(id);
    expect(done.missing_credentials).toEqual([expect.stringContaining(credential.id)]);
    const [node] = (await bench.client.workflows.get(id)).nodes;
    expect(node?.credentials?.httpHeaderAuth?.id).toBe(credential.id);
  });

  it('changes nothing when the current state cannot be backed up', async () => {
    const { id } = await richWorkflow('full');
    const backup = await backUp(id);
    await bench.call('n8n_edit_workflow', { id, operations: [answerOf('second')] });
    const before = await bench.client.workflows.get(id);
    bench.failing = true;
    try {
      await expect(bench.call('n8n_restore_workflow', { backup })).rejects.toThrow(/disk is full/);
    } finally {
      bench.failing = false;
    }
    expect((await bench.client.workflows.get(id)).versionId).toBe(before.versionId);
  });

  it('backs up a whole instance: workflows, tags, data tables and a list of credentials', async () => {
    const before = await richWorkflow('whole');
    const table = (await bench.client.http.ask('POST', '/api/v1/data-tables', {
      body: { name: bench.name('table'), columns: [{ name: 'city', type: 'string' }] },
    })) as { id: string };
    const credential = await bench.client.credentials.create({
      name: bench.name('stub'),
      type: 'httpHeaderAuth',
      data: { name: 'a', value: 'never-in-a-backup' },
    });
    try {
      await bench.client.http.ask('POST', `/api/v1/data-tables/${table.id}/rows`, {
        body: { data: [{ city: 'Rome' }, { city: 'Oslo' }], returnType: 'count' },
      });
      const done = await bench.call<{ backup: string; workflows: number; rows: number }>('n8n_backup_instance');
      expect(done.workflows).toBeGreaterThan(0);
      expect(done.rows).toBeGreaterThanOrEqual(2);
      expect(await bench.call('n8n_list_backups', { whole: true })).toMatchObject({ whole: [{ id: done.backup }] });
      const text = await readFile(`${bench.directory}/${done.backup}.json`, 'utf8');
      expect(text).not.toContain('never-in-a-backup');
      const content = JSON.parse(text) as { credentials: unknown[]; dataTables: unknown[]; tags: unknown[] };
      expect(content.credentials).toContainEqual({ id: credential.id, name: credential.name, type: 'httpHeaderAuth' });
      expect(content.dataTables).toContainEqual({
        table: expect.objectContaining({ id: table.id }),
        rows: [expect.objectContaining({ city: 'Rome' }), expect.objectContaining({ city: 'Oslo' })],
      });
      expect(content.tags).toContainEqual(expect.objectContaining({ name: bench.name('whole').slice(0, 24) }));
      // Each workflow of the instance backup can be restored by itself.
      await bench.call('n8n_delete_workflow', { id: before.id });
      await expect(bench.call('n8n_restore_workflow', { backup: done.backup })).rejects.toThrow(/which workflow/);
      await bench.call('n8n_restore_workflow', { backup: done.backup, workflow: before.id });
      expect(essence(await bench.client.workflows.get(before.id))).toEqual(essence(before));
    } finally {
      await bench.client.http.ask('DELETE', `/api/v1/data-tables/${table.id}`);
      await bench.client.credentials.delete(credential.id);
    }
  });

  it('finds the backups of a deleted workflow by its name', async () => {
    const { id } = await richWorkflow('forgotten');
    await bench.call('n8n_delete_workflow', { id });
    const { backups } = await bench.call<{ backups: unknown[] }>('n8n_list_backups', { name: 'FORGOTTEN' });
    expect(backups).toEqual([expect.objectContaining({ workflow: id, reason: 'delete' })]);
    const newest = backups[0] as { id: string };
    await expect(bench.call('n8n_diff_versions', { before: newest.id })).rejects.toThrow(/no longer exists/);
  });

  it('prunes all but the newest; a dry run says how many would go', async () => {
    const { id } = await richWorkflow('prune');
    for (const value of ['1', '2', '3']) {
      await bench.call('n8n_edit_workflow', { id, operations: [answerOf(value)] });
    }
    const dry = await bench.call('n8n_prune_backups', { workflow: id, keep: 1, dry_run: true });
    expect(dry).toMatchObject({ deleted: 0, would_go: 1, kept: 3 });
    expect(await bench.call('n8n_prune_backups', { workflow: id, keep: 1 })).toMatchObject({ deleted: 1, kept: 2 });
    const rest = await bench.call('n8n_prune_backups', { workflow: id, keep: 1, all: true });
    expect(rest).toMatchObject({ deleted: 1, kept: 1 });
    expect(await readdir(`${bench.directory}/default/${id}`)).toHaveLength(1);
  });

  it('keeps requested backups and the first of the day, however many changes follow', async () => {
    const { id, name } = await richWorkflow('many');
    await bench.call('n8n_edit_workflow', { id, operations: [answerOf('asked')] });
    const asked = await backUp(id);
    for (let round = 1; round <= 12; round++)
      await bench.call('n8n_edit_workflow', { id, operations: [answerOf(`round ${round}`)] });
    const { backups } = await bench.call<{ backups: { id: string; why: string; reason: string }[] }>(
      'n8n_list_backups',
      { workflow: id, limit: 50 },
    );
    expect(backups.filter(({ why }) => why === 'automatic')).toHaveLength(10);
    expect(backups.filter(({ why }) => why === 'asked for')).toMatchObject([{ id: asked, reason: 'asked', name }]);
    const first = backups.filter(({ why }) => why === 'first of the day');
    expect(first).toMatchObject([{ reason: 'edit' }]);
    const restored = await bench.call<Restored>('n8n_restore_workflow', { backup: first[0]?.id });
    expect(restored.changes?.join()).toContain('"first"');
    await bench.call('n8n_restore_workflow', { backup: asked });
    expect(JSON.stringify((await bench.client.workflows.get(id)).nodes)).toContain('"asked"');
  });

  it('says what is wrong with a backup id', async () => {
    await expect(bench.call('n8n_restore_workflow', { backup: '../../etc/passwd' })).rejects.toThrow(/not a backup id/);
    const stem = '20200101T000000000Z-asked-abcdef';
    await expect(bench.call('n8n_restore_workflow', { backup: `default/x/${stem}` })).rejects.toThrow(/No backup/);
    await expect(bench.call('n8n_restore_workflow')).rejects.toThrow(/Say which/);
    await expect(bench.call('n8n_list_backups', { workflow: 'never' })).rejects.toThrow(/No backup of workflow/);
  });

  it.skipIf(process.env.N8N_TEST_URL !== undefined && process.env.N8N_TEST_EMAIL === undefined)(
    'creates a new workflow if the key may not restore one under its id',
    async () => {
      const before = await richWorkflow('new id');
      const backup = await backUp(before.id);
      await bench.call('n8n_delete_workflow', { id: before.id });
      const scopes = ['workflow:list', 'workflow:read', 'workflow:create', 'workflow:update', 'tag:list'];
      await using key = await limitedKey(reached, [...scopes, 'workflowTags:list', 'workflowTags:update']);
      const few = await openWorkbench(backupTools, { url: reached.url, apiKey: key.apiKey }, {}, bench);
      const done = await few.call<Restored>('n8n_restore_workflow', { backup });
      expect(done.restored).toBe('copy');
      expect(done.notes?.join()).toContain(before.id);
      expect(essence(await bench.client.workflows.get(done.workflow.id))).toEqual(essence(before));
    },
  );
});
