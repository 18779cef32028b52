import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpInstance } from '../../../src/n8n/backups/read-instance.ts';
import { backupTools } from '../../../src/n8n/backups/tools.ts';
import { dataTableTools } from '../../../src/n8n/data-tables/tools.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

interface Table {
  id: string;
  name: string;
  columns: { name: string; type: string }[];
}

interface Rows {
  rows: Record<string, unknown>[];
  cursor?: string;
  cut?: string[];
}

const people = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'number' },
  { name: 'member', type: 'boolean' },
  { name: 'since', type: 'date' },
];

describe.skipIf(n8nIsMissing)('data tables, on a real n8n', () => {
  let bench: Workbench;
  let reached: Reached;
  /** An empty table that stays as it is. */
  let spare: Table;
  /** One with three rows. */
  let found: Table;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([...dataTableTools, ...backupTools], reached);
    spare = await create('spare');
    found = await three('found');
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const create = (name: string, columns: object[] = people) =>
    bench.call<Table>('n8n_create_data_table', { name: bench.name(name), columns });
  const write = (table: string, args: object) => bench.call('n8n_write_rows', { table, ...args });
  const query = (table: string, args: object = {}) => bench.call<Rows>('n8n_query_rows', { table, ...args });
  const namesIn = async (table: string, args: object) => (await query(table, args)).rows.map(({ name }) => name);

  /** Anna, Ben and an empty row. */
  async function three(name: string): Promise<Table> {
    const table = await create(name);
    const rows = [
      { name: 'Anna', age: 31, member: true, since: '2026-01-01T08:00:00+01:00' },
      { name: 'Ben *?%', age: 7.5, member: false, since: '2026-01-01T20:00:00Z' },
      { name: '', age: null },
    ];
    expect(await write(table.id, { rows })).toEqual({ table: table.id, inserted: 3, updated: 0 });
    return table;
  }

  describe('the tables', () => {
    test('are created with any name, listed with their columns, renamed and deleted', async () => {
      const odd = 'ä “odd” \\ / ../%_ 🙂';
      const made = await create(odd);
      expect(made.columns).toEqual(people);
      const listed = await bench.call<{ data_tables: Table[] }>('n8n_list_data_tables', { name: bench.name('Ä “ODD') });
      expect(listed.data_tables).toEqual([
        expect.objectContaining({ id: made.id, name: bench.name(odd), columns: people }),
      ]);
      expect(await query(bench.name(odd))).toMatchObject({ table: made.id, rows: [] });
      const changed = await bench.call('n8n_update_data_table', { table: bench.name(odd), name: bench.name('plain') });
      expect(changed).toMatchObject({ id: made.id, name: bench.name('plain') });
      expect(await bench.call('n8n_delete_data_table', { table: bench.name('plain') })).toMatchObject({ id: made.id });
      expect(await bench.call('n8n_list_data_tables', { name: bench.name('plain') })).toEqual({ data_tables: [] });
    });

    test('are listed page by page', async () => {
      for (const name of ['p1', 'p2', 'p3']) await create(name);
      interface Page {
        data_tables: Table[];
        cursor?: string;
      }
      const first = await bench.call<Page>('n8n_list_data_tables', { name: bench.name('p'), limit: 2 });
      const rest = await bench.call<Page>('n8n_list_data_tables', { name: bench.name('p'), cursor: first.cursor });
      expect([...first.data_tables, ...rest.data_tables].map(({ name }) => name)).toEqual(
        ['p1', 'p2', 'p3'].map(bench.name),
      );
    });

    test.each([
      ['a reserved name', [{ name: 'createdAt', type: 'date' }], /createdAt is reserved/],
      ['a reserved name in capitals', [{ name: 'ID', type: 'string' }], /ID is reserved/],
      ['__proto__', [{ name: '__proto__', type: 'string' }], /cannot be a column name/],
      ['a name with a space', [{ name: 'first name', type: 'string' }], /letters, digits and _/],
      [
        'a name twice',
        [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'number' },
        ],
        /column a more than once/,
      ],
      [
        'names that differ in case',
        [
          { name: 'a', type: 'string' },
          { name: 'A', type: 'number' },
        ],
        /differs only in case/,
      ],
      ['an unknown type', [{ name: 'a', type: 'json' }], /string/],
    ])('cannot be created with %s', async (_, columns, message) => {
      await expect(create('bad', columns)).rejects.toThrow(message);
      expect(await bench.call('n8n_list_data_tables', { name: bench.name('bad') })).toEqual({ data_tables: [] });
    });

    test('can have columns that are called like properties of every object', async () => {
      const { id } = await create('props', [
        { name: 'constructor', type: 'string' },
        { name: 'toString', type: 'number' },
      ]);
      await write(id, { rows: [{ constructor: 'x', toString: 1 }, { toString: 2 }] });
      expect((await query(id, { filter: { constructor: 'x' } })).rows).toEqual([
        { id: 1, constructor: 'x', toString: 1 },
      ]);
    });

    test('are refused if the name is taken, or the table unknown, with a suggestion', async () => {
      await create('taken');
      await expect(create('taken')).rejects.toThrow(/already exists in this project/);
      await expect(query(bench.name('takne'))).rejects.toThrow(`Did you mean "${bench.name('taken')}"`);
      await expect(query('aaaaaaaaaaaaaaaa')).rejects.toThrow(/There is no data table/);
    });

    test('get, lose and rename columns, with a backup before columns are deleted', async () => {
      const { id } = await three('columns');
      const changed = await bench.call<Table & { backup: string; changes: string[] }>('n8n_update_data_table', {
        table: id,
        add_columns: [{ name: 'note', type: 'string' }],
        rename_columns: { age: 'years', name: 'age' },
        delete_columns: ['member'],
      });
      expect(changed.columns.map(({ name }) => name)).toEqual(['age', 'years', 'since', 'note']);
      expect(changed.changes).toEqual([
        '- column member',
        '~ column age is now years',
        '~ column name is now age',
        '+ column note (string)',
      ]);
      const restored = await bench.call<Table>('n8n_restore_data_table', {
        backup: changed.backup,
        as: bench.name('columns-before'),
      });
      expect(restored).toMatchObject({ restored: 'table', rows: 3, columns: people });
      expect(await namesIn(restored.id, { filter: { member: true } })).toEqual(['Anna']);
    });

    test.each([
      [{ delete_columns: ['nam'] }, /has no column "nam". Did you mean "name"/],
      [{ rename_columns: { name: 'age' } }, /column age more than once/],
      [{ rename_columns: { name: 'age', age: 'name' } }, /swap names/],
      [{ rename_columns: { name: 'x' }, delete_columns: ['name'] }, /it is deleted/],
      [{ add_columns: [{ name: 'AGE', type: 'string' }] }, /differs only in case/],
      [{ add_columns: [{ name: 'updatedat', type: 'string' }] }, /reserved/],
    ])('are not changed by %j', async (args, message) => {
      await expect(bench.call('n8n_update_data_table', { table: spare.id, ...args })).rejects.toThrow(message);
      expect((await bench.client.dataTables.get(spare.id)).columns).toMatchObject(people);
    });

    test('are not deleted, nor their columns or rows, if the backup fails', async () => {
      const { id } = await three('kept');
      bench.failing = true;
      try {
        await expect(bench.call('n8n_delete_data_table', { table: id })).rejects.toThrow(/disk is full/);
        await expect(bench.call('n8n_delete_rows', { table: id, all: true })).rejects.toThrow(/disk is full/);
        const columns = { table: id, delete_columns: ['age'] };
        await expect(bench.call('n8n_update_data_table', columns)).rejects.toThrow(/disk is full/);
      } finally {
        bench.failing = false;
      }
      expect(await query(id, { count: true })).toMatchObject({ count: 3 });
    });
  });

  describe('rows', () => {
    test('keep their values and types', async () => {
      const { id } = await three('values');
      expect((await query(id)).rows).toEqual([
        { id: 1, name: 'Anna', age: 31, member: true, since: '2026-01-01T07:00:00.000Z' },
        { id: 2, name: 'Ben *?%', age: 7.5, member: false, since: '2026-01-01T20:00:00.000Z' },
        { id: 3, name: '', age: null, member: null, since: null },
      ]);
      expect((await query(id, { columns: ['name', 'createdAt'], limit: 1 })).rows).toEqual([
        { name: 'Anna', createdAt: expect.stringMatching(/Z$/) },
      ]);
    });

    test.each<[object, unknown[]]>([
      [{ filter: { name: 'Anna' } }, ['Anna']],
      [{ filter: { name: 'Ben *?%', age: 7.5 } }, ['Ben *?%']],
      [{ filter: [{ column: 'name', condition: 'ilike', value: 'AN' }] }, ['Anna']],
      [{ filter: [{ column: 'name', condition: 'like', value: 'an' }] }, []],
      [{ filter: [{ column: 'name', condition: 'like', value: 'B%' }] }, ['Ben *?%']],
      [{ filter: [{ column: 'name', condition: 'isEmpty' }] }, ['']],
      [{ filter: [{ column: 'age', condition: 'isEmpty' }] }, ['']],
      [{ filter: [{ column: 'age', condition: 'gte', value: 7.5 }] }, ['Anna', 'Ben *?%']],
      [{ filter: [{ column: 'member', condition: 'neq', value: true }] }, ['Ben *?%', '']],
      [{ filter: [{ column: 'id', condition: 'lt', value: 2 }] }, ['Anna']],
      [{ filter: { since: null } }, ['']],
      // n8n itself gets these wrong on SQLite.
      [{ filter: { since: '2026-01-01T07:00:00Z' } }, ['Anna']],
      [{ filter: [{ column: 'since', condition: 'gt', value: '2026-01-01T07:00:00Z' }] }, ['Ben *?%']],
      [{ filter: [{ column: 'since', condition: 'gte', value: '2026-01-01' }] }, ['Anna', 'Ben *?%']],
      [{ filter: [{ column: 'since', condition: 'lte', value: '2026-01-01T07:00:00Z' }] }, ['Anna']],
      [{ filter: [{ column: 'since', condition: 'neq', value: '2026-01-01T07:00:00Z' }] }, ['Ben *?%', '']],
      [
        {
          filter: [
            { column: 'age', value: 31 },
            { column: 'age', value: 7.5 },
          ],
          match: 'any',
        },
        ['Anna', 'Ben *?%'],
      ],
      [
        {
          filter: [
            { column: 'age', value: 31 },
            { column: 'member', value: false },
          ],
        },
        [],
      ],
      [{ search: 'BEN *' }, ['Ben *?%']],
      [{ sort: 'age:desc', filter: [{ column: 'age', condition: 'isNotEmpty' }] }, ['Anna', 'Ben *?%']],
    ])('are found by %j', async (args, names) => {
      expect(await namesIn(found.id, args)).toEqual(names);
      expect(await query(found.id, { ...args, count: true })).toMatchObject({ count: names.length });
    });

    test.each<[object, RegExp]>([
      [{ filter: { nam: 1 } }, /Did you mean "name"/],
      [{ filter: { age: 'old' } }, /"old" is not a number/],
      [{ filter: { since: '01/02/2026' } }, /is not a date such as/],
      [{ filter: [{ column: 'age', condition: 'like', value: '3' }] }, /like compares texts/],
      [{ filter: [{ column: 'age', condition: 'gt', value: null }] }, /gt needs a value/],
      [{ filter: [{ column: 'age', condition: 'gt' }] }, /it has no value/],
      [{ sort: 'nope:asc' }, /has no column "nope"/],
      [{ columns: ['nope'] }, /has no column "nope"/],
      [
        {
          search: 'a',
          filter: [
            { column: 'age', value: 1 },
            { column: 'age', value: 2 },
          ],
          match: 'any',
        },
        /cannot combine search/,
      ],
      [
        {
          filter: [
            { column: 'since', value: '2026-01-01' },
            { column: 'age', value: 2 },
          ],
          match: 'any',
        },
        /cannot compare dates/,
      ],
      [{ cursor: 'nonsense' }, /does not belong/],
    ])('are not queried with %j', async (args, message) => {
      await expect(query(spare.id, args)).rejects.toThrow(message);
    });

    test('are not looked for with texts that do not fit into an address', async () => {
      await expect(query(spare.id, { filter: { name: 'ä'.repeat(3000) } })).rejects.toThrow(/too long/);
      const rows = [{ name: 'x'.repeat(3000) }];
      const upsert = { rows, mode: 'upsert', match_on: ['name'] };
      await expect(write(spare.id, upsert)).rejects.toThrow(/too long to match by/);
    });

    test('come in pages under 8 KB, with long texts cut unless a limit is given', async () => {
      const { id } = await create('pages', [
        { name: 'n', type: 'number' },
        { name: 'text', type: 'string' },
      ]);
      const rows = Array.from({ length: 300 }, (_, n) => ({ n, text: n === 0 ? 'x'.repeat(50_000) : `text ${n}` }));
      await write(id, { rows });
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page: Rows = await query(id, cursor === undefined ? {} : { cursor });
        expect(JSON.stringify(page).length).toBeLessThan(8192);
        if (cursor === undefined) expect(page.cut).toEqual(['text']);
        seen.push(...page.rows.map(({ n }) => n));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(rows.map(({ n }) => n));
      expect((await query(id, { limit: 1 })).rows[0]?.text).toBe('x'.repeat(50_000));
      expect((await query(id, { sort: 'n:desc', limit: 299 })).rows.at(-1)?.n).toBe(1);
    });

    test('are written 10,000 at once, and counted', async () => {
      const { id } = await create('many', [{ name: 'n', type: 'number' }]);
      const rows = Array.from({ length: 10_000 }, (_, n) => ({ n }));
      expect(await write(id, { rows })).toMatchObject({ inserted: 10_000 });
      expect(await query(id, { count: true })).toMatchObject({ count: 10_000 });
      expect(await query(id, { filter: [{ column: 'n', condition: 'lt', value: 1234 }], count: true })).toMatchObject({
        count: 1234,
      });
    });

    test('are all refused if one value does not fit, with its row and column', async () => {
      const { id } = await create('refused');
      const rows = [
        { name: 'fine', age: 1 },
        { age: 'old', member: 'maybe' },
        { since: '2026-02-30', nmae: 'x' },
        { name: { a: 1 }, age: '12345678901234567890' },
        {},
      ];
      const failed = await write(id, { rows }).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(failed.split('\n')).toEqual([
        'Nothing was written, because of these values:',
        'row 2, column age: "old" is not a number such as 12 or -3.5',
        'row 2, column member: "maybe" is not true or false',
        'row 3, column since: "2026-02-30" is not a date such as 2026-11-30 or 2026-11-30T08:00:00Z',
        expect.stringContaining('has no column "nmae". Did you mean "name"'),
        'row 4, column name: an object is not a text',
        expect.stringContaining('row 4, column age: "12345678901234567890" has too many digits'),
        'row 5: has no values',
      ]);
      await expect(write(id, { rows: [{ id: 7, name: 'x' }] })).rejects.toThrow(/has no column "id"/);
      expect(await query(id, { count: true })).toMatchObject({ count: 0 });
    });

    test('are upserted by one column or several, writing only what differs', async () => {
      const { id } = await three('upsert');
      const rows = [
        { name: 'Anna', age: 32 },
        { name: 'Ben *?%', age: 7.5 },
        { name: 'Cleo', age: 1 },
        { name: 'Cleo', age: 2, member: true },
      ];
      const upsert = { rows, mode: 'upsert', match_on: ['name'] };
      const counts = { inserted: 1, updated: 1, unchanged: 1 };
      expect(await write(id, { ...upsert, dry_run: true })).toEqual({ table: id, ...counts, dry_run: true });
      expect(await query(id, { count: true })).toMatchObject({ count: 3 });
      expect(await write(id, upsert)).toEqual({ table: id, ...counts });
      expect((await query(id, { filter: { name: 'Cleo' } })).rows).toMatchObject([{ age: 2, member: true }]);
      expect(await write(id, { ...upsert, rows: rows.slice(0, 3) })).toMatchObject({ inserted: 0, updated: 1 });
      const both = { mode: 'upsert', match_on: ['name', 'member'] };
      const more = [
        { name: 'Anna', member: true, age: 40 },
        { name: 'Anna', member: false, age: 41 },
      ];
      expect(await write(id, { ...both, rows: more })).toEqual({ table: id, inserted: 1, updated: 1 });
      expect((await query(id, { filter: { name: 'Anna' } })).rows).toMatchObject([
        { age: 40, member: true },
        { age: 41, member: false },
      ]);
    });

    test('are updated by key, by id and by filter', async () => {
      const { id } = await three('update');
      const byKey = {
        mode: 'update',
        match_on: ['name'],
        rows: [
          { name: 'Anna', age: 1 },
          { name: 'Nobody', age: 2 },
        ],
      };
      expect(await write(id, byKey)).toEqual({ table: id, inserted: 0, updated: 1, missing: 1 });
      const byId = { mode: 'update', match_on: ['id'], rows: [{ id: 3, name: 'third' }] };
      expect(await write(id, byId)).toEqual({ table: id, inserted: 0, updated: 1 });
      const set = { mode: 'update', rows: [{ age: 99 }] };
      expect(await write(id, { ...set, filter: { member: true } })).toMatchObject({ updated: 1 });
      const dates = [{ column: 'since', condition: 'gte', value: '2026-01-01T12:00:00Z' }];
      expect(await write(id, { ...set, filter: dates, dry_run: true })).toMatchObject({ updated: 1 });
      expect(await write(id, { ...set, filter: dates })).toMatchObject({ updated: 1 });
      expect(await write(id, { ...set, filter: [{ column: 'member', condition: 'isEmpty' }] })).toMatchObject({
        updated: 1,
      });
      expect((await query(id, { columns: ['age'] })).rows).toEqual([{ age: 99 }, { age: 99 }, { age: 99 }]);
      const one = { mode: 'upsert', rows: [{ name: 'new', age: 5 }], filter: { name: 'new' } };
      expect(await write(id, one)).toMatchObject({ inserted: 1, updated: 0 });
      expect(await write(id, one)).toMatchObject({ inserted: 0, updated: 1 });
    });

    test('are all updated only if asked for', async () => {
      const { id } = await three('every');
      const every = [{ column: 'id', condition: 'gt', value: 0 }];
      const set = { mode: 'update', rows: [{ age: 5 }] };
      for (const mode of ['update', 'upsert']) {
        await expect(write(id, { ...set, mode, filter: every })).rejects.toThrow(
          /matches all 3 rows .* Nothing was written. To change every row, pass all: true/,
        );
      }
      expect(await write(id, { ...set, filter: every, dry_run: true })).toMatchObject({ updated: 3 });
      expect(await write(id, { ...set, all: true, dry_run: true })).toMatchObject({ updated: 3 });
      expect((await query(id, { columns: ['age'] })).rows).toEqual([{ age: 31 }, { age: 7.5 }, { age: null }]);
      expect(await write(id, { ...set, all: true })).toMatchObject({ updated: 3 });
      expect((await query(id, { columns: ['age'] })).rows).toEqual([{ age: 5 }, { age: 5 }, { age: 5 }]);
    });

    test.each<[object, RegExp]>([
      [{ rows: [{ age: 1 }], all: true }, /all is for update/],
      [{ rows: [{ age: 1 }], mode: 'upsert', all: true }, /all is for update/],
      [{ rows: [{ age: 1 }], mode: 'update', all: true, filter: { age: 1 } }, /not both/],
      [{ rows: [{ age: 1 }, { age: 2 }], mode: 'update', all: true }, /exactly one row/],
      [{ rows: [{ age: 1 }], mode: 'update' }, /needs match_on \(columns\) or filter/],
      [{ rows: [{ age: 1 }], mode: 'update', filter: {} }, /needs match_on \(columns\) or filter/],
      [{ rows: [{ age: 1 }], mode: 'upsert', match_on: ['name'], filter: { age: 1 } }, /not both/],
      [{ rows: [{ age: 1 }], match_on: ['name'] }, /match_on is for update and upsert/],
      [{ rows: [{ age: 1 }, { age: 2 }], mode: 'update', filter: { age: 1 } }, /exactly one row/],
      [{ rows: [{ age: 1 }], mode: 'upsert', match_on: ['name'] }, /row 1, column name: is empty/],
      [{ rows: [{ since: '2026-01-01' }], mode: 'upsert', match_on: ['since'] }, /does not reliably find dates/],
      [{ rows: [{ id: 1, age: 1 }], mode: 'upsert', match_on: ['id'] }, /has no column "id"/],
      [{ rows: [] }, /rows/],
    ])('are not written with %j', async (args, message) => {
      await expect(write(spare.id, args)).rejects.toThrow(message);
    });

    test('are deleted by filter with a backup, and put back', async () => {
      const { id } = await three('deleted');
      await expect(bench.call('n8n_delete_rows', { table: id })).rejects.toThrow(/all: true deletes every row/);
      await expect(bench.call('n8n_delete_rows', { table: id, filter: {} })).rejects.toThrow(/Nothing was deleted/);
      const early = [{ column: 'since', condition: 'lt', value: '2026-01-01T12:00:00Z' }];
      const gone = await bench.call<{ backup: string }>('n8n_delete_rows', { table: id, filter: early });
      expect(gone).toMatchObject({ deleted: 1 });
      expect(await namesIn(id, {})).toEqual(['Ben *?%', '']);
      expect(await bench.call('n8n_restore_data_table', { backup: gone.backup })).toMatchObject({
        id,
        restored: 'rows',
        rows: 1,
      });
      expect(await namesIn(id, {})).toEqual(['Ben *?%', '', 'Anna']);
      expect(await bench.call('n8n_delete_rows', { table: id, filter: { name: 'Ben *?%' } })).toMatchObject({
        deleted: 1,
      });
      expect(await bench.call('n8n_delete_rows', { table: id, filter: { name: 'Ben *?%' } })).toEqual({
        table: id,
        deleted: 0,
      });
      expect(await bench.call('n8n_delete_rows', { table: id, all: true })).toMatchObject({ deleted: 2 });
    });
  });

  describe('backups', () => {
    test('bring a deleted table back with its rows, and are listed', async () => {
      const { id } = await three('back');
      const { backup } = await bench.call<{ backup: string }>('n8n_delete_data_table', { table: id });
      const listed = await bench.call('n8n_list_backups', { data_tables: true, name: 'BACK' });
      expect(listed).toMatchObject({
        data_tables: [{ id: backup, table: id, deleted: 'table', name: bench.name('back') }],
      });
      const restored = await bench.call<Table>('n8n_restore_data_table', { backup });
      expect(restored).toMatchObject({ name: bench.name('back'), columns: people, rows: 3 });
      expect(restored.id).not.toBe(id);
      expect(await namesIn(restored.id, {})).toEqual(['Anna', 'Ben *?%', '']);
      await expect(bench.call('n8n_restore_data_table', { backup })).rejects.toThrow(/Pass "as" to restore/);
      await expect(bench.call('n8n_restore_workflow', { backup })).rejects.toThrow(
        /n8n_restore_data_table restores it/,
      );
    });

    test('of a whole n8n have the tables', async () => {
      const { id, name } = await three('whole');
      const { backup } = await bench.call<{ backup: string }>('n8n_backup_instance');
      await expect(bench.call('n8n_restore_data_table', { backup })).rejects.toThrow(/Say which data table/);
      await expect(bench.call('n8n_restore_data_table', { backup, table: bench.name('whoel') })).rejects.toThrow(
        `Did you mean "${name}"`,
      );
      const restored = await bench.call<Table>('n8n_restore_data_table', {
        backup,
        table: name,
        as: bench.name('copy'),
      });
      expect(restored).toMatchObject({ name: bench.name('copy'), rows: 3 });
      expect((await query(restored.id)).rows).toEqual((await query(id)).rows);
    });

    test('of a whole n8n leave out a table that is deleted meanwhile', async () => {
      const { id } = await three('vanished');
      const { dataTables } = bench.client;
      async function* all() {
        yield* dataTables.all();
        await dataTables.delete(id);
      }
      const client = { ...bench.client, dataTables: { ...dataTables, all } };
      const { missing } = await backUpInstance(client, bench.backups, new AbortController().signal, () => {});
      expect(missing.filter((line) => line.includes(bench.name('vanished')))).toEqual([]);
    });

    test.each([
      ['a/b/c', /not a backup of a data table/],
      ['default/@table.x/20261115T073012123Z-table-3f9a1c', /No backup/],
      ['default/@table.x/../../secret', /not a backup id/],
    ])('are refused if the id is %s', async (backup, message) => {
      await expect(bench.call('n8n_restore_data_table', { backup })).rejects.toThrow(message);
    });
  });

  test('a key that lacks a scope is told which, and nothing is half done', async () => {
    const { id } = await three('scopes');
    const few = async (scopes: string[], tool: string, args: object) => {
      await using key = await limitedKey(reached, scopes);
      const limited = await openWorkbench(dataTableTools, { ...reached, apiKey: key.apiKey }, {}, bench);
      return await limited.call(tool, { ...args }).then(
        () => '',
        (error: Error) => /lacks the scope (\S+)\./.exec(error.message)?.[1] ?? error.message,
      );
    };
    expect(await few(['workflow:list'], 'n8n_list_data_tables', {})).toBe('dataTable:list');
    expect(await few(['dataTable:read'], 'n8n_query_rows', { table: id })).toBe('dataTableRow:read');
    const rows = [{ name: 'Anna', age: 1 }, { name: 'Zoe' }];
    const upsert = { table: id, rows, mode: 'upsert', match_on: ['name'] };
    expect(await few(['dataTable:read', 'dataTableRow:read', 'dataTableRow:update'], 'n8n_write_rows', upsert)).toBe(
      'dataTableRow:create',
    );
    const csv = { create: bench.name('scoped'), csv: 'a\n1\n' };
    expect(await few(['dataTable:create', 'dataTable:list'], 'n8n_import_csv', csv)).toBe('dataTableRow:create');
    const add = { table: id, add_columns: [{ name: 'x', type: 'string' }] };
    expect(await few(['dataTable:read'], 'n8n_update_data_table', add)).toBe('dataTableColumn:create');
    expect(await namesIn(id, { filter: { age: 31 } })).toEqual(['Anna']);
    expect(await bench.call('n8n_list_data_tables', { name: bench.name('scoped') })).toEqual({ data_tables: [] });
  });
});
