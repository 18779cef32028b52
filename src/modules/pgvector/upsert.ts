import { randomUUID } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Run } from '../postgres/connection.ts';
import type { Collection } from './collection.ts';
import type { Column } from './columns.ts';
import { quoted, values } from './sql.ts';
import { written } from './vectors.ts';

export interface NewItem {
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  readonly vector: ArrayLike<number>;
}

export interface Upserted {
  readonly ids: readonly (string | undefined)[];
  readonly inserted: number;
  readonly updated: number;
}

/** Rows of one statement. PostgreSQL takes 65,535 values. */
const AT_ONCE = 100;

/** Writes items, and replaces those whose ids are there. What an item does not mention stays as it is. */
export async function upsert(run: Run, collection: Collection, items: readonly NewItem[]): Promise<Upserted> {
  const ids: (string | undefined)[] = Array.from({ length: items.length });
  let inserted = 0;
  needKey(collection, items);
  const rows = items.map((item, at) => ({ at, cells: cellsOf(collection, item) }));
  // One statement names the same columns for all its rows.
  const alike = Map.groupBy(rows, ({ cells }) => JSON.stringify(cells.map(({ column, kept }) => [column, kept])));
  for (const some of alike.values())
    for (let from = 0; from < some.length; from += AT_ONCE) {
      const batch = some.slice(from, from + AT_ONCE);
      const { list, add } = values();
      const { rows: made } = await run<{ id?: string; is_new: boolean }>(
        statement(
          collection,
          batch.map(({ cells }) => cells),
          add,
        ),
        list,
      );
      if (made.length < batch.length) throw foreign(collection);
      for (const [index, { id, is_new }] of made.entries()) {
        ids[batch[index]?.at ?? 0] = id;
        if (is_new) inserted += 1;
      }
    }
  return { ids, inserted, updated: items.length - inserted };
}

function needKey({ name, roles, table }: Collection, items: readonly NewItem[]): void {
  const given = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (given.length === 0) return;
  if (!roles.id || !table.keys.includes(roles.id.name))
    throw new AppError(
      'invalid_input',
      `${name} has no primary key of one column, so items cannot be replaced by id. Leave out the ids, or add a primary key.`,
    );
  const twice = given.find((id, at) => given.indexOf(id) !== at);
  if (twice !== undefined) throw new AppError('invalid_input', `The id ${twice.slice(0, 200)} is there twice.`);
}

interface Cell {
  readonly column: string;
  readonly value: unknown;
  readonly type?: string;
  /** Whether a row that is there keeps its own value. */
  readonly kept?: boolean;
}

function cellsOf(collection: Collection, { id, text, metadata, fields = {}, vector }: NewItem): Cell[] {
  const { roles, extension, group } = collection;
  const newId = id ?? freshId(roles.id);
  return [
    ...(roles.id && newId !== undefined ? [{ column: roles.id.name, value: newId }] : []),
    ...(text !== undefined && roles.text ? [{ column: roles.text.name, value: text }] : []),
    // LangChain reads metadata of every row.
    ...(roles.metadata
      ? [
          {
            column: roles.metadata.name,
            value: JSON.stringify(metadata ?? {}),
            type: roles.metadata.type,
            ...(metadata === undefined && { kept: true }),
          },
        ]
      : []),
    { column: roles.vector.name, value: written(vector), type: extension.named(roles.vector.type) },
    ...(group ? [{ column: group.column, value: group.key }] : []),
    ...Object.entries(fields).map(([name, value]) => ({
      column: fieldNamed(collection, name).name,
      value: value === null ? null : String(value),
    })),
  ];
}

/** Ids of texts are made here: LangChain’s tables have no default. A number is the table's to count. */
function freshId(id: Column | undefined): string | undefined {
  if (!id || (id.hasDefault && id.type !== 'uuid')) return undefined;
  if (id.type === 'uuid' || id.isText) return randomUUID();
  throw new AppError('invalid_input', `Each item needs an id: the column ${id.name} (${id.shown}) has no default.`);
}

function fieldNamed({ roles, name: of, group }: Collection, name: string): Column {
  const found = roles.fields.find((one) => one.name === name && one.name !== group?.column);
  if (found) return found;
  const others = roles.fields.map((one) => one.name);
  throw new AppError(
    'invalid_input',
    `fields: ${of} has no other column ${name.slice(0, 63)}. ${others.length > 0 ? `It has ${others.join(', ')}.` : 'Use metadata.'}`,
  );
}

function statement(
  collection: Collection,
  rows: readonly (readonly Cell[])[],
  add: (value: unknown) => string,
): string {
  const { roles, from, group, table } = collection;
  const columns = rows[0] ?? [];
  const tuples = rows.map(
    (cells) =>
      `(${cells.map(({ value, type }) => `${add(value)}${type === undefined ? '' : `::${type}`}`).join(', ')})`,
  );
  const isKey = roles.id !== undefined && table.keys.includes(roles.id.name);
  const hasId = isKey && columns.some(({ column }) => column === roles.id?.name);
  const changed = columns
    .filter(({ column, kept }) => column !== roles.id?.name && column !== group?.column && !kept)
    .map(({ column }) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
  const own = group ? ` WHERE ${quoted(table.name)}.${quoted(group.column)} = EXCLUDED.${quoted(group.column)}` : '';
  const conflict =
    hasId && roles.id ? ` ON CONFLICT (${quoted(roles.id.name)}) DO UPDATE SET ${changed.join(', ')}${own}` : '';
  // A row that was there has been locked by this transaction.
  const returned = roles.id ? `${quoted(roles.id.name)}::text AS id, (xmax = 0) AS is_new` : '(xmax = 0) AS is_new';
  return `INSERT INTO ${from} AS ${quoted(table.name)} (${columns.map(({ column }) => quoted(column)).join(', ')}) VALUES ${tuples.join(', ')}${conflict} RETURNING ${returned}`;
}

const foreign = ({ name }: Collection) =>
  new AppError(
    'conflict',
    `An id belongs to an item of another collection than ${name}. Nothing was changed: use other ids.`,
  );
