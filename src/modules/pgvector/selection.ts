import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Run } from '../postgres/connection.ts';
import { type Collection, rowsOf } from './collection.ts';
import { filterSql } from './filter.ts';
import { quoted } from './sql.ts';
import { filterInput, idsInput } from './tool.ts';

/** For tools that change many items: which ones. */
export const selectionInput = {
  ids: idsInput.optional().describe('Ids of the items'),
  filter: filterInput.optional(),
};

const shape = z.object(selectionInput);
export type Selection = z.output<typeof shape>;

/** The items of a selection as a condition. An empty filter would be all of them, and is refused. */
export function selected(collection: Collection, { ids, filter }: Selection, add: (value: unknown) => string): string {
  if ((ids === undefined) === (filter === undefined))
    throw new AppError('invalid_input', 'Pass either ids or filter: which items are meant.');
  const { roles, name } = collection;
  const own = rowsOf(collection, add);
  if (ids !== undefined) {
    if (!roles.id) throw new AppError('invalid_input', `${name} has no id: use filter, or columns.id.`);
    return [...own, `${quoted(roles.id.name)} = ANY(${add(ids)})`].join(' AND ');
  }
  const condition = filterSql(filter ?? {}, roles, add);
  if (condition === undefined)
    throw new AppError(
      'invalid_input',
      'filter has no condition, and would mean every item. To delete a collection with everything in it, use pgvector_drop_collection.',
    );
  return [...own, condition].join(' AND ');
}

const NAMED = 5;

/** How many items are selected, and the ids of a few. */
export async function countSelected(
  run: Run,
  { from, roles }: Collection,
  where: string,
  list: readonly unknown[],
): Promise<{ count: number; ids: string[] }> {
  const { rows } = await run<{ count: string }>(`SELECT count(*) AS count FROM ${from} WHERE ${where}`, list);
  const count = Number(rows[0]?.count ?? 0);
  if (!roles.id || count === 0) return { count, ids: [] };
  const id = quoted(roles.id.name);
  const { rows: some } = await run<{ id: string }>(
    `SELECT left(${id}::text, 100) AS id FROM ${from} WHERE ${where} ORDER BY ${id} LIMIT ${NAMED}`,
    list,
  );
  return { count, ids: some.map((one) => one.id) };
}
