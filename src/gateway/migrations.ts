import type { Migrations } from '../store/store.ts';

/**
 * How many calls ended in each minute (since 1970), over all replicas; and the accepted definitions of tools that are
 * held back, which is NULL if nobody knows it any more. Then: calls that wait until somebody confirms them.
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
    `CREATE TABLE confirmations (
       id TEXT PRIMARY KEY,
       tool TEXT NOT NULL,
       need TEXT NOT NULL,
       binding TEXT NOT NULL,
       principal TEXT NOT NULL,
       caller TEXT NOT NULL,
       says TEXT,
       arguments TEXT NOT NULL,
       asked INTEGER NOT NULL,
       expires INTEGER NOT NULL,
       decided TEXT,
       note TEXT
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX confirmations_principal ON confirmations (principal, asked);
     CREATE INDEX confirmations_expires ON confirmations (expires);`,
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
    `CREATE TABLE confirmations (
       id text PRIMARY KEY,
       tool text NOT NULL,
       need text NOT NULL,
       binding text NOT NULL,
       principal text NOT NULL,
       caller text NOT NULL,
       says text,
       arguments text NOT NULL,
       asked bigint NOT NULL,
       expires bigint NOT NULL,
       decided text,
       note text
     );
     CREATE INDEX confirmations_principal ON confirmations (principal, asked);
     CREATE INDEX confirmations_expires ON confirmations (expires);`,
  ],
};
