import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dataTableTools } from '../../../src/n8n/data-tables/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What happens to a request before it reaches n8n: something else changes, or n8n's answer is another one. */
type Meanwhile = (request: IncomingMessage) => Promise<Answer | undefined | void>;

describe.skipIf(n8nIsMissing)('data tables that change meanwhile, on a real n8n', () => {
  let bench: Workbench;
  let target: string;
  let meanwhile: Meanwhile = async () => {};

  const proxy = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '' } = request;
      const body = await buffer(request);
      const other = await meanwhile(request);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
      const answer =
        other ?? (await forwarded(`${target}${url}`, { method, headers, ...(body.length > 0 && { body }) }));
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    })();
  });
  const forwarded = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(url, init);
    return { status: answer.status, body: await answer.text() };
  };

  beforeAll(async () => {
    const reached = await reachN8n();
    target = reached.url;
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    bench = await openWorkbench(dataTableTools, { ...reached, url });
  }, N8N_START_MS);

  afterEach(() => {
    meanwhile = async () => {};
  });

  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
    proxy.close();
  });

  /** A table with the numbers 1 to `count`, and which of them are odd. */
  async function numbers(name: string, count: number): Promise<string> {
    const lines = Array.from({ length: count }, (_, n) => `${n + 1},${n % 2 === 0}\n`).join('');
    const made = await bench.call<{ table: string }>('n8n_import_csv', {
      create: bench.name(name),
      csv: `n,odd\n${lines}`,
    });
    return made.table;
  }
  const numbersIn = async (table: string) =>
    (await Array.fromAsync(bench.client.dataTables.rows(table))).map(({ n }) => n);
  /** Once, before the first request of this kind. */
  const before = (method: string, path: RegExp, change: () => Promise<Answer | undefined | void>) => {
    let isOver = false;
    meanwhile = async (request) => {
      if (isOver || request.method !== method || !path.test(request.url ?? '')) return;
      isOver = true;
      return change();
    };
  };

  test.each<[string, object]>([
    ['a filter', { filter: [{ column: 'n', condition: 'gt', value: 0 }] }],
    [
      'either of two conditions',
      {
        filter: [
          { column: 'odd', value: true },
          { column: 'odd', value: false },
        ],
        match: 'any',
      },
    ],
    ['all', { all: true }],
  ])('rows that are added during a deletion with %s stay: the backup does not have them', async (how, args) => {
    const table = await numbers(`deleting-${how}`, 3);
    before('DELETE', /\/rows/, () => bench.client.dataTables.insert(table, [{ n: 4, odd: false }]));
    const gone = await bench.call('n8n_delete_rows', { table, ...args });
    expect(gone).toMatchObject({ deleted: 3 });
    expect(await numbersIn(table)).toEqual([4]);
  });

  test('a deletion that fails half way says so, and putting the rows back repeats none', async () => {
    const table = await numbers('half-deleted', 300);
    const before = await numbersIn(table);
    let deletions = 0;
    meanwhile = async ({ method }) =>
      method === 'DELETE' && ++deletions > 1 ? { status: 403, body: '{"message":"Forbidden"}' } : undefined;
    const failed = await bench.call('n8n_delete_rows', { table, filter: { odd: true } }).then(
      () => '',
      (error: Error) => error.message,
    );
    meanwhile = async () => {};
    const [, backup = ''] = /100 of 150 rows were deleted\. The backup (\S+) has all 150/.exec(failed) ?? [
      failed,
      failed,
    ];
    expect(await numbersIn(table)).toHaveLength(200);
    expect(await bench.call('n8n_restore_data_table', { backup })).toMatchObject({
      restored: 'rows',
      rows: 100,
      notes: ['50 rows of the backup are still in the table, so they were not added again.'],
    });
    expect((await numbersIn(table)).toSorted((a, b) => Number(a) - Number(b))).toEqual(before);
  });

  test('an upsert inserts a row again that is deleted between look-up and update', async () => {
    const table = await numbers('vanishing', 2);
    const { dataTables } = bench.client;
    const second = { type: 'and', filters: [{ columnName: 'n', condition: 'eq', value: 2 }] } as const;
    before('PATCH', /\/rows\/update/, () => dataTables.deleteRows(table, second));
    const rows = [{ n: 2, odd: true }];
    const upsert = { table, rows, mode: 'upsert', match_on: ['n'] };
    expect(await bench.call('n8n_write_rows', upsert)).toMatchObject({ inserted: 1, updated: 0 });
    expect(await numbersIn(table)).toEqual([1, 2]);
    before('PATCH', /\/rows\/update/, () => dataTables.deleteRows(table, second));
    const update = { table, rows: [{ n: 2, odd: false }], mode: 'update', match_on: ['n'] };
    expect(await bench.call('n8n_write_rows', update)).toMatchObject({ updated: 0, missing: 1 });
  });

  test('rows whose insert timed out may still arrive, and the answer says so', async () => {
    const table = await numbers('slow', 1);
    before('POST', /\/rows$/, async () => ({ status: 504, body: 'Gateway timeout' }));
    expect(await bench.call('n8n_write_rows', { table, rows: [{ n: 2 }] })).toMatchObject({
      inserted: 0,
      stopped: { reason: expect.stringContaining('not known whether') as string, next_row: 1, unsure: true },
    });
  });

  test('changes of columns that fail half way name the backup', async () => {
    const table = await numbers('half-changed', 2);
    before('PATCH', /\/columns\//, async () => ({ status: 400, body: '{"message":"No"}' }));
    const change = { table, delete_columns: ['odd'], rename_columns: { n: 'm' } };
    const failed = await bench.call('n8n_update_data_table', change).then(
      () => '',
      (error: Error) => error.message,
    );
    const [, backup = failed] = /This was changed before: - column odd. The backup (\S+) has/.exec(failed) ?? [];
    const as = bench.name('half-changed-before');
    const back = { restored: 'table', columns: [{ name: 'n' }, { name: 'odd' }] };
    expect(await bench.call('n8n_restore_data_table', { backup, as })).toMatchObject(back);
  });

  test('a restored table is reported although n8n goes away right after, with the project it is in', async () => {
    const table = await numbers('project', 2);
    const { projectId } = await bench.client.dataTables.get(table);
    const { backup } = await bench.call<{ backup: string }>('n8n_delete_data_table', { table });
    let isFirst = true;
    meanwhile = async ({ method, url }) => {
      // The project of the backup is gone.
      if (method === 'POST' && url?.endsWith('/data-tables') && isFirst) {
        isFirst = false;
        return { status: 403, body: '{"message":"Forbidden"}' };
      }
      return url?.startsWith('/api/v1/workflows') ? { status: 500, body: '{"message":"Oops"}' } : undefined;
    };
    expect(await bench.call('n8n_restore_data_table', { backup })).toMatchObject({
      rows: 2,
      project: projectId,
      notes: [
        expect.stringContaining('new ids') as string,
        'It could not be checked which workflows use the old id or name.',
      ],
    });
  });
});
