import type { Migrations } from '../store/store.ts';

/** What each source has spent in a period, in millionths of its currency. */
export const moduleMigrations: Migrations = {
  sqlite: [
    `CREATE TABLE module_spending (
      source TEXT NOT NULL,
      period TEXT NOT NULL,
      micros INTEGER NOT NULL,
      PRIMARY KEY (source, period)
    ) STRICT, WITHOUT ROWID`,
  ],
  postgres: [
    `CREATE TABLE module_spending (
      source text NOT NULL,
      period text NOT NULL,
      micros bigint NOT NULL,
      PRIMARY KEY (source, period)
    )`,
  ],
};
