import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataTableTools } from '../../../src/n8n/data-tables/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Imported {
  table: string;
  inserted: number;
}

interface Part {
  csv: string;
  rows: number;
  cursor?: string;
}

interface Shown {
  rows: { n: number }[];
  cursor: string;
}

describe.skipIf(n8nIsMissing)('data tables and CSV, on a real n8n', () => {
  let bench: Workbench;

  beforeAll(async () => {
    bench = await openWorkbench(dataTableTools);
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const load = (args: object) => bench.call<Imported>('n8n_import_csv', { ...args });
  const part = (table: string, args: object = {}) => bench.call<Part>('n8n_export_csv', { table, ...args });
  const tables = async (name: string) =>
    (await bench.call<{ data_tables: object[] }>('n8n_list_data_tables', { name: bench.name(name) })).data_tables;

  test('a CSV becomes a table with types, and the table the same CSV', async () => {
    const csv = [
      '\u{FEFF}name,age,member,since,note\r\n',
      '"Anna ""A"", Berlin",31,true,2026-01-01T08:00:00.000Z,=1+1\r\n',
      'Ben,-2.5,false,,"two\r\nlines"\r\n',
      '"",,,2026-02-28T23:59:59.999Z,@home\r\n',
    ].join('');
    const made = await load({ create: bench.name('typed'), csv });
    expect(made).toMatchObject({
      inserted: 3,
      columns: [
        { name: 'name', type: 'string' },
        { name: 'age', type: 'number' },
        { name: 'member', type: 'boolean' },
        { name: 'since', type: 'date' },
        { name: 'note', type: 'string' },
      ],
    });
    const { csv: back, rows } = await part(made.table);
    expect(rows).toBe(3);
    expect(back).toBe(
      csv
        .slice(1)
        .replaceAll('"\r\n', '"\n')
        .replaceAll(/(?<!two)\r\n/g, '\n'),
    );
    expect((await part(made.table, { columns: ['id', 'name'], filter: { name: 'Ben' }, delimiter: 'tab' })).csv).toBe(
      'id\tname\n2\tBen\n',
    );
  });

  test('headings become names that n8n accepts, and the answer says so', async () => {
    const made = await load({ create: bench.name('names'), csv: 'id;E-mail;2nd\n7;a@x;1\n', types: { id: 'string' } });
    expect(made).toMatchObject({ renamed: { id: 'id_', 'E-mail': 'E_mail', '2nd': 'c_2nd' } });
    expect((await part(made.table)).csv).toBe('id_,E_mail,c_2nd\n7,a@x,1\n');
  });

  test('rows are added, updated and inserted by a column, from headings in other words', async () => {
    const { table } = await load({ create: bench.name('merged'), csv: 'email,n\na@x,1\nb@x,2\n' });
    const mapping = { 'E-Mail': 'email', Comment: null };
    const csv = 'E-Mail,N,Comment,id\nb@x,3,hi,9\nc@x,4,,10\n';
    const upsert = { table, csv, mapping, mode: 'upsert', match_on: ['email'] };
    expect(await load({ ...upsert, dry_run: true })).toMatchObject({ inserted: 1, updated: 1, ignored: ['id'] });
    expect(await load(upsert)).toMatchObject({ inserted: 1, updated: 1 });
    expect((await part(table)).csv).toBe('email,n\na@x,1\nb@x,3\nc@x,4\n');
    expect(await load({ table, csv: 'id,n\n1,100\n', mode: 'update', match_on: ['id'] })).toMatchObject({ updated: 1 });
    expect((await part(table, { filter: { n: 100 } })).csv).toBe('email,n\na@x,100\n');
  });

  test('long tables are exported in parts under 8 KB, or as large as asked', async () => {
    const lines = Array.from({ length: 700 }, (_, n) => `${n},text ${n}\n`);
    const csv = `n,text\n${lines.join('')}`;
    const { table } = await load({ create: bench.name('parts'), csv });
    let whole = '';
    let cursor: string | undefined;
    do {
      const next: Part = await part(table, cursor === undefined ? {} : { cursor });
      expect(JSON.stringify(next).length).toBeLessThan(4096);
      whole += next.csv;
      cursor = next.cursor;
    } while (cursor !== undefined);
    expect(whole).toBe(csv);
    expect(await part(table, { max_kb: 500 })).toMatchObject({ csv, rows: 700 });
    expect(await part(table, { limit: 2 })).toMatchObject({ csv: 'n,text\n0,text 0\n1,text 1\n', rows: 2 });
    const sorted = await part(table, { max_kb: 500, sort: 'n:desc' });
    expect(sorted.csv.split('\n')[1]).toBe('699,text 699');
  });

  test('parts leave out and repeat nothing if rows are deleted meanwhile', async () => {
    const { table } = await load({ create: bench.name('shrinking'), csv: 'n\n1\n2\n3\n4\n5\n6\n' });
    const gone = (n: number) =>
      bench.client.dataTables.deleteRows(table, {
        type: 'and',
        filters: [{ columnName: 'n', condition: 'eq', value: n }],
      });
    const first = await part(table, { limit: 3 });
    const shown = await bench.call<Shown>('n8n_query_rows', { table, limit: 3 });
    await gone(2);
    expect((await part(table, { limit: 3, cursor: first.cursor })).csv).toBe('4\n5\n6\n');
    const rest = await bench.call<Shown>('n8n_query_rows', { table, limit: 3, cursor: shown.cursor });
    expect(rest.rows.map(({ n }) => n)).toEqual([4, 5, 6]);
  });

  describe('a table with 300 columns', () => {
    const names = Array.from({ length: 300 }, (_, n) => `a_long_column_name_with_number_${n}`);
    const csv = `${names.join(',')}\n${names.map((_, n) => `"say ""${n}"" and a few words more"`).join(',')}\n`;
    const size = (answer: object) => {
      const json = JSON.stringify(answer);
      return json.length + JSON.stringify(json).length;
    };

    test('is imported, listed and queried with replies under 8 KB', async () => {
      const name = bench.name('wide');
      expect(size(await load({ create: name, csv, dry_run: true }))).toBeLessThan(8192);
      const made = await load({ create: name, csv });
      expect(size(made)).toBeLessThan(8192);
      expect(made).toMatchObject({ inserted: 1, more_columns: 270 });
      const listed = await bench.call<{ data_tables: object[] }>('n8n_list_data_tables', { name });
      expect(size(listed)).toBeLessThan(8192);
      expect(listed.data_tables).toMatchObject([{ more_columns: 270 }]);
      const whole = await bench.call<{ data_tables: { columns: object[] }[] }>('n8n_list_data_tables', {
        name,
        limit: 1,
      });
      expect(whole.data_tables[0]?.columns).toHaveLength(300);
      const shown = await bench.call<{ rows: object[]; left_out: number }>('n8n_query_rows', { table: made.table });
      expect(size(shown)).toBeLessThan(8192);
      expect(Object.keys(shown.rows[0] ?? {}).length + shown.left_out).toBe(301);
      const asked = await bench.call<Shown>('n8n_query_rows', { table: made.table, limit: 1 });
      expect(Object.keys(asked.rows[0] ?? {})).toHaveLength(301);
    });

    test('is created by every way, and refused with the reason if n8n takes fewer', async () => {
      const columns = Array.from({ length: 1200 }, (_, n) => ({ name: `c${n}`, type: 'string' }));
      const create = (count: number) =>
        bench.call('n8n_create_data_table', { name: bench.name(`wide-${count}`), columns: columns.slice(0, count) });
      expect(await create(300)).toMatchObject({ more_columns: 270 });
      await expect(create(1200)).rejects.toThrow(/did not create a table with 1200 columns.* Nothing was created/);
      expect(await tables('wide-1200')).toEqual([]);
    });

    test('is exported only if the size is given, because a line of it is longer than 8 KB', async () => {
      const { table } = await load({ create: bench.name('wider'), csv });
      const refused = await part(table).then(
        () => '',
        (error: Error) => error.message,
      );
      const [, max] = /Pass max_kb: (\d+), or columns/.exec(refused) ?? [];
      expect(await part(table, { max_kb: Number(max) })).toMatchObject({ csv, rows: 1 });
    });
  });

  test('parts and pages with many quotes and wide characters are under 8 KB, too', async () => {
    const lines = Array.from({ length: 200 }, () => `"${'""'.repeat(30)}",${'語'.repeat(3000)}\n`);
    const { table } = await load({ create: bench.name('quotes'), csv: `text,more\n${lines.join('')}` });
    for (const answer of [
      await part(table, { columns: ['text'] }),
      await bench.call('n8n_query_rows', { table }),
      await bench.call('n8n_query_rows', { table, columns: ['more'] }),
    ]) {
      const json = JSON.stringify(answer);
      expect(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))).toBeLessThan(8192);
    }
  });

  test.each<[string, object, RegExp]>([
    ['a bad value', { csv: 'n\n1\nx\n' }, /line 3, column n: "x" is not a number/],
    ['an unknown heading', { csv: 'm\n1\n' }, /has no column "m"/],
    ['a missing quote', { csv: 'n\n1\n"2\n' }, /line 3: a quote is opened/],
    ['no rows', { csv: '\n' }, /The CSV is empty/],
    ['a mode without match_on', { csv: 'n\n1\n', mode: 'upsert' }, /upsert needs match_on/],
    ['types for a table that exists', { csv: 'n\n1\n', types: { n: 'string' } }, /types is for a new table/],
    ['a delimiter of two characters', { csv: 'n\n1\n', delimiter: 'ab' }, /one character/],
  ])('with %s, nothing is written', async (_, args, message) => {
    const known = await tables('whole');
    const table = bench.name('whole');
    if (known.length === 0) await load({ create: table, csv: 'n\n1\n' });
    await expect(load({ table, ...args })).rejects.toThrow(message);
    expect((await part(table)).csv).toBe('n\n1\n');
  });

  test('a new table is not created if the CSV or the request is bad', async () => {
    const create = bench.name('never');
    await expect(load({ create, csv: 'a,b\n1\n' })).rejects.toThrow(/line 2: has 1 fields/);
    await expect(load({ create, csv: 'a,a\n1,2\n' })).rejects.toThrow(/both become the column a/);
    await expect(load({ create, csv: 'a\nx\n', types: { a: 'number' } })).rejects.toThrow(/line 2, column a/);
    await expect(load({ create, csv: 'a\n1\n', mode: 'update' })).rejects.toThrow(/needs a table that exists/);
    await expect(load({ create, table: create, csv: 'a\n1\n' })).rejects.toThrow(/Pass table/);
    expect(await tables('never')).toEqual([]);
  });
});
