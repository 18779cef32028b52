import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { findTools } from '../../../src/n8n/find/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { hook, line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Found {
  searched: number;
  found: number;
  workflows: { id: string; name: string; active: boolean; hits: Json[]; more_hits?: number }[];
  cursor?: string;
}

interface Dependencies {
  of: Json;
  uses: Json[];
  used_by: Json[];
  affected: Json[];
  counts: Record<string, number>;
}

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('finding things in n8n', () => {
  let bench: Workbench;
  let mark: string;
  let credential: { id: string; name: string };
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    bench = await openWorkbench(findTools);
    mark = bench.name('').replace(/-$/, '');
    credential = await bench.client.credentials.create({
      name: bench.name('token'),
      type: 'httpHeaderAuth',
      data: { name: 'x-token', value: 'never-to-be-shown' },
    });
    const auth = { credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } } };
    const sub = await make(
      bench,
      'sub',
      line(node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), set('End', '{}')),
    );
    const errors = await make(bench, 'errors', line(node('Failed', 'errorTrigger', 1), set('End', '{}')));
    const calls = (value: string) =>
      node('Call', 'executeWorkflow', 1.2, { workflowId: { __rl: true, mode: 'id', value }, options: {} });
    const middle = await make(
      bench,
      'middle',
      line(node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), calls(sub.id)),
    );
    const table = node('Rows', 'dataTable', 1, {
      resource: 'row',
      operation: 'get',
      dataTableId: { __rl: true, mode: 'list', value: `${mark}table`, cachedResultName: `${mark} prices` },
    });
    const top = await make(bench, 'top', line(hook(`${mark}/orders/:id`), calls(middle.id), table), {
      publish: false,
      settings: { errorWorkflow: errors.id },
    });
    const api = await make(
      bench,
      'api',
      line(
        node('Go', 'manualTrigger', 1),
        node(
          'Get',
          'httpRequest',
          4.2,
          { url: `=https://api.${mark}.example.com/v2/users/{{ $json.userId }}/orders`, options: {} },
          auth,
        ),
        node('Script', 'code', 2, { jsCode: `// first\nconst x = "${mark}-in-code";\nreturn [{ json: { x } }];` }),
        node('Caller', 'httpRequest', 4.2, { url: `${bench.url}/webhook/${mark}/hooked`, options: {} }),
      ),
      { publish: false },
    );
    const hooked = await make(bench, 'hooked', line(hook(`${mark}/hooked`), calls('={{ $json.body.which }}')));
    Object.assign(ids, {
      sub: sub.id,
      errors: errors.id,
      middle: middle.id,
      top: top.id,
      api: api.id,
      hooked: hooked.id,
    });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench.client.credentials.delete(credential.id);
    await bench[Symbol.asyncDispose]();
  });

  const search = (args: Json) => bench.call<Found>('n8n_search_workflows', args);
  const names = ({ workflows }: Found) => workflows.map((one) => one.name.slice(bench.name('').length)).sort();

  describe('searching', () => {
    test('a URL or part of it finds the nodes that call it; expressions match anything', async () => {
      for (const url of [`api.${mark}.example.com`, `https://api.${mark}.example.com/v2/users/17/orders`]) {
        const found = await search({ url });
        expect(found.workflows).toMatchObject([
          { id: ids.api, hits: [{ by: 'url', node: 'Get', where: 'parameters.url' }] },
        ]);
      }
      expect((await search({ url: `https://api.${mark}.example.com/v3/users` })).found).toBe(0);
    });

    test('code is found with its line', async () => {
      const { workflows } = await search({ code: `${mark}-IN-code` });
      expect(workflows).toMatchObject([
        { id: ids.api, hits: [{ node: 'Script', where: 'parameters.jsCode', match: `const x = "${mark}-in-code";` }] },
      ]);
    });

    test('a credential is found by id and by name, and never by its value', async () => {
      for (const wanted of [credential.id, credential.name]) {
        const { workflows } = await search({ credential: wanted });
        expect(workflows).toMatchObject([
          { id: ids.api, hits: [{ node: 'Get', where: 'credentials.httpHeaderAuth', match: credential.name }] },
        ]);
      }
      expect((await search({ text: 'never-to-be-shown' })).found).toBe(0);
    });

    test('a webhook is found by path, by address, and by an address with its parameters filled in', async () => {
      expect(names(await search({ webhook_path: `${mark}/hooked` }))).toEqual(['hooked']);
      expect(names(await search({ webhook_path: `${bench.url}/webhook/${mark}/hooked?a=1` }))).toEqual(['hooked']);
      expect(names(await search({ webhook_path: `${mark}/orders/42` }))).toEqual(['top']);
    });

    test('a type, an expression and a text are found, and several criteria must all be met', async () => {
      expect(names(await search({ node_type: 'dataTable', text: mark }))).toEqual(['top']);
      expect(names(await search({ expression: '$json.userId', text: mark }))).toEqual(['api']);
      expect(names(await search({ text: bench.name('') }))).toEqual([
        'api',
        'errors',
        'hooked',
        'middle',
        'sub',
        'top',
      ]);
      expect((await search({ node_type: 'dataTable', credential: credential.id })).found).toBe(0);
      expect(names(await search({ text: bench.name(''), active: false }))).toEqual(['api', 'top']);
    });

    test('a published version matches even if the draft no longer does', async () => {
      const before = await make(bench, 'moved', line(hook(`${mark}/old`), set('End', '{}')));
      const moved = { ...(before.nodes[0] as (typeof before.nodes)[number]) };
      moved.parameters = { ...moved.parameters, path: `${mark}/new` };
      await bench.client.workflows.update(
        before.id,
        { name: before.name, ...line(moved, set('End', '{}')), settings: {} },
        false,
      );
      expect((await search({ webhook_path: `${mark}/old` })).workflows).toMatchObject([
        { id: before.id, hits: [{ live: true }] },
      ]);
      const saved = (await search({ webhook_path: `${mark}/new` })).workflows[0]?.hits[0];
      expect(saved?.live).toBeUndefined();
      await bench.client.workflows.delete(before.id);
    });

    test('a cursor works only with the same criteria', async () => {
      const first = await search({ text: bench.name(''), limit: 4 });
      const second = await search({ text: bench.name(''), limit: 4, cursor: first.cursor });
      expect(first.workflows.length + second.workflows.length).toBe(first.found);
      expect(second.cursor).toBeUndefined();
      await expect(search({ text: 'other', cursor: first.cursor })).rejects.toThrow('other filters');
      await expect(search({})).rejects.toThrow('Pass at least one of node_type');
    });
  });

  describe('dependencies', () => {
    const dependencies = (args: Json) => bench.call<Dependencies>('n8n_get_dependencies', args);

    test('of a sub-workflow: its direct and indirect callers', async () => {
      const found = await dependencies({ id: ids.sub });
      expect(found.used_by).toMatchObject([{ id: ids.middle, kind: 'sub-workflow', node: 'Call' }]);
      expect(found.affected).toMatchObject([
        { id: ids.middle, active: true, depth: 1 },
        { id: ids.top, active: false, depth: 2, through: bench.name('middle') },
      ]);
      expect(found.counts).toMatchObject({ affected: 2, affected_active: 1 });
      expect(found.counts.dynamic).toBeGreaterThan(0);
    });

    test('of a workflow: what it uses, by name, and what is missing', async () => {
      const found = await dependencies({ id: ids.top });
      expect(found.uses).toMatchObject([
        { kind: 'error workflow', id: ids.errors, name: bench.name('errors') },
        { kind: 'sub-workflow', id: ids.middle, name: bench.name('middle'), node: 'Call' },
        { kind: 'data table', id: `${mark}table`, name: `${mark} prices` },
      ]);
      expect(found.used_by).toEqual([]);
      const gone = await make(
        bench,
        'gone',
        line(
          node('Go', 'manualTrigger', 1),
          node('Call', 'executeWorkflow', 1.2, {
            workflowId: { __rl: true, mode: 'id', value: 'doesNotExist' },
            options: {},
          }),
        ),
        { publish: false },
      );
      expect((await dependencies({ id: gone.id })).uses).toMatchObject([{ id: 'doesNotExist', missing: true }]);
    });

    test('of an error workflow, and of a webhook that another workflow calls by its address', async () => {
      expect((await dependencies({ id: ids.errors })).used_by).toMatchObject([{ id: ids.top, kind: 'error workflow' }]);
      expect((await dependencies({ id: ids.hooked })).used_by).toMatchObject([
        { id: ids.api, kind: 'webhook', node: 'Caller' },
      ]);
      expect((await dependencies({ id: ids.hooked })).uses).toMatchObject([
        { kind: 'sub-workflow', name: '={{ $json.body.which }}' },
      ]);
    });

    test('of a credential and of a data table, by id or name', async () => {
      for (const wanted of [credential.id, credential.name]) {
        expect((await dependencies({ credential: wanted })).used_by).toMatchObject([{ id: ids.api, node: 'Get' }]);
      }
      for (const wanted of [`${mark}table`, `${mark} prices`]) {
        expect((await dependencies({ data_table: wanted })).used_by).toMatchObject([{ id: ids.top, node: 'Rows' }]);
      }
      await expect(dependencies({ credential: `${credential.name}x` })).rejects.toThrow(
        `Did you mean ${credential.name}?`,
      );
    });

    test('of a data table are the same by id and by name, however workflows refer to it', async () => {
      const tables = '/api/v1/data-tables';
      const name = bench.name('Prices');
      const body = { name, columns: [{ name: 'sku', type: 'string' }] };
      const table = (await bench.client.http.ask('POST', tables, { body })) as { id: string };
      const other = (await bench.client.http.ask('POST', tables, { body: { ...body, name: `${name} old` } })) as {
        id: string;
      };
      const uses = async (title: string, dataTableId: unknown) => {
        const rows = node('Rows', 'dataTable', 1, { resource: 'row', operation: 'get', dataTableId });
        return (await make(bench, title, line(node('Go', 'manualTrigger', 1), rows), { publish: false })).id;
      };
      try {
        const users = [
          await uses('by-id', { __rl: true, mode: 'id', value: table.id }),
          await uses('by-list', {
            __rl: true,
            mode: 'list',
            value: table.id,
            cachedResultName: 'before it was renamed',
          }),
          await uses('by-name', { __rl: true, mode: 'name', value: name.toUpperCase() }),
        ];
        const lost = await uses('by-lost-name', { __rl: true, mode: 'name', value: `${name}-gone` });
        await uses('dynamic', { __rl: true, mode: 'name', value: '={{ $json.table }}' });
        const found = await dependencies({ data_table: table.id });
        expect(found.of).toEqual({ kind: 'data table', id: table.id, name });
        expect(new Set(found.used_by.map((one) => one.id))).toEqual(new Set(users));
        expect(await dependencies({ data_table: name })).toEqual(found);
        expect(await dependencies({ data_table: name.toLowerCase() })).toEqual(found);
        for (const id of users) {
          const used = (await dependencies({ id })).uses;
          expect(used).toEqual([
            { kind: 'data table', id: table.id, name, node: 'Rows', where: 'parameters.dataTableId' },
          ]);
        }
        expect((await dependencies({ id: lost })).uses).toMatchObject([{ name: `${name}-gone`, missing: true }]);
        expect((await dependencies({ data_table: `${name}-gone` })).used_by).toMatchObject([{ id: lost }]);
        expect(await dependencies({ data_table: other.id })).toMatchObject({
          of: { name: `${name} old` },
          used_by: [],
        });
      } finally {
        for (const { id } of [table, other]) await bench.client.http.ask('DELETE', `${tables}/${id}`);
      }
    });

    test('of nothing, of two things or of an unknown workflow are refused', async () => {
      await expect(dependencies({})).rejects.toThrow('one of id, credential, data_table and credentials');
      await expect(dependencies({ id: 'a', credential: 'b' })).rejects.toThrow('one of id');
      await expect(dependencies({ id: bench.name('middel') })).rejects.toThrow(ids.middle);
    });
  });
});
