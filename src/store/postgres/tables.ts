import type { Tables } from '../store.ts';
import type { Database } from './connection.ts';

/** For parts, which write `?` for a value whatever the engine. */
export function postgresTables(database: Database): Tables {
  const known = new Map<string, string>();
  function numbered(sql: string): string {
    const text = known.get(sql) ?? withNumbers(sql);
    known.set(sql, text);
    return text;
  }
  return {
    rows: (sql, ...values) => database.rows(numbered(sql), values),
    change: (sql, ...values) => database.change(numbered(sql), values),
  };
}

/** `?` becomes $1, $2, …, except in quotes. */
export function withNumbers(sql: string): string {
  let n = 0;
  return sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (found) => (found === '?' ? `$${++n}` : found));
}
