import type { Migrations } from '../../store/store.ts';

/** How often each node was asked about, by day: the number of days since 1970. */
export const nodesMigrations: Migrations = {
  sqlite: [
    `CREATE TABLE node_questions (
       day INTEGER NOT NULL,
       node TEXT NOT NULL,
       times INTEGER NOT NULL,
       asked_at INTEGER NOT NULL,
       PRIMARY KEY (day, node)
     ) STRICT, WITHOUT ROWID;`,
  ],
  postgres: [
    `CREATE TABLE node_questions (
       day bigint NOT NULL,
       node text NOT NULL,
       times bigint NOT NULL,
       asked_at bigint NOT NULL,
       PRIMARY KEY (day, node)
     );`,
  ],
};
