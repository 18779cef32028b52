import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../client/data-tables.ts';
import { sealed } from './sealed.ts';
import { rowsIn, tablesIn } from './table-lines.ts';
import { tableMembers, wholeHead, wholeMembers } from './whole-instance.ts';

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const tableOf = (id: string, name = id) => ({ id, name, columns: [] });
/** n8n allows no other names. */
const column = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,9}$/);
const rows = fc.array(
  fc.dictionary(column, fc.oneof(fc.string(), fc.constantFrom(']}],', '{"a":[\n', '"rows":['), fc.jsonValue())),
  { maxLength: 5 },
);

test('every row of every table is found in the backup of a whole n8n', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { maxLength: 4 }), fc.string(), async (lists, name) => {
      const content = () =>
        sealed(
          wholeHead('default', new Date(0)),
          wholeMembers({
            tags: [],
            credentials: [],
            workflows: each([{ table: { id: 'no table' }, rows: [] }] as never[]),
            dataTables: each(lists.map((list, at) => ({ table: tableOf(`t${at}`, name), rows: each(list) }))),
          }),
        );
      const { head, tables } = await tablesIn(content());
      expect(head.instance).toBe('default');
      expect(tables.map(({ table, count }) => [table.id, table.name, count])).toEqual(
        lists.map((list, at) => [`t${at}`, name, list.length]),
      );
      for (const [at, list] of lists.entries()) expect(await found(content(), `t${at}`)).toEqual(plain(list));
    }),
    { numRuns: 60 },
  );
});

test('every row is found in the backup of one table', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (list) => {
      const content = () => sealed({ kind: 'sluice.data-table' }, tableMembers(tableOf('t'), each(list)));
      expect(await tablesIn(content())).toMatchObject({ tables: [{ table: { id: 't' }, count: list.length }] });
      expect(await found(content(), 't')).toEqual(plain(list));
    }),
    { numRuns: 60 },
  );
});

const found = (content: AsyncIterable<Buffer>, table: string): Promise<Row[]> =>
  Array.fromAsync(rowsIn(content, table));
const plain = (list: readonly unknown[]): unknown => JSON.parse(JSON.stringify(list));
