import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { tagTools } from '../../../src/n8n/tags/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { answering } from './fixtures.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Summary {
  id: string;
  name: string;
  active: boolean;
  draft?: boolean;
  version: string;
  tags?: string[];
}
interface Outcome {
  workflow: Summary;
  changes: string[];
  backup?: string;
  publication?: { published: boolean; live?: boolean; note?: string };
  warnings?: string[];
  note?: string;
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('workflows', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench([...workflowTools, ...tagTools]);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const webhook = async (path: string) => (await fetch(`${bench.url}/webhook/${path}`)).json() as Promise<Json>;

  async function make(name: string, more: Json = {}): Promise<Summary> {
    const full = bench.name(name);
    const made = await bench.call<{ workflow: Summary }>('n8n_create_workflow', {
      name: full,
      ...answering(full),
      ...more,
    });
    return made.workflow;
  }

  const read = (id: string): Promise<Workflow> => bench.client.workflows.get(id);

  const edit = async (id: string, operations: Json[], more: Json = {}): Promise<Outcome> => {
    const { edited } = await bench.call<{ edited: Outcome[] }>('n8n_edit_workflow', { id, operations, ...more });
    return edited[0] as Outcome;
  };

  describe('creating', () => {
    test('a workflow makes a draft with everything it was given', async () => {
      const made = await make('made', {
        description: 'why',
        settings: { timezone: 'UTC' },
        pin_data: { Answer: [{ json: { pinned: 1 } }] },
        tags: [bench.name('fresh')],
        create_tags: true,
      });
      expect(made).toMatchObject({ active: false, nodes: 2, tags: [bench.name('fresh')] });
      expect(await read(made.id)).toMatchObject({
        description: 'why',
        settings: { timezone: 'UTC', executionOrder: 'v1' },
        pinData: { Answer: [{ json: { pinned: 1 } }] },
        nodes: answering(bench.name('made')).nodes,
      });
    });

    test('a published workflow answers as soon as the call returns', async () => {
      const name = bench.name('live');
      const { publication } = await bench.call<Outcome>('n8n_create_workflow', {
        name,
        ...answering(name, 'here'),
        publish: true,
      });
      expect(publication).toEqual({ published: true, live: true });
      expect(await webhook(name)).toEqual({ value: 'here' });
    });

    test('a workflow that n8n refuses to publish becomes a draft, with the reason', async () => {
      const name = bench.name('unpublishable');
      const made = await bench.call<Outcome>('n8n_create_workflow', {
        name,
        nodes: [{ name: 'Only', type: 'n8n-nodes-base.set', typeVersion: 3.4 }],
        publish: true,
        // The test is about n8n's own refusal.
        validate: 'off',
      });
      expect(made.publication).toMatchObject({ published: false, note: expect.stringMatching(/trigger/i) as string });
      expect((await read(made.workflow.id)).active).toBe(false);
    });

    test('a copy gets its own ids and address, so that both can be live', async () => {
      const tags = { tags: [bench.name('copied')], create_tags: true };
      const original = await make('original', { ...tags, publish: true });
      const { workflow, warnings, addresses } = await bench.call<
        Outcome & { addresses: { node: string; url: string; method: string }[] }
      >('n8n_duplicate_workflow', { id: original.id, name: bench.name('copy') });
      expect(warnings).toBeUndefined();
      const [a, b] = [await read(original.id), await read(workflow.id)];
      expect(b.tags?.map((tag) => tag.name)).toEqual([bench.name('copied')]);
      const told = ({ nodes }: Workflow) =>
        nodes.map(({ name, parameters: { path: _, ...parameters }, notes }) => ({ name, parameters, notes }));
      expect(told(b)).toEqual(told(a));
      await bench.call('n8n_publish_workflow', { id: workflow.id });
      expect(addresses).toHaveLength(1);
      const url = addresses[0]?.url ?? '';
      expect(url).not.toBe(`${bench.url}/webhook/${bench.name('original')}`);
      expect(await (await fetch(url)).json()).toEqual(await webhook(bench.name('original')));
      expect(b.connections).toEqual(a.connections);
      expect(b.nodes.map(({ id }) => id)).not.toEqual(a.nodes.map(({ id }) => id));
      expect(b.nodes[0]?.webhookId).not.toBe(a.nodes[0]?.webhookId);
    });
  });

  describe('reading', () => {
    test('lists by name, state, tag and archived, page by page', async () => {
      const ids: string[] = [];
      for (const letter of ['a', 'b', 'c']) {
        ids.push((await make(`list ${letter}`, { tags: [bench.name('listed')], create_tags: true })).id);
      }
      const list = (args: Json) =>
        bench.call<{ workflows: Summary[]; cursor?: string }>('n8n_list_workflows', {
          name: bench.name('LIST'),
          ...args,
        });
      const first = await list({ limit: 2 });
      expect(first.workflows).toHaveLength(2);
      const second = await list({ limit: 2, cursor: first.cursor });
      expect(second).not.toHaveProperty('cursor');
      expect([...first.workflows, ...second.workflows].map(({ id }) => id).sort()).toEqual(ids.sort());
      expect((await list({ tags: [bench.name('listed')] })).workflows).toHaveLength(3);
      expect((await list({ active: true })).workflows).toEqual([]);
      expect((await list({ archived: true })).workflows).toEqual([]);
      await expect(list({ active: false, cursor: first.cursor })).rejects.toThrow(/other filters/);
      await expect(bench.call('n8n_list_tags', { cursor: first.cursor })).rejects.toThrow(
        /does not belong to n8n_list_tags/,
      );
    });

    test('shows the structure, one node, or everything', async () => {
      const { id, version } = await make('read', { pin_data: { Answer: [{ json: { a: 1 } }] } });
      expect(await bench.call('n8n_get_workflow', { id })).toMatchObject({
        workflow: { id, version },
        nodes: [
          { name: 'In', type: 'n8n-nodes-base.webhook', to: ['Answer'] },
          { name: 'Answer', type: 'n8n-nodes-base.set', pinned: true },
        ],
      });
      expect(await bench.call('n8n_get_workflow', { id, node: 'In' })).toMatchObject({
        node: { notes: 'the door', parameters: { path: bench.name('read') } },
        connections: ['In -> Answer'],
      });
      expect(await bench.call('n8n_get_workflow', { id, detail: 'full' })).toMatchObject({
        full: { nodes: answering(bench.name('read')).nodes },
      });
      await expect(bench.call('n8n_get_workflow', { id, node: 'Answr' })).rejects.toThrow(/Did you mean "Answer"/);
    });

    test('shortens a large one, and says how to read on', async () => {
      const nodes = Array.from({ length: 300 }, (_, index) => ({
        name: `Step number ${index}`,
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        parameters: { mode: 'raw', jsonOutput: JSON.stringify({ text: 'x'.repeat(2000) }) },
      }));
      const { id } = await make('large', { nodes, connections: {} });
      const names = new Set<string>();
      for (let from = 0, more = true; more; ) {
        const part = await bench.call<{ nodes: { name: string }[]; more?: string }>('n8n_get_workflow', { id, from });
        expect(JSON.stringify(part).length).toBeLessThan(4096);
        for (const { name } of part.nodes) names.add(name);
        more = part.more !== undefined;
        from = names.size;
      }
      expect(names.size).toBe(300);
      const full = await bench.call<{ full?: Json; more?: string }>('n8n_get_workflow', { id, detail: 'full' });
      expect(full.full).toBeUndefined();
      expect(full.more).toMatch(/more than max_bytes \(200000\)/);
      expect(await bench.call('n8n_get_workflow', { id, detail: 'full', max_bytes: 5_000_000 })).toHaveProperty('full');
    });
  });

  describe('editing', () => {
    test('applies many operations at once, and says what changed', async () => {
      const { id, version } = await make('edited');
      const outcome = await edit(
        id,
        [
          { op: 'rename_node', node: 'Answer', to: 'Reply' },
          { op: 'set_parameter', node: 'Reply', path: 'jsonOutput', value: '{"value":2}' },
          { op: 'add_node', node: { name: 'Mid', type: 'n8n-nodes-base.noOp', typeVersion: 1 }, after: 'In' },
          { op: 'disconnect', from: 'In', to: 'Reply' },
          { op: 'connect', from: 'Mid', to: 'Reply' },
          { op: 'move_node', node: 'In', position: [0, 0] },
          { op: 'set_settings', settings: { timezone: 'Europe/Berlin' } },
          { op: 'set_description', description: 'new' },
          { op: 'add_tags', tags: [bench.name('edit')], create: true },
        ],
        { expected_version: version },
      );
      expect(outcome.changes).toEqual([
        '~ description set to "new"',
        '~ settings.timezone set to "Europe/Berlin"',
        '+ node "Mid" (n8n-nodes-base.noOp)',
        '~ node "In" moved from [100, 200] to [0, 0]',
        '~ node "Answer" is now called "Reply"',
        '~ node "Reply": parameters.jsonOutput: "{\\"value\\":1}" -> "{\\"value\\":2}"',
        '+ connection In -> Mid',
        '+ connection Mid -> Reply',
        '- connection In -> Reply',
        `+ tag "${bench.name('edit')}"`,
      ]);
      expect(outcome.backup).toBeDefined();
      expect((await bench.backups.read(outcome.backup as string)).content.versionId).toBe(version);
      expect(await read(id)).toMatchObject({
        tags: [{ name: bench.name('edit') }],
        connections: { In: { main: [[{ node: 'Mid' }]] }, Mid: { main: [[{ node: 'Reply' }]] } },
      });
    });

    test('leaves credentials, pinned and static data, ids, notes and settings as they are', async () => {
      const { id } = await make('kept', { pin_data: { Answer: [{ json: { a: 1 } }] }, settings: { timezone: 'UTC' } });
      const credential = await bench.client.credentials.create({
        name: bench.name('key'),
        type: 'httpHeaderAuth',
        data: { name: 'X-Key', value: 'secret' },
      });
      try {
        await edit(id, [{ op: 'set_credential', node: 'In', type: 'httpHeaderAuth', id: credential.id }]);
        const before = await read(id);
        expect(before.nodes[0]?.credentials).toEqual({
          httpHeaderAuth: { id: credential.id, name: bench.name('key') },
        });
        await bench.client.http.ask('PUT', `/api/v1/workflows/${id}`, {
          body: {
            name: before.name,
            nodes: before.nodes,
            connections: before.connections,
            settings: {},
            staticData: { seen: 7 },
          },
        });
        await edit(id, [{ op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{}' }]);
        await bench.call('n8n_update_workflow', {
          id,
          nodes: [
            { name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
            {
              name: 'Answer',
              type: 'n8n-nodes-base.set',
              typeVersion: 3.4,
              parameters: { mode: 'raw', jsonOutput: '[]' },
            },
          ],
        });
        const after = await read(id);
        expect(after.nodes).toEqual([
          before.nodes[0],
          { ...before.nodes[1], parameters: { mode: 'raw', jsonOutput: '[]' } },
        ]);
        expect(after).toMatchObject({
          pinData: before.pinData,
          settings: before.settings,
          staticData: { seen: 7 },
          connections: before.connections,
        });
      } finally {
        await bench.client.credentials.delete(credential.id);
      }
    });

    test('of a live workflow stays a draft until it is published', async () => {
      const { id } = await make('drafted', { publish: true });
      const path = bench.name('drafted');
      const change = { op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{"value":"new"}' };
      const draft = await edit(id, [change]);
      expect(draft.workflow).toMatchObject({ active: true, draft: true });
      expect(draft.note).toMatch(/draft/);
      expect(await webhook(path)).toEqual({ value: 1 });
      expect(await bench.call('n8n_diff_versions', { id })).toMatchObject({
        before: 'published',
        after: 'draft',
        changes: ['~ node "Answer": parameters.jsonOutput: "{\\"value\\":1}" -> "{\\"value\\":\\"new\\"}"'],
      });
      const published = await bench.call<Outcome>('n8n_publish_workflow', { id });
      expect(published.publication).toEqual({ published: true, live: true });
      expect(published.changes).toHaveLength(1);
      expect(await webhook(path)).toEqual({ value: 'new' });
      const third = { ...change, value: '{"value":"third"}' };
      expect((await edit(id, [third], { publish: true })).publication).toEqual({ published: true, live: true });
      expect(await webhook(path)).toEqual({ value: 'third' });
    });

    test('several workflows are edited each on its own', async () => {
      const [a, b] = [await make('many a'), await make('many b', { nodes: [], connections: {} })];
      const { edited, failed } = await bench.call<{ edited: Outcome[]; failed: Json[] }>('n8n_edit_workflow', {
        id: [a.id, b.id, 'doesnotexist'],
        operations: [
          { op: 'set_settings', settings: { timezone: 'UTC' } },
          { op: 'disable_node', node: 'Answer' },
        ],
      });
      expect(edited.map(({ workflow }) => workflow.id)).toEqual([a.id]);
      expect(failed).toMatchObject([
        { id: b.id, error: expect.stringMatching(/No node "Answer"/) as string },
        { id: 'doesnotexist', error: expect.stringMatching(/No workflow doesnotexist/) as string },
      ]);
      expect((await read(b.id)).settings).not.toHaveProperty('timezone');
    });

    test('that changes nothing is not saved', async () => {
      const { id } = await make('same');
      const before = await read(id);
      const outcome = await edit(id, [{ op: 'set_name', name: before.name }]);
      expect(outcome).toMatchObject({ changes: [] });
      expect(outcome).not.toHaveProperty('backup');
      expect((await read(id)).updatedAt).toBe(before.updatedAt);
    });

    test('as a dry run changes nothing', async () => {
      const { id } = await make('dry');
      const before = await read(id);
      const outcome = await edit(id, [{ op: 'remove_node', node: 'Answer' }], { dry_run: true });
      expect(outcome.changes).toContain('- node "Answer" (n8n-nodes-base.set)');
      expect(await read(id)).toEqual(before);
    });

    test('concurrently is serialised: all edits are in the result', async () => {
      const { id } = await make('two');
      const operations = Array.from({ length: 6 }, (_, index) => [
        { op: 'add_node', node: { name: `N${index}`, type: 'n8n-nodes-base.noOp', typeVersion: 1 } },
      ]);
      const outcomes = await Promise.all(operations.map((list) => edit(id, list)));
      expect(outcomes.every(({ warnings }) => warnings === undefined)).toBe(true);
      expect((await read(id)).nodes).toHaveLength(8);
    });

    test('an outdated version is refused, with what changed since', async () => {
      const { id, version } = await make('expected');
      await edit(id, [{ op: 'disable_node', node: 'Answer' }]);
      const late = edit(id, [{ op: 'set_name', name: 'x' }], { expected_version: version });
      await expect(late).rejects.toThrow(/somebody changed it[\s\S]*disabled set to true/);
    });

    test('reports a version that somebody else saved in between', async () => {
      const { id } = await make('foreign');
      const { workflows } = bench.client;
      const { update } = workflows;
      let meanwhile: string | null | undefined;
      workflows.update = async (...args) => {
        workflows.update = update;
        const now = await read(id);
        const nodes = now.nodes.map((node) => ({ ...node, parameters: { ...node.parameters, theirs: true } }));
        const body = { name: now.name, nodes, connections: now.connections, settings: {} };
        meanwhile = (await update(id, body, false)).workflow.versionId;
        return update(...args);
      };
      try {
        const { warnings } = await edit(id, [{ op: 'disable_node', node: 'Answer' }]);
        expect(warnings?.[0]).toContain(String(meanwhile));
        expect(await bench.call('n8n_diff_versions', { id, before: meanwhile })).toMatchObject({ same: false });
      } finally {
        workflows.update = update;
      }
    });
  });

  describe('deleting, archiving and unpublishing', () => {
    test('changes nothing if the backup fails', async () => {
      const { id, name } = await make('unsaved');
      const before = await read(id);
      bench.failing = true;
      try {
        for (const [tool, args] of [
          ['n8n_edit_workflow', { operations: [{ op: 'set_name', name: 'x' }] }],
          ['n8n_update_workflow', { name: 'x' }],
          ['n8n_delete_workflow', {}],
          ['n8n_archive_workflow', {}],
        ] as const) {
          await expect(bench.call(tool, { id, ...args }), tool).rejects.toThrow(/disk is full/);
        }
      } finally {
        bench.failing = false;
      }
      expect(await read(id)).toEqual({ ...before, name });
    });

    test('a deleted live workflow is kept as a backup', async () => {
      const { id, name } = await make('deleted', { publish: true });
      const { deleted } = await bench.call<{ deleted: { backup: string }[] }>('n8n_delete_workflow', { id: [id] });
      expect(deleted).toMatchObject([{ id, name }]);
      await expect(bench.call('n8n_get_workflow', { id })).rejects.toThrow(/No workflow/);
      expect((await bench.backups.read(deleted[0]?.backup ?? '')).content).toMatchObject({ id, name, active: true });
    });

    test('an archived workflow is hidden and cannot be changed until it is unarchived', async () => {
      const { id, name } = await make('archived', { publish: true });
      expect(await bench.call('n8n_archive_workflow', { id })).toMatchObject({ archived: [{ id, was_active: true }] });
      const listed = async (archived: boolean) =>
        (await bench.call<{ workflows: Summary[] }>('n8n_list_workflows', { name, archived })).workflows.length;
      expect([await listed(false), await listed(true)]).toEqual([0, 1]);
      await expect(edit(id, [{ op: 'set_name', name: 'x' }])).rejects.toThrow(
        /First call n8n_archive_workflow with "archived": false/,
      );
      await expect(bench.call('n8n_publish_workflow', { id })).rejects.toThrow(
        /First call n8n_archive_workflow with "archived": false/,
      );
      expect(await bench.call('n8n_archive_workflow', { id, archived: false })).toEqual({
        unarchived: [{ id, name, was_archived: true }],
      });
      expect([await listed(false), await listed(true)]).toEqual([1, 0]);
    });

    test('an unpublished workflow no longer answers when the call returns', async () => {
      const { id, name } = await make('stopped', { publish: true });
      expect(await bench.call('n8n_unpublish_workflow', { id })).toEqual({
        unpublished: [{ id, name, was_active: true, gone: true }],
      });
      expect((await fetch(`${bench.url}/webhook/${name}`)).status).toBe(404);
      expect(await bench.call('n8n_unpublish_workflow', { id })).toMatchObject({
        unpublished: [{ was_active: false }],
      });
    });
  });

  describe('versions', () => {
    test('are listed, read, compared and published again', async () => {
      const { id, version: first } = await make('versions', { publish: true });
      const path = bench.name('versions');
      await edit(id, [{ op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{"value":2}' }]);
      const third = await edit(id, [{ op: 'disable_node', node: 'In' }]);
      interface History {
        versions: { version: string; is?: string }[];
        cursor?: string;
      }
      const history = await bench.call<History>('n8n_list_versions', { id, limit: 2 });
      expect(history.versions).toMatchObject([{ version: third.workflow.version, is: 'draft' }, {}]);
      const rest = await bench.call<History>('n8n_list_versions', { id, cursor: history.cursor });
      expect(rest.versions).toMatchObject([{ version: first, is: 'live' }]);
      expect(await bench.call('n8n_get_workflow', { id, version: first, node: 'Answer' })).toMatchObject({
        node: { parameters: { jsonOutput: '{"value":1}' } },
      });
      expect(
        await bench.call('n8n_diff_versions', { id, before: first, after: history.versions[1]?.version }),
      ).toMatchObject({
        same: false,
        changes: ['~ node "Answer": parameters.jsonOutput: "{\\"value\\":1}" -> "{\\"value\\":2}"'],
      });
      expect(await bench.call('n8n_diff_versions', { id, before: `backup:${third.backup}` })).toMatchObject({
        changes: ['~ node "In": disabled set to true'],
      });
      await bench.call('n8n_publish_workflow', { id, version: history.versions[1]?.version });
      expect(await webhook(path)).toEqual({ value: 2 });
      await expect(bench.call('n8n_get_workflow', { id, version: 'nope' })).rejects.toThrow(/n8n_list_versions shows/);
      await expect(
        bench.call('n8n_list_versions', { id: (await make('other')).id, cursor: history.cursor }),
      ).rejects.toThrow(/other filters/);
    });
  });
});
