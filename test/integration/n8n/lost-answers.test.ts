import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import { dataTableTools } from '../../../src/n8n/data-tables/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { answering } from './fixtures.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

/** Cuts the connection of the next matching request: before it reaches n8n, or after n8n has handled it. */
interface Loss {
  method: string;
  path: RegExp;
  when: 'before' | 'after';
  /** How many requests after that get "n8n is starting". */
  starting: number;
}

describe.skipIf(missing)('a lost answer of n8n', () => {
  let bench: Workbench;
  let loss: Loss | undefined;
  let starting = 0;
  let target: string;
  const proxy = createServer((request, response) => void pass(request, response));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const body = await buffer(request);
    const due = loss?.method === method && loss.path.test(url) ? loss : undefined;
    if (due) {
      loss = undefined;
      starting = due.starting;
    } else if (starting > 0) {
      starting--;
      response.writeHead(404, { 'content-type': 'text/html' }).end('<pre>Cannot GET</pre>');
      return;
    }
    if (due?.when === 'before') return void request.socket.destroy();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(`${target}${url}`, { method, headers, ...(body.length > 0 && { body }) });
    const text = await answer.text();
    if (due) return void request.socket.destroy();
    response.setHeader('set-cookie', answer.headers.getSetCookie());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
  }

  beforeAll(async () => {
    const reached = await reachN8n();
    target = reached.url;
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    bench = await openWorkbench([...workflowTools, ...dataTableTools], reached, { url });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    proxy.close();
  });

  beforeEach(() => {
    loss = undefined;
    starting = 0;
  });

  async function make(name: string, more: Json = {}): Promise<string> {
    const full = bench.name(name);
    const args = { name: full, ...answering(full), ...more };
    return (await bench.call<{ workflow: { id: string } }>('n8n_create_workflow', args)).workflow.id;
  }

  const put = (when: Loss['when'], after = 3): Loss => ({ method: 'PUT', path: /workflows/, when, starting: after });
  const disable = (id: string) =>
    bench.call('n8n_edit_workflow', { id, operations: [{ op: 'disable_node', node: 'Answer' }] });

  test('to a save that happened: the call reports it as saved', async () => {
    const id = await make('done');
    loss = put('after');
    expect(await disable(id)).toMatchObject({
      edited: [{ changes: ['~ node "Answer": disabled set to true'], backup: expect.any(String) as string }],
    });
    expect((await bench.client.workflows.get(id)).nodes[1]?.disabled).toBe(true);
  });

  test('to a save that n8n completed with its own values: the call still recognises it', async () => {
    const id = await make('added');
    loss = put('after', 0);
    const node = { name: 'Form', type: 'n8n-nodes-base.formTrigger', typeVersion: 2.2, parameters: { formTitle: 'x' } };
    const added = await bench.call('n8n_edit_workflow', { id, operations: [{ op: 'add_node', node }] });
    expect(added).toMatchObject({ edited: [{ changes: ['+ node "Form" (n8n-nodes-base.formTrigger)'] }] });
    expect((await bench.client.workflows.get(id)).nodes[2]?.webhookId).toEqual(expect.any(String));
  });

  test('to a save that did not happen: the call says so and names the backup', async () => {
    const id = await make('undone');
    const before = await bench.client.workflows.get(id);
    loss = put('before');
    await expect(disable(id)).rejects.toThrow(/was not saved.*It is unchanged.*The backup is \S+/);
    expect(await bench.client.workflows.get(id)).toEqual(before);
  });

  test.each(['before', 'after'] as const)('to a deletion, %s it happened: it is deleted', async (when) => {
    const id = await make(`deleted ${when}`);
    loss = { method: 'DELETE', path: /workflows/, when, starting: 2 };
    expect(await bench.call('n8n_delete_workflow', { id })).toMatchObject({ deleted: [{ id }] });
    await expect(bench.client.workflows.get(id)).rejects.toThrow(/Not Found/);
  });

  test.each(['before', 'after'] as const)('to a publication, %s it happened: it is published', async (when) => {
    const id = await make(`published ${when}`);
    loss = { method: 'POST', path: /publish/, when, starting: 2 };
    expect(await bench.call('n8n_publish_workflow', { id })).toMatchObject({
      publication: { published: true, live: true },
    });
    expect((await bench.client.workflows.get(id)).active).toBe(true);
  });

  describe('to an insert into a data table', () => {
    const insert = async (name: string, when: Loss['when']) => {
      const columns = [{ name: 'n', type: 'number' as const }];
      const { id } = await bench.client.dataTables.create({ name: bench.name(name), columns });
      await bench.client.dataTables.insert(id, [{ n: 0 }]);
      loss = { method: 'POST', path: /rows$/, when, starting: 2 };
      const written = bench.call('n8n_write_rows', { table: id, rows: [{ n: 1 }, { n: 2 }] });
      const now = async () => (await Array.fromAsync(bench.client.dataTables.rows(id))).map(({ n }) => n);
      return { written, now };
    };

    test('that happened: the call reports the rows, and does not repeat them', async () => {
      const { written, now } = await insert('inserted', 'after');
      expect(await written).toMatchObject({ inserted: 2 });
      expect(await now()).toEqual([0, 1, 2]);
    });

    test('that did not happen: the call fails, and nothing was written', async () => {
      const { written, now } = await insert('not inserted', 'before');
      await expect(written).rejects.toThrow(/n8n/);
      expect(await now()).toEqual([0]);
    });
  });

  test.each(['before', 'after'] as const)(
    'to the deletion of a data table, %s it happened: it is deleted',
    async (when) => {
      const { id } = await bench.client.dataTables.create({ name: bench.name(`table ${when}`), columns: [] });
      loss = { method: 'DELETE', path: /data-tables/, when, starting: 2 };
      expect(await bench.call('n8n_delete_data_table', { table: id })).toMatchObject({ id });
      await expect(bench.client.dataTables.get(id)).rejects.toThrow(/Could not find/);
    },
  );

  test('to a creation: the call says that the workflow may exist', async () => {
    loss = { method: 'POST', path: /workflows$/, when: 'after', starting: 0 };
    await expect(make('made')).rejects.toThrow(/may have been created: look for it with n8n_list_workflows/);
  });

  test('a 404 of an n8n that is still starting does not count as a missing workflow', async () => {
    const id = await make('starting');
    starting = 1000;
    await expect(bench.call('n8n_get_workflow', { id })).rejects.toThrow(/still starting/);
  });
});
