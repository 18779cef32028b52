import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administrationTools } from '../../../src/n8n/administration/tools.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make } from '../../support/workflows.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('the administration of a community edition', () => {
  let reached: Reached;
  let bench: Workbench;
  /** Without a login. */
  let keyOnly: Workbench;
  const invited: string[] = [];

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench(administrationTools, reached);
    const { owner: _, ...key } = reached;
    keyOnly = await openWorkbench(administrationTools, key, {}, bench);
  }, N8N_START_MS);

  afterAll(async () => {
    for (const { id, email } of await Array.fromAsync(bench.client.users.all()))
      if (invited.includes(email)) await bench.client.users.delete(id);
    await bench[Symbol.asyncDispose]();
  });

  const draft = (name: string) =>
    bench.client.workflows.create({ name: bench.name(name), nodes: [], connections: {}, settings: {} });

  /** A user of this test, with an address that no other suite uses. */
  async function invite(name: string): Promise<{ id: string; email: string }> {
    const email = `${bench.name(name)}@example.com`;
    invited.push(email);
    const { invited: made } = await bench.call<{ invited: { id: string }[] }>('n8n_invite_users', {
      users: [{ email }],
    });
    return { id: (made[0] as { id: string }).id, email };
  }

  describe('what the licence lacks', () => {
    const projects = /does not include feat:projectRole:admin\. Projects need a paid plan/;
    const folders =
      /does not include feat:folders\. Folders need a paid plan, or a Community edition that you register/;
    const variables = /does not include feat:variables\. Variables need n8n Cloud Pro/;
    const git = /does not include feat:sourceControl\. Source control needs n8n Cloud Enterprise/;

    test.each([
      ['n8n_list_projects', {}, projects],
      ['n8n_create_project', { name: 'x' }, projects],
      ['n8n_update_project', { project: 'x', name: 'y' }, projects],
      ['n8n_delete_project', { project: 'x' }, projects],
      ['n8n_list_project_members', { project: 'x' }, projects],
      ['n8n_set_project_members', { project: 'x', remove: ['a@example.com'] }, projects],
      ['n8n_list_folders', { project: 'x' }, folders],
      ['n8n_create_folder', { project: 'x', name: 'y' }, folders],
      ['n8n_update_folder', { project: 'x', folder: 'y', name: 'z' }, folders],
      ['n8n_delete_folder', { project: 'x', folder: 'y' }, folders],
      ['n8n_list_variables', {}, variables],
      ['n8n_set_variable', { key: 'K', value: 'v' }, variables],
      ['n8n_delete_variable', { key: 'K' }, variables],
      ['n8n_get_source_control', {}, git],
      ['n8n_pull_source_control', { force: true }, git],
      ['n8n_push_source_control', { message: 'x' }, git],
    ])('%s names it', async (tool, args, words) => {
      await expect(bench.call(tool, args)).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringMatching(words) as string,
      });
    });

    test('a folder is refused before anything moves', async () => {
      const { id } = await draft('unmoved');
      const asked = { workflows: [id], to_project: reached.owner?.email ?? '', to_folder: 'x' };
      await expect(bench.call('n8n_move', asked)).rejects.toThrow(folders);
    });

    test('a role', async () => {
      const { email } = await invite('role');
      await expect(bench.call('n8n_set_user_role', { user: email, role: 'admin' })).rejects.toThrow(
        /does not include feat:advancedPermissions/,
      );
      const admin = { users: [{ email: `${bench.name('admin')}@example.com`, role: 'admin' }] };
      await expect(bench.call('n8n_invite_users', admin)).rejects.toThrow(/The licence of n8n .* advanced permissions/);
    });

    test('insights of more than the last days', async () => {
      await expect(bench.call('n8n_get_insights', { from: '60d' })).rejects.toThrow(
        /The licence .* Ask for the last 7 days/,
      );
    });
  });

  test('tools name the scope that the key lacks', async () => {
    await using key = await limitedKey(reached, ['tag:list']);
    const limited = await openWorkbench(administrationTools, { url: reached.url, apiKey: key.apiKey }, {}, bench);
    for (const [tool, scope] of [
      ['n8n_list_users', 'user:list'],
      ['n8n_list_roles', 'role:list'],
      ['n8n_run_audit', 'securityAudit:generate'],
      ['n8n_get_insights', 'insights:read'],
      ['n8n_list_projects', 'project:list'],
      ['n8n_list_variables', 'variable:list'],
      ['n8n_get_source_control', 'sourceControl:read'],
      ['n8n_list_community_packages', 'communityPackage:list'],
    ] as const)
      await expect(limited.call(tool)).rejects.toThrow(`lacks the scope ${scope}`);
    for (const [path, scope] of [
      ['/users', 'user:list'],
      ['/settings/otel', 'otel:manage'],
    ])
      await expect(limited.call('n8n_request', { path })).rejects.toThrow(`lacks the scope ${scope}`);
  });

  describe('users', () => {
    test('are invited, listed and deleted, and no invite link is shown', async () => {
      const email = `${bench.name('ada')}@example.com`;
      invited.push(email);
      const users = [{ email }];
      expect(await bench.preview('n8n_invite_users', { users })).toBe(
        `It invites to n8n (default): ${email} as global:member.`,
      );
      const answer = await bench.call('n8n_invite_users', { users });
      expect(answer).toMatchObject({
        invited: [{ email, role: 'global:member', mailed: false }],
        note: expect.stringContaining('Settings > Users') as string,
      });
      expect(JSON.stringify(answer)).not.toMatch(/signup|token/);
      expect(await bench.call('n8n_list_users', { text: email.toUpperCase(), pending: true })).toMatchObject({
        users: [{ email, role: 'global:member', pending: true, mfa: false }],
        total: 1,
      });
      expect(await bench.preview('n8n_delete_user', { user: email })).toContain(
        'Everything in the personal project is deleted, too: 0 workflows, 0 credentials, 0 data tables.',
      );
      expect(await bench.call('n8n_delete_user', { user: email })).toMatchObject({ deleted: { email } });
      await expect(bench.call('n8n_delete_user', { user: email })).rejects.toThrow(
        `No user ${email}. Nothing was changed.`,
      );
    });

    test('that have an account already are reported', async () => {
      const email = reached.owner?.email ?? '';
      expect(await bench.call('n8n_invite_users', { users: [{ email }] })).toMatchObject({
        invited: [],
        failed: [{ email, error: expect.stringContaining('has an account already') as string }],
      });
    });

    test('with unknown roles or addresses are refused', async () => {
      const email = `${bench.name('odd')}@example.com`;
      await expect(bench.call('n8n_invite_users', { users: [{ email, role: 'wizard' }] })).rejects.toThrow(
        'Role global:wizard does not exist',
      );
      await expect(bench.call('n8n_invite_users', { users: [{ email: 'not an address' }] })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(await bench.call('n8n_list_users', { text: email })).toMatchObject({ total: 0 });
    });

    test('the owner is not deleted', async () => {
      await expect(bench.call('n8n_delete_user', { user: reached.owner?.email ?? '' })).rejects.toThrow(
        'owns this n8n',
      );
    });

    test('own what is moved to them, and a backup of it is kept when they are deleted', async () => {
      const { email } = await invite('owner');
      const { id } = await make(bench, 'handed over', line(hook(bench.name('handed'))));
      const moved = await bench.call('n8n_move', { workflows: [id], to_project: email });
      expect(moved).toMatchObject({ project: { name: `<${email}>` }, moved: [{ kind: 'workflow', id }] });
      expect(await bench.call('n8n_move', { workflows: [id], to_project: email })).toMatchObject({
        moved: [],
        unchanged: [{ id }],
      });
      for (const one of [bench, keyOnly]) {
        expect(await one.preview('n8n_delete_user', { user: email })).toContain(
          `1 workflow ("${bench.name('handed over')}" (${id}`,
        );
      }
      const { backups } = await keyOnly.call<{ backups: string[] }>('n8n_delete_user', { user: email });
      expect(await bench.backups.read(backups[0] as string)).toMatchObject({ workflow: id, reason: 'delete' });
      await expect(bench.client.workflows.get(id)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('hand over what they own if there is a login', async () => {
      const [leaving, staying] = [await invite('leaving'), await invite('staying')];
      const { id } = await draft('inherited');
      await bench.call('n8n_move', { workflows: [id], to_project: leaving.email });
      const asked = { user: leaving.email, transfer_to: staying.email };
      await expect(keyOnly.call('n8n_delete_user', asked)).rejects.toThrow(
        /Nothing was changed\. Add n8n\.default\.login/,
      );
      expect(await bench.call('n8n_list_users', { text: leaving.email })).toMatchObject({ total: 1 });
      expect(await bench.preview('n8n_delete_user', asked)).toContain(`<${staying.email}> gets everything`);
      await bench.call('n8n_delete_user', asked);
      const { shared } = await bench.client.workflows.get(id);
      expect(shared).toMatchObject([{ project: { name: `<${staying.email}>` } }]);
      await bench.client.workflows.delete(id);
    });
  });

  test('credentials move to another user and back', async () => {
    const { email } = await invite('secrets');
    const { id } = await bench.client.credentials.create({
      name: bench.name('c'),
      type: 'httpHeaderAuth',
      data: { name: 'x', value: 'y' },
    });
    expect(await bench.call('n8n_move', { credentials: [id], to_project: email })).toMatchObject({ moved: [{ id }] });
    await bench.call('n8n_move', { credentials: [id], to_project: reached.owner?.email ?? '' });
    await bench.client.credentials.delete(id);
  });

  test('an unknown destination moves nothing', async () => {
    const { id } = await draft('stays');
    await expect(bench.call('n8n_move', { workflows: [id], to_project: 'nobody@example.com' })).rejects.toThrow(
      'No project "nobody@example.com"',
    );
    await expect(keyOnly.call('n8n_move', { workflows: [id], to_project: 'no-such-id' })).rejects.toThrow(
      /Could not find project/,
    );
  });

  test('roles are listed, and one of them with its scopes', async () => {
    const all = await bench.call<{ global: { role: string }[] }>('n8n_list_roles');
    expect(all.global.map(({ role }) => role)).toEqual(expect.arrayContaining(['global:owner', 'global:member']));
    expect(JSON.stringify(all)).not.toContain('"scopes"');
    expect(JSON.stringify(all).length * 2).toBeLessThan(8192);
    const one = await bench.call<{ project: { scopes: string[] }[] }>('n8n_list_roles', { role: 'viewer' });
    expect(one.project[0]?.scopes).toContainEqual(expect.stringMatching(/^workflow: .*read/));
    await expect(bench.call('n8n_list_roles', { role: 'veiwer' })).rejects.toThrow('No role veiwer');
  });

  test('the audit finds an unprotected webhook, and shows the rest page by page', async () => {
    const { id } = await make(bench, 'open door', line(hook(bench.name('open'))));
    interface Audit {
      sections: { section: string; title: string; found: number }[];
      findings?: { id?: string }[];
      cursor?: string;
    }
    const overview = await bench.call<Audit>('n8n_run_audit', { categories: ['instance'] });
    expect(JSON.stringify(overview).length * 2).toBeLessThan(8192);
    const open = overview.sections.find(({ title }) => /webhook/i.test(title));
    expect(open?.found).toBeGreaterThan(0);
    const ids: (string | undefined)[] = [];
    const asked = { categories: ['instance'], section: open?.section };
    for (let cursor: string | undefined; ; ) {
      const page: Audit = await bench.call('n8n_run_audit', { ...asked, ...(cursor !== undefined && { cursor }) });
      ids.push(...(page.findings ?? []).map((one) => one.id));
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    expect(ids).toContain(id);
    await expect(bench.call('n8n_run_audit', { section: 'nonsense' })).rejects.toThrow(/no section nonsense\. It has /);
  });

  test('insights count the runs of the last days', async () => {
    expect(await bench.call('n8n_get_insights')).toMatchObject({
      runs: { value: expect.any(Number) as number },
      failure_rate: { value: expect.any(Number) as number },
    });
    await expect(bench.call('n8n_get_insights', { from: '1d', to: '2d' })).rejects.toThrow('"from" is after "to"');
    await expect(bench.call('n8n_get_insights', { from: 'soon' })).rejects.toThrow('is not a time');
  });

  test('community packages are listed or refused with a reason', async () => {
    const answer = await bench.call('n8n_list_community_packages').catch((error: Error) => error.message);
    expect(answer).toEqual({ packages: [], total: 0 });
  });

  describe('n8n_request', () => {
    test('reads any endpoint', async () => {
      const { id } = await draft('requested');
      expect(await bench.call('n8n_request', { path: `/workflows/${id}`, pick: 'name' })).toEqual({
        status: 200,
        answer: bench.name('requested'),
      });
      const scopes = await bench.call<{ answer: string[] }>('n8n_request', { path: 'discover', pick: '/data/scopes' });
      expect(scopes.answer).toContain('workflow:read');
      expect(await bench.preview('n8n_request', { path: '/users' })).toBeUndefined();
    });

    test('shortens large answers to 8 KB, and says how to get more', async () => {
      const answer = await bench.call('n8n_request', { path: '/discover' });
      expect(JSON.stringify(answer).length * 2).toBeLessThan(8192);
      expect(answer).toMatchObject({ note: expect.stringContaining('"pick"') as string });
      expect(Number(answer.bytes)).toBeGreaterThan(8192);
      const whole = await bench.call<{ answer: object; note?: string }>('n8n_request', {
        path: '/discover',
        max_bytes: 200_000,
      });
      expect(whole.note).toBeUndefined();
    });

    test('changes things after a preview that names method, path and n8n', async () => {
      const asked = { method: 'POST', path: '/tags', body: { name: bench.name('req') } };
      expect(await bench.preview('n8n_request', asked)).toBe(
        `It sends POST /api/v1/tags to n8n (default, ${reached.url}) with the body {"name":"${bench.name('req')}"}. What that changes, Sluice does not know.`,
      );
      const { answer, status } = await bench.call<{ answer: { id: string }; status: number }>('n8n_request', asked);
      expect(status).toBe(201);
      const renamed = { method: 'PUT', path: `/tags/${answer.id}`, body: `{"name":"${bench.name('r2')}"}` };
      expect(await bench.call('n8n_request', renamed)).toMatchObject({ answer: { name: bench.name('r2') } });
      await bench.call('n8n_request', { method: 'DELETE', path: `/tags/${answer.id}` });
    });

    test('hides secrets', async () => {
      const email = `${bench.name('hidden')}@example.com`;
      invited.push(email);
      const asked = { method: 'POST', path: '/users', body: [{ email, role: 'global:member' }] };
      const answer = await bench.call('n8n_request', asked);
      expect(answer).toMatchObject({
        answer: [{ user: { email, inviteAcceptUrl: '[hidden]' } }],
        note: '[hidden] stands for secrets.',
      });
      const credential = { name: 'x', type: 'httpHeaderAuth', data: { name: 'x', value: 'hunter2' } };
      const preview = await bench.preview('n8n_request', { method: 'POST', path: '/credentials', body: credential });
      expect(preview).toContain('"data":"[hidden]"');
      expect(preview).not.toContain('hunter2');
    });

    test.each([
      ['PUT', '/workflows/x', 'Use n8n_update_workflow'],
      ['DELETE', '/workflows/x', 'Use n8n_delete_workflow'],
      ['DELETE', '/api/v1/workflows/x/', 'Use n8n_delete_workflow'],
      ['DELETE', '/Workflows/x', 'Use n8n_delete_workflow'],
      ['PUT', '/%57orkflows/x', 'Use n8n_update_workflow'],
      ['PATCH', '/credentials/x', 'Use n8n_update_credential'],
      ['DELETE', '/credentials/x', 'Use n8n_delete_credential'],
      ['DELETE', '/users/x', 'Use n8n_delete_user'],
      ['DELETE', '/projects/x', 'Use n8n_delete_project'],
      ['POST', '/source-control/pull', 'Use n8n_pull_source_control'],
      ['POST', '/n8n-packages/import', 'Packages are files'],
      ['POST', '/community-packages', 'Use n8n_install_community_package'],
    ])('leaves %s %s to the tool for it', async (method, path, words) => {
      await expect(bench.call('n8n_request', { method, path, body: {} })).rejects.toThrow(words);
      await expect(bench.preview('n8n_request', { method, path, body: {} })).rejects.toThrow(words);
    });

    test.each([
      [{ path: '/../rest/login' }, 'leads out of the API'],
      [{ path: 'http://127.0.0.1:1/x' }, 'is an address'],
      [{ path: '/workflows?limit=1' }, 'has a query'],
      [{ path: '/tags', method: 'POST', body: 'name' }, '"body" must be a JSON object or list. Nothing was sent.'],
      [{ path: '/tags', body: {} }, 'A GET has no body'],
      [{ path: '/tags', pick: 'data.99' }, /has no 99/],
      [{ path: '/nonsense' }, /does not offer GET \/api\/v1\/nonsense\. .*GET \/discover lists/],
      [{ method: 'PATCH', path: '/workflows/x', body: {} }, /does not offer PATCH .*GET \/discover lists/],
      [{ path: '/workflows/none' }, /answered 404/],
      [{ path: '/projects' }, /does not include feat:projectRole:admin/],
      [{ path: '/settings/ldap' }, /does not include feat:ldap\. LDAP needs a Business or Enterprise plan/],
    ])('%j is refused', async (asked, words) => {
      await expect(bench.call('n8n_request', asked)).rejects.toThrow(words);
    });
  });
});
