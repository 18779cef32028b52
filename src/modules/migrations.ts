import type { Migrations } from '../store/store.ts';

/**
 * What each source has spent in a period, in millionths of its currency; and, encrypted, what tools of one replica have
 * revealed, until all others know it.
 */
export const moduleMigrations: Migrations = {
  sqlite: [
    `CREATE TABLE module_spending (
      source TEXT NOT NULL,
      period TEXT NOT NULL,
      micros INTEGER NOT NULL,
      PRIMARY KEY (source, period)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE module_revealed (sealed TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  ],
  postgres: [
    `CREATE TABLE module_spending (
      source text NOT NULL,
      period text NOT NULL,
      micros bigint NOT NULL,
      PRIMARY KEY (source, period)
    )`,
    `CREATE TABLE module_revealed (sealed text PRIMARY KEY, expires_at bigint NOT NULL)`,
  ],
};
