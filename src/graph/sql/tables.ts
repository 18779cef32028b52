import { AppError } from '../../kernel/errors.ts';
import type { Statement, TablesApart, TableValue } from '../../store/store.ts';
import { foldedName, meantName, noSuchEntity } from '../names.ts';
import { type Dialect, dialectOf } from './dialect.ts';

export interface GraphTables {
  readonly dialect: Dialect;
  rows<Row extends object>(sql: string, ...values: readonly TableValue[]): Promise<Row[]>;
  /** All or nothing, and nobody else writes meanwhile. */
  write(statements: readonly Statement[]): Promise<readonly number[] | undefined>;
}

export function graphTables(tables: TablesApart): GraphTables {
  const dialect = dialectOf(tables);
  const lock: Statement[] = dialect.lock === undefined ? [] : [{ sql: dialect.lock, values: [] }];
  return {
    dialect,
    rows: tables.rows,
    async write(statements) {
      const changes = await tables.batch([...lock, ...statements]);
      return changes?.slice(lock.length);
    },
  };
}

export interface Found {
  readonly id: number;
  readonly name: string;
}

/** The entities that names mean, by the name that was asked for. */
export async function find({ rows, dialect }: GraphTables, names: readonly string[]): Promise<Map<string, Found>> {
  const known = await rows<Found & { folded: string }>(
    `SELECT id, name, folded FROM graph_entities WHERE name ${dialect.isText} OR folded ${dialect.isText}`,
    JSON.stringify(names),
    JSON.stringify(names.map(foldedName)),
  );
  const alike = Map.groupBy(known, ({ folded }) => folded);
  const byName = new Map(known.map((entity) => [entity.name, entity]));
  return new Map(
    names.flatMap((name) => {
      const meant = meantName(
        name,
        (alike.get(foldedName(name)) ?? []).map((entity) => entity.name),
      );
      const found = meant === undefined ? undefined : byName.get(meant);
      return found ? [[name, found] as const] : [];
    }),
  );
}

export async function findAll(tables: GraphTables, names: readonly string[]): Promise<Map<string, Found>> {
  const found = await find(tables, names);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw noSuchEntity([...new Set(missing)]);
  return found;
}

const TRIES = 10;

/** Tries again if somebody else changed meanwhile what was read first. `attempt` returns undefined in that case. */
export async function again<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let n = 0; n < TRIES; n++) {
    const made = await attempt();
    if (made !== undefined) return made;
  }
  throw new AppError('conflict', 'Others keep changing the same entities. Nothing was changed. Try again.');
}

/** A statement that undoes the batch if one of these entities is gone. */
export function stillThere({ dialect }: GraphTables, ids: ReadonlySet<number>): Statement {
  return {
    sql: `UPDATE graph_entities SET version = version WHERE id ${dialect.isId}`,
    values: [JSON.stringify([...ids])],
    expect: ids.size,
  };
}
