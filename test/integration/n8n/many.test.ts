/** An n8n with 400 workflows: every tool must answer briefly and in reasonable time. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { isGenerated } from '../../../src/n8n/generated.ts';
import { n8nTools } from '../../../src/n8n/own-source.ts';
import { untilLive } from '../../../src/n8n/workflows/live.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startFreshN8n } from '../../support/n8n.ts';
import { type AnyClient, type CallResult, callTool, connectV2, type Json, startGateway, textOf } from '../harness.ts';
import { hook, line, node } from '../../support/workflows.ts';
import { type LargeInstance, makeLarge } from './large-instance.ts';
import { reachN8n } from '../../support/workbench.ts';

const { N8N_TEST_URL } = process.env;
const missing = N8N_TEST_URL === undefined && n8nIsMissing;
const WORKFLOWS = 400;
const MOST_BYTES = 8 * 1024;

describe.skipIf(missing)(`an n8n with ${WORKFLOWS} workflows`, () => {
  const prefix = `m${crypto.randomUUID().slice(0, 5)}-`;
  const held = new AsyncDisposableStack();
  let n8n: N8nClient;
  let large: LargeInstance;
  let client: AnyClient;
  /** Two executions of `large.live`: one that failed, and one with much data. */
  let failed: string;
  let talked: string;

  beforeAll(async () => {
    // Start a separate n8n: with this much data in the shared one the other suites would be slow.
    const {
      url,
      apiKey,
      owner: login,
    } = N8N_TEST_URL === undefined ? held.use(await startFreshN8n()) : await reachN8n();
    const settings = { url, apiKey, ...(login && { login }) };
    n8n = createN8nClient('default', { ...settings, timeoutMs: 60_000 });
    large = await makeLarge(n8n, prefix, WORKFLOWS);
    if (N8N_TEST_URL !== undefined) held.use(large);
    const gateway = held.use(await startGateway({ n8n: { default: settings, twin: settings } }, { env: sharedCache }));
    const answer = () => ({ action: 'accept', content: {} });
    client = held.use(await connectV2(gateway, { path: '/mcp?expose=flat', answer }));
    const run = async (data: Json) =>
      ((await call('n8n_execute_workflow', { id: large.live, data })).structuredContent as Json).execution as string;
    // Wait until the node catalogue is built.
    await vi.waitFor(() => call('n8n_validate_workflow', { workflow: {} }), { timeout: 120_000, interval: 200 });
    failed = await run({ fail: 'once more' });
    talked = await run({});
  }, N8N_START_MS);

  afterAll(() => held.disposeAsync(), 120_000);

  async function call(name: string, args: Json): Promise<CallResult> {
    const result = await callTool(client, name, args, { timeout: 60_000 });
    if (result.isError) throw new Error(textOf(result));
    return result;
  }

  /** A range of workflows. Each case uses its own range. */
  const some = (from: number, count: number) => large.ids.slice(from, from + count);
  const nodes = () =>
    Array.from({ length: 300 }, (_, index) => ({ name: `New ${index}`, type: 'n8n-nodes-base.noOp', typeVersion: 1 }));

  const backupOf = async (id: string): Promise<string> => {
    const { structuredContent } = await call('n8n_backup_workflow', { id });
    return (structuredContent as { backups: { backup: string }[] }).backups[0]?.backup as string;
  };

  const waiting = async (): Promise<string> => {
    const body = line(node('Start', 'manualTrigger', 1), node('Wait', 'wait', 1.1, { amount: 2, unit: 'hours' }));
    const { id } = await n8n.workflows.create({ name: `${prefix}waiting`, ...body, settings: {} });
    const { structuredContent } = await call('n8n_execute_workflow', { id, wait_seconds: 1 });
    return (structuredContent as { execution: string }).execution;
  };

  /** A workflow with errors in every node, some of them fixable. */
  const faulty = () => ({
    name: 'Faulty',
    nodes: Array.from({ length: 300 }, (_, index) => ({
      name: `Fetch ${index}`,
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [0, 0],
      parameters: { method: 'FETCH', notes: 'x', url: '={{ $json. }}', [`odd${'y'.repeat(300)}`]: 1 },
      notes: 'y',
    })),
    connections: { Nobody: { main: [[{ node: 'Nowhere', type: 'main', index: 0 }]] } },
    settings: {},
  });

  /** For each tool the arguments that give the longest answer. */
  const cases: Record<string, () => Json | Promise<Json>> = {
    n8n_get_overview: () => ({}),
    n8n_list_workflows: () => ({}),
    n8n_get_workflow: () => ({ id: large.big }),
    n8n_create_workflow: () => ({ name: `${prefix}made`, nodes: nodes() }),
    n8n_update_workflow: () => ({ id: some(1, 1)[0], nodes: nodes(), connections: {} }),
    n8n_edit_workflow: () => ({
      id: some(10, 10),
      operations: [{ op: 'set_parameter', node: 'Fetch', path: 'url', value: 'https://new.example.com' }],
    }),
    n8n_delete_workflow: () => ({ id: some(60, 10) }),
    n8n_publish_workflow: () => ({ id: large.ids[0] }),
    n8n_unpublish_workflow: () => ({ id: [large.ids[0], ...some(70, 9)] }),
    n8n_archive_workflow: () => ({ id: some(80, 10) }),
    n8n_duplicate_workflow: () => ({ id: large.big }),
    n8n_list_versions: () => ({ id: large.big }),
    n8n_diff_versions: async () => {
      const { items } = await n8n.workflows.history(large.big, {});
      return { id: large.big, before: items[1]?.versionId, after: items[0]?.versionId };
    },
    n8n_search_workflows: () => ({ node_type: 'code', code: 'why this is done' }),
    n8n_get_dependencies: () => ({ id: large.ids[0] }),
    n8n_execute_workflow: () => ({ id: large.live, data: { hello: 'long '.repeat(2000) } }),
    n8n_trigger_webhook: () => ({ path: large.path, body: { hello: 1 } }),
    n8n_test_workflow: () => ({ id: large.big }),
    n8n_list_executions: () => ({}),
    n8n_get_execution: () => ({ id: talked, node: 'Talk' }),
    n8n_retry_execution: () => ({ id: failed }),
    n8n_stop_execution: async () => ({ id: [await waiting(), talked] }),
    n8n_delete_execution: () => ({ id: [failed] }),
    n8n_list_failures: () => ({}),
    n8n_list_credentials: () => ({}),
    n8n_get_credential: () => ({ id: large.credentials[0] }),
    n8n_get_credential_schema: () => ({ type: 'googleSheetsOAuth2Api' }),
    n8n_create_credential: () => ({
      name: `${prefix}made`,
      type: 'httpHeaderAuth',
      data: { name: 'X-Key', value: 'long'.repeat(4000) },
    }),
    n8n_update_credential: () => ({ id: large.credentials[1], name: `${prefix}other` }),
    n8n_delete_credential: () => ({ id: large.credentials[2], force: true }),
    n8n_test_credential: () => ({ id: large.credentials[0] }),
    n8n_list_tags: () => ({}),
    n8n_create_tag: () => ({ name: `${prefix}made` }),
    n8n_rename_tag: () => ({ tag: large.tags[0], name: `${prefix}renamed` }),
    n8n_delete_tag: () => ({ tag: large.tags[1] }),
    n8n_set_workflow_tags: () => ({ id: some(90, 10), tags: [large.tags[2]] }),
    n8n_list_node_types: () => ({}),
    n8n_find_node_usage: () => ({}),
    n8n_validate_workflow: () => ({ workflow: faulty() }),
    n8n_validate_workflow_structure: () => ({ id: large.big, purpose: 'publish' }),
    n8n_validate_expressions: () => ({ id: large.big }),
    n8n_validate_credentials: () => ({ id: large.big }),
    n8n_lint_workflow: () => ({ id: large.big }),
    n8n_suggest_improvements: () => ({ id: large.big }),
    n8n_validate_node: () => ({ node: faulty().nodes[0] }),
    n8n_validate_instance: () => ({}),
    n8n_fix_workflow: () => ({ workflow: faulty() }),
    n8n_backup_workflow: () => ({ id: some(100, 10) }),
    n8n_backup_instance: () => ({}),
    n8n_list_backups: () => ({}),
    n8n_restore_workflow: () => ({ workflow: some(1, 1)[0] }),
    n8n_prune_backups: () => ({ keep: 1 }),
    n8n_get_node_analytics: () => ({}),
    n8n_import_template: () => ({ workflow: faulty(), validate: 'warn', name: `${prefix}imported` }),
    n8n_promote: () => ({ all: true, from: 'default', to: 'twin' }),
    n8n_list_promotions: () => ({}),
    n8n_compare_instances: () => ({ from: 'default', to: 'twin' }),
    n8n_list_data_tables: async () => {
      for (let index = 0; index < 30; index++) await table(`listed ${index}`, 1);
      return {};
    },
    n8n_create_data_table: () => ({ name: `${prefix}wide`, columns: columns(150) }),
    n8n_update_data_table: async () => ({ table: await table('changed', 1), add_columns: columns(100) }),
    n8n_delete_data_table: async () => ({ table: await table('deleted', 200) }),
    n8n_query_rows: async () => ({ table: await table('read', 500) }),
    n8n_write_rows: async () => ({ table: await table('written', 1), rows: rows(500) }),
    n8n_delete_rows: async () => ({ table: await table('emptied', 500), all: true }),
    n8n_import_csv: () => ({ create: `${prefix}imported`, csv: csv(500) }),
    n8n_export_csv: async () => ({ table: await table('exported', 500) }),
    n8n_restore_data_table: async () => {
      const { structuredContent } = await call('n8n_delete_data_table', { table: await table('restored', 200) });
      return { backup: (structuredContent as Json).backup };
    },
    n8n_list_users: () => ({}),
    n8n_list_roles: () => ({}),
    n8n_run_audit: () => ({}),
    n8n_get_insights: () => ({}),
    n8n_list_community_packages: () => ({}),
    n8n_request: () => ({ path: '/workflows' }),
  };

  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `Name ${index}`, note: 'x'.repeat(200) }));
  const csv = (count: number) =>
    `name,note\n${rows(count)
      .map((row) => `${row.name},${row.note}`)
      .join('\n')}\n`;
  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `column_${index}`, type: 'string' }));
  async function table(name: string, count: number): Promise<string> {
    await call('n8n_import_csv', { create: `${prefix}${name}`, csv: csv(count) });
    return `${prefix}${name}`;
  }

  /** They need a licence, a person, a promotion, a library or S3, or return a whole file. They have suites of their own. */
  const elsewhere: ReadonlySet<string> = new Set([
    'n8n_copy_backups',
    'n8n_create_folder',
    'n8n_create_project',
    'n8n_delete_folder',
    'n8n_delete_project',
    'n8n_delete_user',
    'n8n_delete_variable',
    'n8n_export_workflow',
    'n8n_get_source_control',
    'n8n_get_template',
    'n8n_install_community_package',
    'n8n_invite_users',
    'n8n_list_folders',
    'n8n_list_project_members',
    'n8n_list_projects',
    'n8n_list_variables',
    'n8n_move',
    'n8n_pull_source_control',
    'n8n_push_source_control',
    'n8n_search_templates',
    'n8n_set_project_members',
    'n8n_set_user_role',
    'n8n_set_variable',
    'n8n_suggest_templates',
    'n8n_sync_templates',
    'n8n_undo_promotion',
    'n8n_uninstall_community_package',
    'n8n_update_community_package',
    'n8n_update_folder',
    'n8n_update_project',
  ]);
  const names = n8nTools.map(({ name }) => name).filter((name) => !elsewhere.has(name));

  test.each(names)('%s answers with less than 8 KB', async (name) => {
    const args = await cases[name]?.();
    if (!args) throw new Error(`Say in this file what ${name} is to be asked.`);
    const { _meta, ...result } = await call(name, args);
    const bytes = Buffer.byteLength(JSON.stringify(result));
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  /** More calls of the tools that have several kinds of answers. */
  test.each<[string, string, () => Json | Promise<Json>]>([
    ['n8n_archive_workflow', 'out of the archive', () => ({ id: some(80, 10), archived: false })],
    [
      'n8n_get_workflow',
      'an earlier version',
      async () => {
        const { items } = await n8n.workflows.history(large.big, {});
        return { id: large.big, version: items[0]?.versionId };
      },
    ],
    ['n8n_get_execution', 'when it has ended', () => ({ id: talked, wait_seconds: 60 })],
    ['n8n_get_dependencies', 'of all credentials', () => ({ credentials: true })],
    [
      'n8n_diff_versions',
      'since a backup',
      async () => {
        const before = await backupOf(some(2, 1)[0] as string);
        await call('n8n_update_workflow', { id: some(2, 1)[0], nodes: nodes(), connections: {} });
        return { before };
      },
    ],
  ])('%s, %s, answers with less than 8 KB', async (name, _, args) => {
    const { _meta, ...result } = await call(name, await args());
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(MOST_BYTES);
  });

  test('n8n_get_overview counts the workflows, reports problems, and every call it suggests works', async () => {
    const path = `${prefix}watched`;
    const lost = { credentials: { slackApi: { id: 'nobody-has-it', name: 'Lost' } } };
    const slack = node('Slack', 'slack', 2.3, { select: 'channel' }, { ...lost, disabled: true });
    const check = node('Check', 'code', 2, { jsCode: 'throw new Error("not today");' });
    const body = line(hook(path), check, slack);
    const made = await n8n.workflows.create({ name: path, ...body, settings: {} });
    await untilLive(n8n, await n8n.workflows.publish(made.id), false, AbortSignal.timeout(20_000));
    await call('n8n_trigger_webhook', { path, body: {} });
    const operations = [{ op: 'set_node', node: 'Check', set: { notes: 'to be repaired' } }];
    await call('n8n_edit_workflow', { id: made.id, operations });
    const failed = async () => (await n8n.executions.page({ workflowId: made.id, status: 'error' })).items.length;
    await expect.poll(failed).toBe(1);
    const { structuredContent } = await call('n8n_get_overview', {});
    const found = structuredContent as { look_at: { why: string; tool: string; arguments: Json }[]; workflows: Json };
    expect(found).toMatchObject({
      n8n: { instance: 'default', version: expect.stringMatching(/^2\./) as string },
      workflows: { unpublished: expect.arrayContaining([{ id: made.id, name: path }]) as unknown },
      credentials: { missing: expect.arrayContaining([{ name: 'Lost', type: 'slackApi', live: 1 }]) as unknown },
    });
    const present = (await Array.fromAsync(n8n.workflows.all())).filter((one) => !one.isArchived && !isGenerated(one));
    expect(found.workflows).toMatchObject({
      total: present.length,
      live: present.filter(({ active }) => active).length,
      not_live: present.filter(({ active }) => !active).length,
      unpublished_changes: present.filter((one) => one.active && one.activeVersionId !== one.versionId).length,
    });
    const why = found.look_at.map((one) => one.why).join('\n');
    expect(why).toContain(`"${path}" failed once at "Check": not today`);
    expect(why).toContain('The credential "Lost" (slackApi)');
    for (const { tool, arguments: args } of found.look_at) await call(tool, args);
  });

  test.each<[string, () => Json]>([
    ['n8n_get_overview', () => ({})],
    ['n8n_search_workflows', () => ({ url: 'api.example.com/things/77' })],
    ['n8n_search_workflows', () => ({ text: 'nowhere to be found' })],
    ['n8n_search_workflows', () => ({ credential: large.credentials[5] })],
    ['n8n_get_dependencies', () => ({ credential: large.credentials[5] })],
    ['n8n_get_dependencies', () => ({ id: large.ids[200] })],
    ['n8n_get_dependencies', () => ({ credentials: true })],
    ['n8n_list_failures', () => ({ since: '7d' })],
    ['n8n_list_workflows', () => ({ name: 'workflow 39', limit: 250 })],
  ])('%s searches all workflows within seconds', async (name, args) => {
    const began = performance.now();
    await call(name, args());
    const ms = performance.now() - began;
    // A generous limit, so that only a real problem fails on a busy machine.
    expect(ms).toBeLessThan(30_000);
  });

  test('a page of workflows costs one request to n8n, however many workflows there are', async () => {
    const asked = vi.spyOn(globalThis, 'fetch');
    try {
      await call('n8n_list_workflows', { limit: 100 });
      const addresses = asked.mock.calls.flatMap(([url]) => (typeof url === 'string' ? [url] : []));
      // The bridge may list workflows at the same time, with another limit.
      expect(addresses.filter((url) => /\/api\/v1\/workflows\?(.*&)?limit=100(&|$)/.test(url))).toHaveLength(1);
    } finally {
      asked.mockRestore();
    }
  });

  test.each([undefined, 7, 250])(
    'the whole list can be read page by page, each workflow once (limit %s)',
    async (limit) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const args = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
        const page = (await call('n8n_list_workflows', args)).structuredContent as {
          workflows: { id: string; name: string }[];
          cursor?: string;
        };
        seen.push(...page.workflows.filter(({ name }) => name.startsWith(prefix)).map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      const there: string[] = [];
      for await (const { id, name } of n8n.workflows.all()) if (name.startsWith(prefix)) there.push(id);
      expect(seen.toSorted()).toEqual(there.toSorted());
    },
    60_000,
  );
});
