import type { Migrations } from '../store/store.ts';

/**
 * How many calls ended in each minute (since 1970), over all replicas; and the accepted definitions of tools that are
 * held back, which is NULL if nobody knows it any more.
 */
export const gatewayMigrations: Migrations = {
  sqlite: [
    `CREATE TABLE call_minutes (
       minute INTEGER PRIMARY KEY,
       calls INTEGER NOT NULL,
       errors INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE held_definitions (
       server TEXT NOT NULL,
       tool TEXT NOT NULL,
       accepted TEXT,
       since INTEGER NOT NULL,
       PRIMARY KEY (server, tool)
     ) STRICT, WITHOUT ROWID;`,
  ],
  postgres: [
    `CREATE TABLE call_minutes (
       minute bigint PRIMARY KEY,
       calls bigint NOT NULL,
       errors bigint NOT NULL
     );
     CREATE TABLE held_definitions (
       server text NOT NULL,
       tool text NOT NULL,
       accepted text,
       since bigint NOT NULL,
       PRIMARY KEY (server, tool)
     );`,
  ],
};
