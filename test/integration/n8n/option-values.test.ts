import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstances } from '../../../src/n8n/instances.ts';
import { createOptionValues } from '../../../src/n8n/nodes/option-values.ts';
import type { OptionSource, OptionValues } from '../../../src/nodes/options/option-values.ts';
import { getNodeOptions } from '../../../src/nodes/tools/get-node-options.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { caller } from '../../support/node-tools.ts';
import { line, make, node, set } from '../../support/workflows.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';

const signal = () => AbortSignal.timeout(20_000);
const langchain = '@n8n/n8n-nodes-langchain';

describe.skipIf(process.env.N8N_TEST_URL === undefined && n8nIsMissing)('values that n8n looks up', () => {
  let bench: Workbench;
  let options: OptionValues;
  let service: Server;
  let asked: string[] = [];
  let broken = false;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    bench = await openWorkbench([]);
    options = createOptionValues(instances(bench));
    // Fakes two model providers: Ollama and OpenAI.
    service = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
      response.writeHead(broken ? 401 : 200, { 'content-type': 'application/json' });
      const models = Array.from({ length: 30 }, (_, place) => `gpt-test-${place}`);
      const answer = request.url?.startsWith('/api/tags')
        ? { models: [{ name: 'llama-test' }, { name: 'mistral-test' }] }
        : { object: 'list', data: models.map((id) => ({ id, object: 'model' })) };
      response.end(JSON.stringify(broken ? { error: { message: 'wrong key' } } : answer));
    }).listen(0, '127.0.0.1');
    await new Promise((done) => service.once('listening', done));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const credential = (type: string, data: Record<string, unknown>) =>
      bench.client.credentials.create({ name: bench.name(type), type, data });
    const [ollama, openAi, table] = await Promise.all([
      credential('ollamaApi', { baseUrl: url, apiKey: '' }),
      credential('openAiApi', { apiKey: 'sk-never-shown', url: `${url}/v1`, header: false }),
      bench.client.http.ask('POST', '/api/v1/data-tables', {
        body: {
          name: bench.name('prices'),
          columns: [
            { name: 'sku', type: 'string' },
            { name: 'price', type: 'number' },
          ],
        },
      }),
    ]);
    const called = await make(
      bench,
      'called',
      line(
        node('Called', 'executeWorkflowTrigger', 1.1, {
          workflowInputs: { values: [{ name: 'customer' }, { name: 'amount', type: 'number' }] },
        }),
        set('End', '{}'),
      ),
    );
    Object.assign(ids, {
      ollama: ollama.id,
      openAi: openAi.id,
      table: (table as { id: string }).id,
      called: called.id,
    });
  }, N8N_START_MS);

  afterAll(async () => {
    service?.closeAllConnections();
    service?.close();
    for (const id of [ids.ollama, ids.openAi]) if (id !== undefined) await bench.client.credentials.delete(id);
    if (ids.table !== undefined) await bench.client.http.ask('DELETE', `/api/v1/data-tables/${ids.table}`);
    await bench?.[Symbol.asyncDispose]();
  });

  const table = (path: string, source: OptionSource, parameters: Record<string, unknown> = {}) =>
    options.read(undefined, { node: 'n8n-nodes-base.dataTable', version: 1.1, path, source, parameters }, signal());

  test('from a search: the data tables of this n8n', async () => {
    const source = { by: 'search', method: 'tableSearch', searchable: true, filterRequired: false } as const;
    const parameters = { resource: 'row', operation: 'get' };
    const request = { node: 'n8n-nodes-base.dataTable', version: 1.1, path: 'dataTableId', source, parameters };
    const found = await options.read(undefined, { ...request, query: bench.name('prices') }, signal());
    expect(found.values).toEqual([{ name: bench.name('prices'), value: ids.table }]);
    expect((await options.read(undefined, { ...request, query: 'nothing is called this' }, signal())).values).toEqual(
      [],
    );
  });

  test('from a method of the node: columns, and the fields to fill', async () => {
    const parameters = {
      resource: 'row',
      operation: 'insert',
      dataTableId: { __rl: true, mode: 'id', value: ids.table },
    };
    const columns = await table(
      'filters.conditions[0].keyName',
      { by: 'method', method: 'getDataTableColumns' },
      parameters,
    );
    expect(columns.values.map(({ value }) => value)).toEqual(expect.arrayContaining(['id', 'sku', 'price']));
    const fields = await table('columns', { by: 'fields', method: 'getDataTables', local: false }, parameters);
    expect(fields.values).toEqual([
      expect.objectContaining({ value: 'sku', type: 'string' }),
      expect.objectContaining({ value: 'price', type: 'number' }),
    ]);
  });

  test('from n8n itself: workflows, and the inputs of a workflow', async () => {
    const request = { node: 'n8n-nodes-base.executeWorkflow', version: 1.3, parameters: {} };
    const all = await options.read(
      undefined,
      { ...request, path: 'workflowId', source: { by: 'workflows' } },
      signal(),
    );
    expect(all.values).toContainEqual({ name: bench.name('called'), value: ids.called });
    const inputs = await options.read(
      undefined,
      {
        ...request,
        path: 'workflowInputs',
        source: { by: 'fields', method: 'loadSubWorkflowInputs', local: true },
        parameters: { source: 'database', workflowId: { __rl: true, mode: 'id', value: ids.called } },
      },
      signal(),
    );
    expect(inputs.values.map(({ value, type }) => [value, type])).toEqual([
      ['customer', 'string'],
      ['amount', 'number'],
    ]);
  });

  test('from a service, with the credential, by a request or a search', async () => {
    const credential = await options.credential(undefined, ids.ollama as string, signal());
    expect(credential).toEqual({ id: ids.ollama, name: bench.name('ollamaApi'), type: 'ollamaApi' });
    const models = await options.read(
      undefined,
      {
        node: `${langchain}.lmChatOllama`,
        version: 1,
        path: 'model',
        source: { by: 'request' },
        parameters: {},
        credential,
      },
      signal(),
    );
    expect(models.values.map(({ value }) => value)).toEqual(['llama-test', 'mistral-test']);
    const openAi = await options.credential(undefined, ids.openAi as string, signal());
    asked = [];
    const found = await options.read(undefined, { ...openAiModels, credential: openAi, query: 'test-7' }, signal());
    expect(found.values).toEqual([{ name: 'gpt-test-7', value: 'gpt-test-7' }]);
    expect(asked).toEqual([expect.stringContaining('Bearer sk-never-shown')]);
  });

  test('an error of the service is reported without the secret', async () => {
    const credential = await options.credential(undefined, ids.openAi as string, signal());
    broken = true;
    try {
      const failure = await options.read(undefined, { ...openAiModels, credential }, signal()).then(
        () => 'no failure',
        (error: Error) => error.message,
      );
      expect(failure).toMatch(/answered 4\d\d.*credential is valid/);
      expect(failure).toMatch(/n8n_test_credential/);
      expect(failure).not.toContain('sk-never-shown');
    } finally {
      broken = false;
    }
  });

  test('an unknown credential is reported', async () => {
    await expect(options.credential(undefined, 'nonesuch', signal())).rejects.toThrow(
      /no credential nonesuch.*n8n_list_credentials/,
    );
    await expect(options.credential(undefined, '../login', signal())).rejects.toThrow(/no credential/);
  });

  test('without a login the error says what is missing and what works instead; workflows are still listed', async () => {
    const { url, apiKey } = await reachN8n();
    const keyOnly = createOptionValues(createInstances({ default: { url, apiKey, timeoutMs: 30_000 } }));
    await expect(keyOnly.read(undefined, openAiModels, signal())).rejects.toThrow(
      /n8n\.default\.login.*get_node_property/,
    );
    const request = { node: 'n8n-nodes-base.executeWorkflow', version: 1.3, path: 'workflowId', parameters: {} };
    const all = await keyOnly.read(undefined, { ...request, source: { by: 'workflows' } }, signal());
    expect(all.values.map(({ value }) => value)).toContain(ids.called);
  });

  describe.skipIf(catalogueIsMissing)('as a tool', () => {
    const ask = (args: Record<string, unknown>) =>
      caller(testCatalogue(), { options })<{
        from: string;
        values: { name: string; value: unknown; type?: string }[];
        set_as?: unknown;
        depends_on?: string[];
        note?: string;
        cursor?: string;
      }>(getNodeOptions, args);

    test('only the parameter is needed; the tool finds out how to look it up', async () => {
      const parameters = {
        resource: 'row',
        operation: 'insert',
        dataTableId: { __rl: true, mode: 'id', value: ids.table },
      };
      const columns = await ask({ node: 'n8n-nodes-base.dataTable', property: 'columns', parameters });
      expect(columns).toMatchObject({
        from: 'n8n',
        depends_on: ['dataTableId'],
        values: [{ value: 'sku' }, { value: 'price', type: 'number' }],
      });
      const tables = await ask({ node: 'dataTable', property: 'dataTableId', query: bench.name('prices') });
      const { table: value } = ids;
      expect(tables.set_as).toEqual({
        dataTableId: { __rl: true, mode: 'list', value, cachedResultName: bench.name('prices') },
      });
      const keys = await ask({
        node: 'n8n-nodes-base.dataTable',
        property: 'keyName',
        parameters: { ...parameters, operation: 'get' },
      });
      expect(keys.values.map(({ value }) => value)).toContain('sku');
    });

    test('a long list continues with a cursor', async () => {
      const args = {
        node: `${langchain}.lmChatOpenAi`,
        property: 'model',
        credential: ids.openAi,
        query: 'gpt-test',
        limit: 20,
      };
      const first = await ask(args);
      const second = await ask({ ...args, cursor: first.cursor });
      expect([first.values.length, second.values.length, second.cursor]).toEqual([20, 10, undefined]);
      expect(new Set([...first.values, ...second.values].map(({ value }) => value)).size).toBe(30);
      await expect(ask({ ...args, query: 'other', cursor: first.cursor })).rejects.toThrow(/cursor/);
    });

    test('a read-only caller cannot make n8n send a credential to a URL of their choice', async () => {
      const { port } = service.address() as AddressInfo;
      const args = {
        node: `${langchain}.lmChatOpenAi`,
        // In later versions the URL is part of the credential.
        version: 1,
        property: 'model',
        credential: ids.openAi,
        parameters: { options: { baseURL: `http://127.0.0.1:${port}/elsewhere` } },
      };
      const elsewhere = () => asked.filter((one) => one.startsWith('/elsewhere') && one.includes('sk-never-shown'));
      const reading = { id: 'reader', scopes: new Set(['n8n:read', 'nodes:read']) };
      for (const principal of [reading, { ...reading, scopes: 'all' as const, readOnly: true }]) {
        await expect(caller(testCatalogue(), { options }, principal)(getNodeOptions, args)).rejects.toThrow(
          /options\.baseURL may control where n8n sends/,
        );
      }
      expect(elsewhere()).toEqual([]);
      // A caller with write access can: n8n does send it there.
      await ask(args);
      expect(elsewhere()).toHaveLength(1);
    });

    test('a missing or wrong credential is an error that names the type it needs', async () => {
      const model = { node: `${langchain}.lmChatOllama`, property: 'model' };
      await expect(ask(model)).rejects.toThrow(/Set "credential".*type ollamaApi.*n8n_list_credentials/);
      await expect(ask({ ...model, credential: ids.openAi })).rejects.toThrow(
        /is of type openAiApi.*It takes ollamaApi/,
      );
      expect((await ask({ ...model, credential: ids.ollama, query: 'MISTRAL' })).values).toEqual([
        { name: 'mistral-test', value: 'mistral-test' },
      ]);
    });

    test('fixed choices work without n8n; others say that they need it', async () => {
      const alone = caller(testCatalogue());
      const { from, values } = await alone<{ from: string; values: { value: unknown }[] }>(getNodeOptions, {
        node: 'n8n-nodes-base.httpRequest',
        property: 'method',
      });
      expect([from, values.map(({ value }) => value)]).toEqual(['node', expect.arrayContaining(['GET', 'POST'])]);
      await expect(alone(getNodeOptions, { node: 'executeWorkflow', property: 'workflowId' })).rejects.toThrow(
        /none is connected/,
      );
    });
  });
});

const openAiModels = {
  node: `${langchain}.lmChatOpenAi`,
  version: 1.3,
  path: 'model',
  source: { by: 'search', method: 'searchModels', searchable: true, filterRequired: false },
  parameters: { model: { __rl: true, mode: 'list', value: '' } },
} as const;

const instances = ({ client }: Workbench) => ({
  names: () => ['default'],
  get: () => client,
  configure() {},
  onChange: () => () => {},
  onWrite() {},
});
