import { AppError } from '../../kernel/errors.ts';
import type { TablesApart, TableValue } from '../store.ts';
import type { Database, Value } from './connection.ts';

/** Thrown inside a batch that has to be undone, and caught outside. */
const unexpected = new AppError('conflict', 'A statement changed another number of rows than expected.');

/** For parts, which write `?` for a value whatever the engine. A server of its own is always apart. */
export function postgresTables(database: Database): TablesApart {
  const known = new Map<string, string>();
  function numbered(sql: string): string {
    const text = known.get(sql) ?? withNumbers(sql);
    known.set(sql, text);
    return text;
  }
  return {
    dialect: 'postgres',
    rows: (sql, ...values) => database.rows(numbered(sql), values.map(storable)),
    change: (sql, ...values) => database.change(numbered(sql), values.map(storable)),
    async batch(statements) {
      try {
        return await database.transaction(async (session) => {
          const changes: number[] = [];
          for (const { sql, values, expect } of statements) {
            const changed = await session.change(numbered(sql), values.map(storable));
            if (expect !== undefined && changed !== expect) throw unexpected;
            changes.push(changed);
          }
          return changes;
        });
      } catch (thrown) {
        if (thrown === unexpected) return undefined;
        throw thrown;
      }
    },
  };
}

const storable = (value: TableValue): Value =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value;

/** `?` becomes $1, $2, …, except in quotes. */
export function withNumbers(sql: string): string {
  let n = 0;
  return sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (found) => (found === '?' ? `$${++n}` : found));
}
