import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { administrationTools } from '../../../src/n8n/administration/tools.ts';
import { type LicensedN8n, startLicensedN8n } from '../../support/licensed-n8n.ts';
import { type N8nContract, n8nContract } from '../../support/n8n-contract.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

const contract = await n8nContract();

describe.skipIf(!contract)('an n8n with every licensed feature', () => {
  let n8n: LicensedN8n;
  let bench: Workbench;
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-backups-'));
    n8n = await startLicensedN8n(contract as N8nContract);
    bench = await openWorkbench(administrationTools, n8n, {}, { directory });
  });
  afterEach(async () => {
    const { problems } = n8n;
    await n8n[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
    // Neither the tools nor the stand-in did anything that n8n does not describe.
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });

  const changing = () => n8n.received.filter((key) => !key.startsWith('GET ') && !key.includes('/rest/login'));

  describe('projects', () => {
    test('are created, listed and renamed', async () => {
      const made = await bench.call('n8n_create_project', { name: 'Sales' });
      expect(await bench.call('n8n_list_projects', { type: 'team' })).toMatchObject({
        projects: [{ id: made.id, name: 'Sales', type: 'team' }],
        total: 1,
      });
      expect(await bench.call('n8n_update_project', { project: 'sales', name: 'Selling' })).toEqual({
        id: made.id,
        name: 'Selling',
        was: 'Sales',
      });
      await expect(bench.call('n8n_update_project', { project: 'Seling', name: 'x' })).rejects.toThrow(
        'No project "Seling". Did you mean "Selling"?',
      );
    });

    test('are listed page by page', async () => {
      for (let count = 0; count < 130; count++) n8n.world.project(`Project number ${count}`);
      const first = await bench.call<{ projects: unknown[]; cursor?: string }>('n8n_list_projects', {});
      expect(JSON.stringify(first).length * 2).toBeLessThan(8192);
      let shown = first.projects.length;
      for (let { cursor } = first; cursor !== undefined; ) {
        const page = await bench.call<typeof first>('n8n_list_projects', { cursor });
        shown += page.projects.length;
        cursor = page.cursor;
      }
      expect(shown).toBe(131);
    });

    test('of the same name are told apart by id only', async () => {
      const [one, two] = [n8n.world.project('Twin'), n8n.world.project('Twin')];
      await expect(bench.call('n8n_update_project', { project: 'Twin', name: 'x' })).rejects.toThrow(
        `2 projects are called "Twin". Nothing was changed. Use an id: ${one.id}, ${two.id}.`,
      );
      await bench.call('n8n_update_project', { project: two.id, name: 'Other' });
      expect([one.name, two.name]).toEqual(['Twin', 'Other']);
    });

    test('say before they are deleted what is in them, and back up their workflows', async () => {
      const project = n8n.world.project('Sales');
      const workflow = n8n.world.workflow('Orders', project.id);
      n8n.world.credential('Shop', project.id);
      expect(await bench.preview('n8n_delete_project', { project: 'Sales' })).toMatch(
        /^It deletes the project "Sales" \(project\d+\)\. Everything in it is deleted, too: 1 workflow \("Orders" \(workflow\d+\)\), 1 credential \("Shop"\), 0 data tables\. A backup/,
      );
      const answer = await bench.call<{ backups: string[] }>('n8n_delete_project', { project: 'Sales' });
      expect(await bench.backups.read(answer.backups[0] as string)).toMatchObject({
        workflow: workflow.id,
        reason: 'delete',
      });
      expect(n8n.world.projects.map(({ name }) => name)).not.toContain('Sales');
    });

    test('are not deleted if a backup fails', async () => {
      const project = n8n.world.project('Sales');
      n8n.world.workflow('Precious', project.id);
      bench.failing = true;
      await expect(bench.call('n8n_delete_project', { project: 'Sales' })).rejects.toThrow('disk is full');
      expect(changing()).toEqual([]);
    });

    test('take only their own workflows with them, live ones included, not those that are shared with them', async () => {
      const project = n8n.world.project('Sales');
      const own = n8n.world.workflow('Own', project.id);
      const borrowed = n8n.world.workflow('Borrowed', n8n.world.project('Other').id);
      borrowed.sharedWith.add(project.id);
      own.active = borrowed.active = true;
      expect(await bench.preview('n8n_delete_project', { project: 'Sales' })).toMatch(/ 1 workflow \("Own"/);
      expect(await bench.call('n8n_delete_project', { project: 'Sales' })).toMatchObject({
        backups: [expect.any(String)],
      });
      expect(n8n.world.workflows).toEqual([borrowed]);
      expect(borrowed.active).toBe(true);
    });

    test('that n8n does not delete keep their workflows live', async () => {
      const project = n8n.world.project('Sales');
      const workflows = ['a', 'b'].map((name) => Object.assign(n8n.world.workflow(name, project.id), { active: true }));
      n8n.refuse('DELETE /projects/{projectId}');
      await expect(bench.call('n8n_delete_project', { project: 'Sales' })).rejects.toThrow(
        /2 live workflows had been unpublished for it and are live again\.$/,
      );
      expect(workflows.map(({ active }) => active)).toEqual([true, true]);
      n8n.refuse('POST /workflows/{workflowId}/unpublish', 2);
      await expect(bench.call('n8n_delete_project', { project: 'Sales' })).rejects.toThrow(
        /1 live workflow had been unpublished for it and is live again\.$/,
      );
      n8n.refuse('POST /workflows/{workflowId}/unpublish', 2);
      n8n.refuse('POST /workflows/{workflowId}/publish');
      await expect(bench.call('n8n_delete_project', { project: 'Sales' })).rejects.toThrow(
        /Not live any more: "a" \(workflow\d+.*\)\. Publish it again with n8n_publish_workflow\.$/,
      );
    });

    test('are not touched if the API key may not delete them', async () => {
      const project = n8n.world.project('Sales');
      n8n.world.workflow('Live', project.id).active = true;
      n8n.world.scopes = ['workflow:move'];
      await expect(bench.call('n8n_delete_project', { project: 'Sales' })).rejects.toThrow(
        'lacks the scope project:delete',
      );
      expect(changing()).toEqual([]);
    });

    test('with many workflows are reported in short', async () => {
      const project = n8n.world.project('Sales');
      for (let count = 0; count < 120; count++) n8n.world.workflow(`Workflow number ${count}`, project.id);
      const answer = await bench.call('n8n_delete_project', { project: 'Sales' });
      expect(JSON.stringify(answer).length * 2).toBeLessThan(8192);
      expect((answer.backups as string[]).length + Number(answer.more_backups)).toBe(120);
    });

    test('hand over their contents with a login, and refuse to without one', async () => {
      const [old, target] = [n8n.world.project('Old'), n8n.world.project('New')];
      const workflow = n8n.world.workflow('Orders', old.id);
      const asked = { project: 'Old', transfer_to: 'New' };
      expect(await bench.preview('n8n_delete_project', asked)).toContain(
        `"New" (${target.id}) gets its contents: 1 workflow`,
      );
      const { owner: _, ...keyOnly } = n8n;
      const lone = await openWorkbench(administrationTools, keyOnly, {}, { directory });
      await expect(lone.call('n8n_delete_project', asked)).rejects.toThrow(
        /Nothing was changed\. Add n8n\.default\.login/,
      );
      expect(changing()).toEqual([]);
      expect(await bench.call('n8n_delete_project', asked)).toMatchObject({ transferred_to: { id: target.id } });
      expect(workflow.projectId).toBe(target.id);
    });

    test('of persons are not deleted', async () => {
      await expect(bench.call('n8n_delete_project', { project: 'owner@example.com' })).rejects.toThrow(
        'is the personal project of a user',
      );
    });
  });

  describe('members', () => {
    test('are added, changed and removed in one call', async () => {
      const project = n8n.world.project('Sales');
      const [ada, bob, cleo] = [
        n8n.world.user('ada@example.com'),
        n8n.world.user('bob@example.com'),
        n8n.world.user('cleo@example.com'),
      ];
      project.members.set(bob.id, 'project:viewer').set(cleo.id, 'project:editor');
      const answer = await bench.call('n8n_set_project_members', {
        project: 'Sales',
        members: [
          { user: 'ADA@example.com', role: 'editor' },
          { user: bob.id, role: 'project:admin' },
        ],
        remove: ['cleo@example.com'],
      });
      expect(answer).toMatchObject({
        set: [
          { id: ada.id, role: 'project:editor' },
          { id: bob.id, role: 'project:admin', was: 'project:viewer' },
        ],
        removed: [{ id: cleo.id }],
      });
      expect(await bench.call('n8n_list_project_members', { project: project.id })).toMatchObject({
        total: 2,
        members: [{ id: bob.id, email: 'bob@example.com', name: 'Ada Test', role: 'project:admin' }, { id: ada.id }],
      });
    });

    test('are reported in short if they are many', async () => {
      n8n.world.project('Sales');
      const members = Array.from({ length: 100 }, (_, at) => ({
        user: n8n.world.user(`somebody-${at}@example.com`).email,
        role: 'editor',
      }));
      const answer = await bench.call('n8n_set_project_members', { project: 'Sales', members });
      expect(JSON.stringify(answer).length * 2).toBeLessThan(8192);
      expect((answer.set as unknown[]).length + Number(answer.more)).toBe(100);
    });

    test('named twice count once', async () => {
      const project = n8n.world.project('Sales');
      const ada = n8n.world.user('ada@example.com');
      const twice = { user: 'ada@example.com', role: 'editor' };
      const set = await bench.call('n8n_set_project_members', { project: 'Sales', members: [twice, twice] });
      expect(set).toMatchObject({ set: [{ id: ada.id }] });
      expect(set.set).toHaveLength(1);
      expect(
        await bench.call('n8n_set_project_members', { project: 'Sales', remove: [ada.id, 'ada@example.com'] }),
      ).toEqual({ project: { id: project.id, name: 'Sales' }, set: [], removed: [{ id: ada.id, email: ada.email }] });
      expect(n8n.received.filter((key) => key.startsWith('DELETE '))).toHaveLength(1);
    });

    test.each([
      [
        { members: [{ user: 'nobody@example.com', role: 'editor' }] },
        'No user nobody@example.com. Nothing was changed.',
      ],
      [{ members: [{ user: 'ada@example.com', role: 'boss' }] }, 'Role project:boss does not exist'],
      [{ remove: ['ada@example.com'] }, '"ada@example.com" is not in the project "Sales". Nothing was changed.'],
      [
        {
          members: [
            { user: 'ada@example.com', role: 'editor' },
            { user: 'ADA@example.com', role: 'admin' },
          ],
        },
        '"ada@example.com" is named twice with different roles. Nothing was changed.',
      ],
      [{}, 'Name people in "members" or "remove"'],
    ])('stay as they are with %j', async (asked, words) => {
      const project = n8n.world.project('Sales');
      n8n.world.user('ada@example.com');
      await expect(bench.call('n8n_set_project_members', { project: 'Sales', ...asked })).rejects.toThrow(words);
      expect(project.members.size).toBe(0);
    });
  });

  describe('folders', () => {
    test('are created, listed, moved and deleted by their paths', async () => {
      const project = n8n.world.project('Sales');
      await bench.call('n8n_create_folder', { project: 'Sales', name: 'Reports' });
      expect(
        await bench.call('n8n_create_folder', { project: 'Sales', name: '2026', parent: 'Reports' }),
      ).toMatchObject({
        path: 'Reports/2026',
      });
      await bench.call('n8n_create_folder', { project: 'Sales', name: 'Archive' });
      expect(
        await bench.call('n8n_update_folder', {
          project: 'Sales',
          folder: 'Reports/2026',
          name: '26',
          parent: 'Archive',
        }),
      ).toMatchObject({ path: 'Archive/26', was: 'Reports/2026' });
      const workflow = n8n.world.workflow('Monthly', project.id);
      workflow.parentFolderId = n8n.world.folders.find(({ name }) => name === '26')?.id ?? null;
      expect(await bench.call('n8n_list_folders', { project: project.id })).toMatchObject({
        folders: [{ path: 'Archive', folders: 1 }, { path: 'Archive/26', workflows: 1 }, { path: 'Reports' }],
      });
      expect(await bench.preview('n8n_delete_folder', { project: 'Sales', folder: 'Archive/26' })).toMatch(
        /^It deletes the folder "Archive\/26" \(folder\d+\)\. n8n archives the workflows in it and deletes the folders in it: 1 workflow and 0 folders\./,
      );
      await bench.call('n8n_delete_folder', { project: 'Sales', folder: '26', transfer_to: '/' });
      expect(workflow).toMatchObject({ parentFolderId: null, isArchived: false });
      await bench.call('n8n_update_folder', { project: 'Sales', folder: 'Archive', parent: 'Reports' });
      await expect(
        bench.call('n8n_update_folder', { project: 'Sales', folder: 'Reports', parent: 'Reports/Archive' }),
      ).rejects.toThrow('cannot move into itself');
    });

    test('with the same path are told apart by id', async () => {
      const project = n8n.world.project('Sales');
      for (const id of ['f1', 'f2'])
        n8n.world.folders.push({ id, name: 'Twin', projectId: project.id, parentFolderId: null });
      const workflow = n8n.world.workflow('Kept', project.id);
      workflow.parentFolderId = 'f1';
      await expect(bench.call('n8n_delete_folder', { project: 'Sales', folder: 'Twin' })).rejects.toThrow(
        '2 folders are called "Twin". Nothing was changed. Use a path or an id: "Twin" (f1), "Twin" (f2).',
      );
      await bench.call('n8n_delete_folder', { project: 'Sales', folder: 'f1', transfer_to: 'f2' });
      expect(workflow).toMatchObject({ parentFolderId: 'f2', isArchived: false });
    });

    test('are listed beyond the first page of n8n', async () => {
      const project = n8n.world.project('Sales');
      for (let count = 0; count < 250; count++)
        n8n.world.folders.push({ id: `f${count}`, name: `${count}`, projectId: project.id, parentFolderId: null });
      expect(await bench.call('n8n_list_folders', { project: 'Sales', limit: 1 })).toMatchObject({ total: 250 });
    });

    test.each(['a/b', '.hidden', 'x?', ''])('cannot be called %j', async (name) => {
      n8n.world.project('Sales');
      await expect(bench.call('n8n_create_folder', { project: 'Sales', name })).rejects.toThrow(/name/);
      expect(n8n.received).toEqual([]);
    });
  });

  describe('moving', () => {
    const world = () => {
      const [from, to] = [n8n.world.project('From'), n8n.world.project('To')];
      const credential = n8n.world.credential('Shop', from.id);
      const node = {
        id: 'a',
        name: 'A',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4,
        position: [0, 0],
        parameters: {},
        credentials: { httpHeaderAuth: { id: credential.id, name: 'Shop' } },
      };
      const workflows = ['w1', 'w2', 'w3'].map((name) =>
        n8n.world.workflow(name, from.id, name === 'w1' ? [node] : []),
      );
      return { from, to, credential, workflows, ids: workflows.map(({ id }) => id) };
    };

    test('takes workflows and credentials to a project', async () => {
      const { to, credential, workflows, ids } = world();
      const answer = await bench.call('n8n_move', { workflows: ids, credentials: [credential.id], to_project: 'To' });
      expect(answer).toMatchObject({ project: { id: to.id, name: 'To' } });
      expect(answer).not.toHaveProperty('note');
      expect((answer.moved as { name: string }[]).map(({ name }) => name)).toEqual(['Shop', 'w1', 'w2', 'w3']);
      expect([...workflows, credential].every(({ projectId }) => projectId === to.id)).toBe(true);
      const again = await bench.call('n8n_move', { workflows: ids, credentials: [credential.id], to_project: 'To' });
      expect(again).toMatchObject({ moved: [], unchanged: [{}, {}, {}, {}] });
    });

    test('says which credentials stay behind', async () => {
      const { ids } = world();
      expect(await bench.call('n8n_move', { workflows: ids, to_project: 'To' })).toMatchObject({
        note: expect.stringContaining('use credentials that stay in another project: "Shop"') as string,
      });
    });

    test('takes workflows to a folder, with a backup', async () => {
      const { to, workflows, ids } = world();
      await bench.call('n8n_create_folder', { project: 'To', name: 'Inbox' });
      expect(await bench.call('n8n_move', { workflows: ids, to_project: 'To', to_folder: 'inbox' })).toMatchObject({
        folder: 'Inbox',
      });
      const [{ id: folder } = { id: '' }] = n8n.world.folders;
      expect(workflows.every((one) => one.projectId === to.id && one.parentFolderId === folder)).toBe(true);
      expect((await bench.backups.list({ workflow: ids[0] })).found).toHaveLength(1);
      await bench.call('n8n_move', { workflows: ids, to_project: 'To', to_folder: '/' });
      expect(workflows.every((one) => one.parentFolderId === null)).toBe(true);
    });

    test('stops at a 403 in the middle, and says which moved and which did not', async () => {
      const { workflows, ids, from } = world();
      n8n.refuse('PUT /workflows/{workflowId}/transfer', 2);
      expect(await bench.call('n8n_move', { workflows: ids, to_project: 'To' })).toMatchObject({
        moved: [{ id: ids[0] }],
        stopped_at: { id: ids[1], name: 'w2', error: expect.stringContaining('Forbidden') as string },
        not_moved: [{ id: ids[2], name: 'w3' }],
      });
      expect(workflows.map(({ projectId }) => projectId === from.id)).toEqual([false, true, true]);
    });

    test('of many is reported in short', async () => {
      const [from, to] = [n8n.world.project('From'), n8n.world.project('To')];
      const ids = Array.from({ length: 100 }, (_, at) => n8n.world.workflow(`Workflow number ${at}`, from.id).id);
      n8n.refuse('PUT /workflows/{workflowId}/transfer', 81);
      const answer = await bench.call('n8n_move', { workflows: ids, to_project: 'To' });
      expect(JSON.stringify(answer).length * 2).toBeLessThan(8192);
      expect(answer).toMatchObject({ stopped_at: { id: ids[80] }, more: expect.any(Number) as number });
      expect(answer.not_moved).toHaveLength(19);
      expect((answer.moved as unknown[]).length + Number(answer.more)).toBe(80);
      expect(n8n.world.workflows.filter(({ projectId }) => projectId === to.id)).toHaveLength(80);
    });

    test('that fails at once is an error', async () => {
      const { ids } = world();
      n8n.refuse('PUT /workflows/{workflowId}/transfer');
      await expect(bench.call('n8n_move', { workflows: ids, to_project: 'To' })).rejects.toThrow('Forbidden');
    });

    test.each([
      [{ to_project: 'Tu' }, 'No project "Tu"'],
      [{ to_project: 'To', to_folder: 'nowhere' }, 'No folder "nowhere"'],
      [{ to_project: 'To', workflows: ['w-none'] }, 'No workflow w-none'],
      [{ to_project: 'To', credentials: ['c-none'] }, 'No credential c-none'],
      [{ to_project: 'To', workflows: [] }, 'Say what to move'],
    ])('with %j moves nothing', async (asked, words) => {
      const { ids } = world();
      await expect(bench.call('n8n_move', { workflows: ids, ...asked })).rejects.toThrow(words);
      expect(changing()).toEqual([]);
    });
  });

  describe('variables', () => {
    test('are created, changed, listed without secrets, and deleted', async () => {
      const project = n8n.world.project('Sales');
      const set = (key: string, value: string, more = {}) => bench.call('n8n_set_variable', { key, value, ...more });
      expect(await set('REGION', 'eu')).toEqual({ key: 'REGION', created: true, changed: true });
      expect(await set('REGION', 'us')).toEqual({ key: 'REGION', created: false, changed: true });
      expect(await set('REGION', 'us')).toEqual({ key: 'REGION', created: false, changed: false });
      await set('REGION', 'asia', { project: 'Sales' });
      await set('STRIPE_KEY', 'sk_live_1');
      await set('DB', 'postgres://ada:hunter2@db/x');
      const listed = await bench.call('n8n_list_variables');
      expect(listed).toMatchObject({
        variables: [
          { key: 'DB', value: 'postgres://ada:[hidden]@db/x' },
          { key: 'REGION', value: 'us' },
          { key: 'REGION', value: 'asia', project: 'Sales' },
          { key: 'STRIPE_KEY', value: '[hidden]' },
        ],
        note: expect.stringContaining('[hidden]') as string,
      });
      expect(JSON.stringify(listed)).not.toMatch(/hunter2|sk_live/);
      expect(await bench.call('n8n_list_variables', { project: 'Sales' })).toMatchObject({ total: 1 });
      const node = {
        id: 'a',
        name: 'A',
        type: 'n8n-nodes-base.set',
        position: [0, 0],
        parameters: { value: '={{ $vars.REGION }}' },
      };
      n8n.world.workflow('Uses it', project.id, [node]);
      expect(await bench.preview('n8n_delete_variable', { key: 'REGION' })).toMatch(
        /It deletes the variable "REGION" .* 1 workflow will miss it: "Uses it"/,
      );
      await bench.call('n8n_delete_variable', { key: 'REGION', project: 'Sales' });
      expect(n8n.world.variables.map(({ key, projectId }) => [key, projectId])).toEqual([
        ['REGION', undefined],
        ['STRIPE_KEY', undefined],
        ['DB', undefined],
      ]);
      await expect(bench.call('n8n_delete_variable', { key: 'REGION', project: 'Sales' })).rejects.toThrow(
        'No variable "REGION" here. Nothing was deleted. But the whole n8n has it.',
      );
    });

    test.each(['1x', 'a-b', '', 'x'.repeat(51)])('cannot be called %j', async (key) => {
      await expect(bench.call('n8n_set_variable', { key, value: 'x' })).rejects.toThrow('key');
      expect(n8n.received).toEqual([]);
    });
  });

  test('the role of a user is changed, but not that of the owner', async () => {
    const ada = n8n.world.user('ada@example.com');
    const asked = { user: 'ada@example.com', role: 'admin' };
    expect(await bench.preview('n8n_set_user_role', asked)).toContain('from global:member to global:admin');
    expect(await bench.call('n8n_set_user_role', asked)).toMatchObject({ role: 'global:admin', was: 'global:member' });
    expect(ada.role).toBe('global:admin');
    expect(await bench.preview('n8n_set_user_role', asked)).toBeUndefined();
    for (const wrong of [
      { user: 'owner@example.com', role: 'member' },
      { user: 'ada@example.com', role: 'owner' },
    ])
      await expect(bench.call('n8n_set_user_role', wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a user is deleted with what is in the personal project, whatever its name', async () => {
    const user = n8n.world.user('ada@example.com');
    const own = n8n.world.projects.find(({ creatorId }) => creatorId === user.id);
    Object.assign(own ?? {}, { name: 'Somebody else' });
    const { id } = n8n.world.workflow('Orders', own?.id ?? '');
    expect(await bench.preview('n8n_delete_user', { user: 'ada@example.com' })).toContain('1 workflow ("Orders"');
    const { backups } = await bench.call<{ backups: string[] }>('n8n_delete_user', { user: 'ada@example.com' });
    expect(await bench.backups.read(backups[0] as string)).toMatchObject({ workflow: id, reason: 'delete' });
  });

  test('a user whose personal project cannot be found is not deleted', async () => {
    const user = n8n.world.user('ada@example.com');
    n8n.world.projects = n8n.world.projects.filter(({ creatorId }) => creatorId !== user.id);
    await expect(bench.call('n8n_delete_user', { user: 'ada@example.com' })).rejects.toThrow('Nothing was deleted.');
    expect(changing()).toEqual([]);
  });

  describe('source control', () => {
    const change = (id: string, status: string, conflict = false) => ({
      id,
      name: `Name of ${id}`,
      type: 'workflow',
      status,
      conflict,
    });

    test('shows both directions', async () => {
      n8n.world.pull = [change('w1', 'new')];
      n8n.world.push = [change('w2', 'modified', true)];
      expect(await bench.call('n8n_get_source_control')).toEqual({
        changes: [
          { direction: 'pull', type: 'workflow', id: 'w1', name: 'Name of w1', status: 'new' },
          { direction: 'push', type: 'workflow', id: 'w2', name: 'Name of w2', status: 'modified', conflict: true },
        ],
        total: 2,
        conflicts: 1,
      });
    });

    test('pulls after a backup of what it overwrites, and only with force over local changes', async () => {
      const { id } = n8n.world.workflow('Orders', n8n.world.project('Sales').id);
      n8n.world.pull = [change(id, 'modified', true), change('other', 'new')];
      expect(await bench.preview('n8n_pull_source_control', {})).toContain(
        `It changes n8n (default) to what is in Git: workflow "Name of ${id}" (modified, conflict), workflow "Name of other" (new).`,
      );
      await expect(bench.call('n8n_pull_source_control')).rejects.toThrow(
        /^Nothing was pulled: both sides changed\. .*Repeat with "force": true/,
      );
      expect(await bench.call('n8n_pull_source_control', { force: true, publish: 'published' })).toMatchObject({
        total: 2,
        backups: 1,
      });
      expect((await bench.backups.list({ workflow: id })).found).toHaveLength(1);
      expect(await bench.preview('n8n_pull_source_control', {})).toBeUndefined();
    });

    test('pulls nothing if a backup fails', async () => {
      const { id } = n8n.world.workflow('Orders', n8n.world.project('Sales').id);
      n8n.world.pull = [change(id, 'modified')];
      bench.failing = true;
      await expect(bench.call('n8n_pull_source_control', { force: true })).rejects.toThrow('disk is full');
      expect(changing()).toEqual([]);
    });

    test('pulls nothing if a workflow cannot be read, and says which and why', async () => {
      const { id } = n8n.world.workflow('Orders', n8n.world.project('Sales').id);
      n8n.world.pull = [change(id, 'modified')];
      n8n.refuse('GET /workflows/{workflowId}');
      await expect(bench.call('n8n_pull_source_control', { force: true })).rejects.toMatchObject({
        code: 'forbidden',
        message: `Nothing was pulled: "Name of ${id}" (${id}) cannot be backed up. The API key of n8n (default) lacks the scope workflow:read. Add that scope in n8n under Settings > n8n API, or set a key that has it in N8N_API_KEY or n8n.default.apiKey.`,
      });
      expect(changing()).toEqual([]);
    });

    test('pushes everything or what is named', async () => {
      n8n.world.push = [change('w1', 'new'), change('w2', 'modified'), change('w3', 'modified', true)];
      await expect(bench.call('n8n_push_source_control', { message: 'm', ids: ['none'] })).rejects.toThrow(
        'none has no changes to push. Nothing was pushed.',
      );
      await expect(bench.call('n8n_push_source_control', { message: 'm' })).rejects.toThrow(
        /^Nothing was pushed: both sides changed\. workflow "Name of w3"/,
      );
      const asked = { message: 'Two', ids: ['w1', 'w2'] };
      expect(await bench.preview('n8n_push_source_control', asked)).toContain('as "Two": workflow "Name of w1" (new)');
      expect(await bench.call('n8n_push_source_control', asked)).toMatchObject({ total: 2 });
      expect(n8n.world.commits).toEqual([{ message: 'Two', ids: ['w1', 'w2'] }]);
    });
  });

  describe('community packages', () => {
    test('are installed, updated and removed', async () => {
      const name = 'n8n-nodes-thing';
      const install = { name, version: '1.0.0', verify: false };
      expect(await bench.preview('n8n_install_community_package', install)).toMatch(
        /It installs n8n-nodes-thing@1\.0\.0 .* Nobody at n8n has checked it\. Its code runs inside n8n/,
      );
      expect(await bench.call('n8n_install_community_package', install)).toEqual({
        name,
        version: '1.0.0',
        nodes: [`${name}.thing`],
        author: 'Somebody',
      });
      await expect(bench.preview('n8n_install_community_package', install)).rejects.toThrow('is installed already');
      expect(await bench.call('n8n_update_community_package', { name, version: '1.1.0', verify: false })).toMatchObject(
        {
          version: '1.1.0',
          was: '1.0.0',
        },
      );
      expect(await bench.call('n8n_list_community_packages')).toMatchObject({ packages: [{ name, version: '1.1.0' }] });
      const node = { id: 'a', name: 'A', type: `${name}.thing`, position: [0, 0], parameters: {} };
      n8n.world.workflow('Uses it', n8n.world.project('P').id, [node]);
      expect(await bench.preview('n8n_uninstall_community_package', { name })).toMatch(
        /It removes n8n-nodes-thing 1\.1\.0 .* Used by "Uses it"/,
      );
      expect(await bench.call('n8n_uninstall_community_package', { name })).toEqual({ name, version: '1.1.0' });
      // Sluice learns the nodes anew each time.
      expect(bench.refreshed).toEqual(['default', 'default', 'default']);
      await expect(bench.call('n8n_uninstall_community_package', { name })).rejects.toThrow('is not installed');
    });

    test('that n8n has not checked are refused by default', async () => {
      await expect(bench.call('n8n_install_community_package', { name: 'n8n-nodes-x' })).rejects.toThrow('not vetted');
      expect(n8n.world.packages).toEqual([]);
    });

    test.each([
      { name: 'left-pad' },
      { name: 'n8n-nodes-x; rm -rf /' },
      { name: 'n8n-nodes-x', version: 'latest || true' },
    ])('are refused for %j before anything is sent', async (asked) => {
      await expect(bench.call('n8n_install_community_package', asked)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(n8n.received).toEqual([]);
    });
  });
});
