/** How clients see, call and confirm the tools for n8n through the gateway. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import {
  type CallResult,
  callTool,
  connectV2,
  type Json,
  send,
  startGateway,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { call } from '../../support/exchange.ts';
import { reachN8n } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('the tools for n8n, as a client calls them', () => {
  const prefix = `calling-${crypto.randomUUID().slice(0, 8)}`;
  let gateway: TestGateway;
  let client: N8nClient;
  let id: string;

  beforeAll(async () => {
    const { url, apiKey, owner: login } = await reachN8n();
    gateway = await startGateway({ n8n: { default: { url, apiKey, ...(login && { login }) } } }, { env: sharedCache });
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    id = await made('one');
  }, N8N_START_MS);

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    for await (const workflow of client?.workflows.all() ?? [])
      if (workflow.name.startsWith(prefix)) await client.workflows.delete(workflow.id);
  });

  async function made(name: string, nodes: unknown[] = []): Promise<string> {
    const { workflow } = await ok<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} ${name}`,
      nodes,
      validate: 'off',
    });
    return workflow.id;
  }

  const result = async (name: string, args: Json): Promise<CallResult> => (await call(gateway.mcp, name, args)).result;

  async function ok<T = Json>(name: string, args: Json): Promise<T> {
    const answer = await result(name, args);
    expect(answer.isError, textOf(answer)).toBeUndefined();
    return answer.structuredContent as T;
  }

  async function refused(name: string, args: Json): Promise<string> {
    const answer = await result(name, args);
    expect(answer.isError).toBe(true);
    return textOf(answer);
  }

  /** Calls a tool that needs confirmation. Returns the question and the token. */
  async function asked(tool: string, params: Json): Promise<{ text: string; confirm?: string; code?: string }> {
    const answer = await result('n8n_call', { tool, params });
    expect(answer.isError).toBe(true);
    return { text: textOf(answer), ...((answer._meta as Json)['sluice/error'] as object) };
  }

  const ADVICE = 'Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": ';

  describe('a tool that deletes says what it will delete before it asks for confirmation', () => {
    test('a workflow: its name, whether it is live, and its callers', async () => {
      const trigger = {
        name: 'Start',
        type: 'n8n-nodes-base.executeWorkflowTrigger',
        typeVersion: 1.1,
        parameters: { inputSource: 'passthrough' },
      };
      const sub = await made('sub', [trigger]);
      const by = {
        name: 'Call',
        type: 'n8n-nodes-base.executeWorkflow',
        typeVersion: 1.2,
        parameters: { workflowId: { __rl: true, mode: 'id', value: sub } },
      };
      const caller = await made('caller', [by]);
      await ok('n8n_publish_workflow', { id: sub });
      const first = await asked('delete_workflow', { id: sub });
      expect(first.text).toBe(
        `n8n_delete_workflow needs confirmation. It deletes the workflow "${prefix} sub" (${sub}, live) with all executions; a backup is kept. 1 workflow will miss it: "${prefix} caller" (${caller}) as sub-workflow. ${ADVICE}"${first.confirm}" within 10 minutes.`,
      );
      const both = await asked('delete_workflow', { id: [sub, caller, 'nowhere'] });
      expect(both.text).toContain(
        `It deletes 2 workflows: "${prefix} sub" (${sub}, live), "${prefix} caller" (${caller}) with all executions; a backup is kept. Not found: nowhere. No other workflow uses them.`,
      );
      // Flat or nested arguments, short or full name: the token confirms the same call.
      expect(await ok('n8n_call', { tool: 'n8n_delete_workflow', id: sub, confirm: first.confirm })).toMatchObject({
        deleted: [{ id: sub }],
      });
      expect(await refused('n8n_call', { tool: 'n8n_delete_workflow', id: sub })).toMatch(/^No workflow /);
    });

    test('a credential: refused while it is in use; with force, the workflows that will lack it', async () => {
      const { credential } = await ok<{ credential: { id: string } }>('n8n_create_credential', {
        name: `${prefix} key`,
        type: 'httpHeaderAuth',
        data: { name: 'x', value: 'y' },
      });
      const user = await made('user', [
        {
          name: 'Get',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4.2,
          parameters: { url: 'http://127.0.0.1:9' },
          credentials: { httpHeaderAuth: { id: credential.id, name: `${prefix} key` } },
        },
      ]);
      const used = await asked('delete_credential', { id: credential.id });
      expect(used).toMatchObject({
        code: 'conflict',
        text: expect.stringContaining('is used by a workflow') as string,
      });
      const forced = await asked('delete_credential', { id: credential.id, force: true });
      expect(forced.text).toContain(
        `It deletes the credential "${prefix} key" (${credential.id}, httpHeaderAuth) for good: its values cannot be brought back. 1 workflow will fail without it: "${prefix} user" (${user}).`,
      );
      await ok('n8n_call', { tool: 'delete_credential', id: credential.id, force: 'true', confirm: forced.confirm });
      expect((await asked('delete_credential', { id: credential.id })).code).toBe('not_found');
    });

    test('a data table, its columns and its rows: how many rows, and the workflows that use it', async () => {
      const name = `${prefix} table`;
      const { id: table } = await ok<{ id: string }>('n8n_create_data_table', {
        name,
        columns: ['a', 'b'].map((column) => ({ name: column, type: 'number' })),
      });
      await ok('n8n_write_rows', { table, rows: [{ a: 1 }, { a: 2 }, { a: 3 }] });
      const dataTableId = { __rl: true, mode: 'id', value: table };
      const reads = { name: 'Read', type: 'n8n-nodes-base.dataTable', typeVersion: 1, parameters: { dataTableId } };
      const user = await made('reader', [reads]);
      const users = `1 workflow uses it: "${prefix} reader" (${user}).`;
      // Only deleting columns is asked about.
      await ok('n8n_update_data_table', {
        table,
        rename_columns: { b: 'c' },
        add_columns: [{ name: 'd', type: 'date' }],
      });
      const columns = await asked('update_data_table', { table, delete_columns: ['c'] });
      expect(columns.text).toContain(
        `It deletes 1 column of the data table "${name}" with the values of 3 rows: "c". A backup is kept. ${users}`,
      );
      const rows = await asked('delete_rows', { table, filter: [{ column: 'a', condition: 'gt', value: 1 }] });
      expect(rows.text).toContain(
        `It deletes 2 rows of the data table "${name}" (${table}); a backup of them is kept.`,
      );
      expect(await ok('n8n_delete_rows', { table, filter: { a: 99 } })).toMatchObject({ deleted: 0 });
      const { text, confirm } = await asked('delete_data_table', { table: name });
      expect(text).toContain(`It deletes the data table "${name}" (${table}) with 3 rows; a backup is kept. ${users}`);
      await ok('n8n_call', { tool: 'delete_data_table', table: name, confirm });
      expect(await asked('delete_data_table', { table })).toMatchObject({ code: 'not_found' });
    });

    test('a tag: the workflows that have it', async () => {
      const tag = prefix.slice(-12);
      const { id: tagId } = await ok<{ id: string }>('n8n_create_tag', { name: tag });
      await ok('n8n_set_workflow_tags', { id, tags: [tag] });
      const { text, confirm } = await asked('delete_tag', { tag });
      expect(text).toContain(
        `It deletes the tag "${tag}" (${tagId}). 1 workflow will lose it: "${prefix} one" (${id}).`,
      );
      await ok('n8n_call', { tool: 'delete_tag', tag, confirm });
      expect(await asked('delete_tag', { tag })).toMatchObject({ code: 'not_found' });
    });

    test('executions: their ids, workflow and status', async () => {
      const start = { name: 'Hook', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
      const ran = await made('ran', [start]);
      const { execution } = await ok<{ execution: string }>('n8n_execute_workflow', { id: ran });
      const { text, confirm } = await asked('delete_execution', { id: [execution, '999999999'] });
      expect(text).toMatch(
        new RegExp(
          `It deletes the record and the data of execution ${execution} \\("${prefix} ran", success, .*\\)\\. Not found: 999999999\\.`,
        ),
      );
      await ok('n8n_call', { tool: 'delete_execution', id: [Number(execution), 999999999], confirm });
      expect(await asked('delete_execution', { id: execution })).toMatchObject({ code: 'not_found' });
    });

    test('backups: how many; no confirmation for a dry run or if none would be deleted', async () => {
      const changed = await made('changed');
      for (const name of ['b1', 'b2', 'b3', 'b4'])
        await ok('n8n_update_workflow', { id: changed, name: `${prefix} ${name}`, validate: 'off' });
      const prune = { tool: 'prune_backups', workflow: changed, keep: 1 };
      const dry = await ok<{ would_go: number; deleted: number }>('n8n_call', { ...prune, dry_run: true });
      expect(dry).toMatchObject({ deleted: 0 });
      expect(dry.would_go).toBeGreaterThan(0);
      const first = await asked('prune_backups', { workflow: changed, keep: 1 });
      expect(first.text).toMatch(
        new RegExp(`It deletes ${dry.would_go} backups? \\(\\d+ bytes\\) for good: .+\\. \\d+ stay\\.`),
      );
      expect(await ok('n8n_call', { ...prune, confirm: first.confirm })).toMatchObject({ deleted: dry.would_go });
      expect(await ok('n8n_call', prune)).toMatchObject({ deleted: 0 });
      expect(await asked('prune_backups', { workflow: 'nowhere' })).toMatchObject({ code: 'not_found' });
    });

    test('the bridge: what was generated', async () => {
      const answer = await result('bridge_cleanup', {});
      expect(textOf(answer)).toMatch(
        /^bridge_cleanup needs confirmation\. It .*generated workflow.* n8n default.*revokes the consent/,
      );
      expect(await refused('bridge_cleanup', { workflows: ['nowhere'] })).toMatch(
        /^No workflow nowhere in default was chosen\./,
      );
    });

    test('the user sees the same text in an elicitation', async () => {
      const messages: unknown[] = [];
      await using person = await connectV2(gateway, {
        era: 'legacy',
        answer(_, params) {
          messages.push(params?.message);
          return { action: 'decline' };
        },
      });
      await callTool(person, 'n8n_call', { tool: 'delete_workflow', params: { id } });
      expect(messages).toEqual([
        expect.stringContaining(`Allow n8n_delete_workflow? It deletes the workflow "${prefix} one`),
      ]);
      await callTool(person, 'n8n_call', { tool: 'delete_workflow', params: { id: 'nowhere' } });
      expect(messages).toHaveLength(1);
    });

    test('REST answers the same', async () => {
      const { status, messages } = await send(`${gateway.url}/api/v1/mcp/invoke`, {
        body: { name: 'n8n_delete_workflow', arguments: { id } },
      });
      expect(status).toBe(409);
      expect(JSON.stringify(messages[0])).toContain(`It deletes the workflow`);
      const absent = await send(`${gateway.url}/api/v1/mcp/invoke`, {
        body: { name: 'n8n_delete_workflow', arguments: { id: 'nowhere' } },
      });
      expect(absent.status).toBe(404);
    });
  });

  describe('arguments', () => {
    test.each<[string, (of: string) => Json]>([
      ['in params', (of) => ({ tool: 'n8n_get_workflow', params: { id: of } })],
      ['in arguments', (of) => ({ tool: 'n8n_get_workflow', arguments: { id: of } })],
      ['as text', (of) => ({ tool: 'n8n_get_workflow', params: JSON.stringify({ id: of }) })],
      ['next to the tool', (of) => ({ tool: 'n8n_get_workflow', id: of })],
      ['of a tool named without its source', (of) => ({ tool: 'get_workflow', id: of })],
    ])('%s mean the same', async (_, args) => {
      for (const wrapper of ['n8n_read', 'n8n_call'])
        expect(await ok(wrapper, args(id))).toMatchObject({ workflow: { id, name: `${prefix} one` } });
    });

    test('that are unknown are refused with the known ones', async () => {
      for (const wrapper of ['n8n_read', 'n8n_call'])
        expect(await refused(wrapper, { tool: 'n8n_list_workflows', nme: 'x' })).toMatch(
          /^n8n_list_workflows was not called: unknown key "nme"\. Did you mean "name"\? Known keys: instance, .*name/,
        );
    });

    test('that are unknown inside params or operations are refused with the known ones', async () => {
      expect(await refused('n8n_read', { tool: 'n8n_list_workflows', params: { nme: 'x' } })).toMatch(
        /^n8n_list_workflows was not called: unknown key "nme"\. Did you mean "name"\? Known keys: instance, .*name/,
      );
      const operations = [{ op: 'connect', from: 'A', to: 'B', type: 'main' }];
      expect(await refused('n8n_call', { tool: 'n8n_edit_workflow', id, operations })).toBe(
        'n8n_edit_workflow was not called: operations.0: unknown key "type". Known keys: op, from, to, kind, output, input.',
      );
    });

    test('of an exported workflow can be pasted next to the tool name', async () => {
      const exported = {
        ...((await client.http.ask('GET', `/api/v1/workflows/${id}`)) as Json),
        name: `${prefix} pasted`,
      };
      const { workflow, note } = await ok<{ workflow: { name: string }; note: string }>('n8n_call', {
        tool: 'create_workflow',
        ...exported,
      });
      expect(workflow.name).toBe(`${prefix} pasted`);
      expect(note).toContain('createdAt');
      expect(await ok('n8n_read', { tool: 'validate_workflow', purpose: 'save', ...exported })).toMatchObject({
        purpose: 'save',
      });
      expect(await refused('n8n_call', { tool: 'create_workflow', name: 'x', conections: {} })).toContain(
        'conections: unknown. Did you mean "connections"?',
      );
    });

    test('for a tool of another source get an error that says how to call it', async () => {
      expect(await refused('n8n_call', { tool: 'search_nodes', params: { query: 'slack' } })).toBe(
        'Call search_nodes directly, not through a wrapper.',
      );
      expect(await refused('n8n_call', { tool: 'bridge_status' })).toBe('Call bridge_status through bridge_call.');
    });

    test('are converted between numbers and strings, but never inside data', async () => {
      expect(await ok('n8n_read', { tool: 'list_workflows', limit: '1', name: prefix })).toMatchObject({
        workflows: [expect.anything()],
      });
      expect(await refused('n8n_read', { tool: 'get_workflow', id: 5 })).toMatch(/No workflow 5\b/);
      const node = { name: 'Data', type: 'n8n-nodes-base.noOp', typeVersion: '1', parameters: { a: '1', b: 2 } };
      const other = await made('data', [node]);
      expect((await client.workflows.get(other)).nodes).toMatchObject([
        { typeVersion: 1, parameters: { a: '1', b: 2 } },
      ]);
    });
  });
});
