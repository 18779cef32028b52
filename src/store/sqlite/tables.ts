import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Statement, TablesApart, TableValue } from '../store.ts';
import { inTransaction } from './connection.ts';
import type { Run } from './run.ts';
import { storeThread } from './thread.ts';

/** Thrown inside a batch that has to be undone, and caught outside. */
const UNEXPECTED = Symbol('unexpected');

/** Statements on one connection, each prepared once. */
export function sqliteTables(db: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }
  const change = (sql: string, values: readonly TableValue[]) => Number(prepared(sql).run(...values).changes);
  return {
    rows: (sql: string, values: readonly TableValue[]): unknown[] => prepared(sql).all(...values),
    change,
    batch(given: readonly Statement[]): number[] | undefined {
      try {
        return inTransaction(db, () =>
          given.map(({ sql, values, expect }) => {
            const changed = change(sql, values);
            // oxlint-disable-next-line typescript/only-throw-error -- it never leaves this function
            if (expect !== undefined && changed !== expect) throw UNEXPECTED;
            return changed;
          }),
        );
      } catch (thrown) {
        if (thrown === UNEXPECTED) return undefined;
        throw thrown;
      }
    },
  };
}

/** A write that a store has begun is worth waiting for when it closes. */
const CLOSING_MS = 2000;

// The published package contains JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./tables-worker.ts', import.meta.url)
  : new URL('./tables-worker.js', import.meta.url);

export function tablesInThread(file: string): TablesApart & AsyncDisposable {
  const thread = storeThread<'rows' | 'change' | 'batch'>(file, script, { closingMs: CLOSING_MS });
  return {
    dialect: 'sqlite',
    rows: (sql, ...values) => thread.ask('rows', { sql, values }) as Promise<never>,
    change: (sql, ...values) => thread.ask('change', { sql, values }) as Promise<number>,
    batch: (statements) => thread.ask('batch', statements) as Promise<number[] | undefined>,
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

/** For a store in memory, which no other thread can open. */
export async function apartHere(db: DatabaseSync, run: Run): Promise<TablesApart & AsyncDisposable> {
  const { addVectorFunctions } = await import('./vector-functions.ts');
  addVectorFunctions(db);
  const tables = sqliteTables(db);
  return {
    dialect: 'sqlite',
    rows: (sql, ...values) => run(() => tables.rows(sql, values) as never),
    change: (sql, ...values) => run(() => tables.change(sql, values)),
    batch: (statements) => run(() => tables.batch(statements)),
    [Symbol.asyncDispose]: async () => {},
  };
}
