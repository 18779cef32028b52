import { AppError } from '../../kernel/errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';
import type { Run } from '../postgres/connection.ts';
import { type ColumnsGiven, type Roles, rolesOf } from './columns.ts';
import type { Pgvector } from './connect.ts';
import { type Distance, distanceOf } from './distance.ts';
import { type Extension, extensionOf } from './extension.ts';
import { nearIndexes } from './near-index.ts';
import { type Remembered, rememberedIn } from './remembered.ts';
import { quoted } from './sql.ts';
import { type Table, tablesOf } from './tables.ts';

/** A table with vectors, or a part of one, ready to be searched and changed. */
export interface Collection {
  /** As it is called by tools. */
  readonly name: string;
  readonly table: Table;
  /** The table as SQL. */
  readonly from: string;
  readonly roles: Roles;
  readonly extension: Extension;
  /** The collection of LangChain in this table, by its key. */
  readonly group?: { readonly column: string; readonly key: string };
  /** Undefined if the column does not declare them and has no vectors. */
  readonly dimensions?: number;
  readonly remembered: Remembered;
  readonly distance: Distance;
}

export interface Opening {
  readonly columns?: ColumnsGiven | undefined;
  readonly distance?: Distance | undefined;
}

/** The collection of this name. Says which there are if there is none. */
export async function openCollection(
  run: Run,
  { schema, collections }: Pick<Pgvector, 'schema' | 'collections'>,
  name: string,
  { columns, distance }: Opening = {},
): Promise<Collection> {
  const extension = await extensionOf(run);
  const slash = name.indexOf('/');
  const find = async (table: string) => (await tablesOf(run, extension, { schema, name: table }))[0];
  const table = (await find(name)) ?? (slash > 0 ? await find(name.slice(0, slash)) : undefined);
  const groupName = table && table.name !== name ? name.slice(slash + 1) : undefined;
  if (!table || (groupName !== undefined && !table.grouping)) {
    collections.need(name);
    throw await unknown(run, extension, { schema, collections }, name);
  }
  if (groupName === undefined || !collections.has(table.name)) collections.need(name);
  const roles = rolesOf(table.columns, { keys: table.keys, apart: table.grouping?.column, given: columns });
  const remembered = rememberedIn(roles.vector.comment);
  const group = groupName === undefined ? undefined : await groupOf(run, table, groupName);
  const base = { name, table, from: `${quoted(table.schema)}.${quoted(table.name)}`, roles, extension, remembered };
  const dimensions = roles.vector.dimensions ?? (await firstDimensions(run, base));
  return {
    ...base,
    ...(group && { group }),
    ...(dimensions !== undefined && { dimensions }),
    distance: distance ?? remembered.distance ?? indexedDistance(table, roles) ?? 'cosine',
  };
}

/** What an index of the column was built for is what its vectors are meant for. */
const indexedDistance = (table: Table, roles: Roles): Distance | undefined =>
  nearIndexes(table, roles)
    .map(({ index }) => distanceOf(index.operators))
    .find((one) => one !== undefined);

/** n8n and LangChain declare columns without dimensions. */
async function firstDimensions(
  run: Run,
  { from, roles, extension }: Pick<Collection, 'from' | 'roles' | 'extension'>,
): Promise<number | undefined> {
  const column = quoted(roles.vector.name);
  const { rows } = await run<{ dimensions: number }>(
    `SELECT ${extension.named('vector_dims')}(${column}) AS dimensions FROM ${from} WHERE ${column} IS NOT NULL LIMIT 1`,
  );
  return rows[0]?.dimensions;
}

async function groupOf(run: Run, table: Table, wanted: string): Promise<{ column: string; key: string }> {
  const { schema, table: names, key, column } = table.grouping as NonNullable<Table['grouping']>;
  const from = `${quoted(schema)}.${quoted(names)}`;
  const { rows } = await run<{ key: string }>(
    `SELECT ${quoted(key)}::text AS key FROM ${from} WHERE name = $1 ORDER BY 1 LIMIT 1`,
    [wanted],
  );
  const [found] = rows;
  if (found) return { column, key: found.key };
  const { rows: others } = await run<{ name: string }>(`SELECT name::text FROM ${from} ORDER BY name LIMIT 20`);
  throw new AppError(
    'not_found',
    `${table.name} has no collection ${wanted}. ${others.length > 0 ? `It has ${others.map(({ name }) => `${table.name}/${name}`).join(', ')}.` : 'It has none yet.'}`,
  );
}

async function unknown(
  run: Run,
  extension: Extension,
  { schema, collections }: Pick<Pgvector, 'schema' | 'collections'>,
  name: string,
): Promise<AppError> {
  const tables = await tablesOf(run, extension, { schema, limit: 200 });
  const names = tables.map((table) => table.name).filter((one) => collections.has(one));
  const near = nearestNames(name, names);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(' or ')}?`
      : names.length > 0
        ? `There are ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`
        : `The schema ${schema} has no table with vectors. pgvector_create_collection makes one.`;
  return new AppError('not_found', `No collection ${name.slice(0, 200)}. ${hint}`);
}

/** Refuses what cannot be changed. */
export function needTable({ name, table }: Collection): void {
  if (table.kind === 'view')
    throw new AppError('invalid_input', `${name} is a view and can only be read. Change the table behind it.`);
}

/** The rows of the collection, as a condition, with the rows of others left out. */
export const rowsOf = ({ group }: Collection, add: (value: unknown) => string): string[] =>
  group ? [`${quoted(group.column)} = ${add(group.key)}`] : [];
