import type { Migrations } from '../store/store.ts';

/**
 * Promotions between instances. `busy` is the target while a promotion runs and NULL afterwards, so that there is only one at
 * a time. A step is written before its change is made in n8n: after a crash it says what has to be undone. Columns with JSON
 * are described in promotion/records.ts.
 */
export const n8nMigrations: Migrations = {
  sqlite: [
    `CREATE TABLE n8n_promotions (
       id TEXT PRIMARY KEY,
       source TEXT NOT NULL,
       target TEXT NOT NULL,
       state TEXT NOT NULL,
       busy TEXT UNIQUE,
       holder TEXT NOT NULL,
       started_at INTEGER NOT NULL,
       touched_at INTEGER NOT NULL,
       about TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX n8n_promotions_target ON n8n_promotions (target, started_at);
     CREATE TABLE n8n_promotion_steps (
       promotion TEXT NOT NULL REFERENCES n8n_promotions (id) ON DELETE CASCADE,
       number INTEGER NOT NULL,
       state TEXT NOT NULL,
       step TEXT NOT NULL,
       PRIMARY KEY (promotion, number)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE n8n_promotion_plans (
       id TEXT PRIMARY KEY,
       made_at INTEGER NOT NULL,
       plan TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE n8n_promotion_links (
       source TEXT NOT NULL,
       target TEXT NOT NULL,
       kind TEXT NOT NULL,
       source_id TEXT NOT NULL,
       link TEXT NOT NULL,
       PRIMARY KEY (source, target, kind, source_id)
     ) STRICT, WITHOUT ROWID;`,
  ],
  postgres: [
    `CREATE TABLE n8n_promotions (
       id text PRIMARY KEY,
       source text NOT NULL,
       target text NOT NULL,
       state text NOT NULL,
       busy text UNIQUE,
       holder text NOT NULL,
       started_at bigint NOT NULL,
       touched_at bigint NOT NULL,
       about text NOT NULL
     );
     CREATE INDEX n8n_promotions_target ON n8n_promotions (target, started_at);
     CREATE TABLE n8n_promotion_steps (
       promotion text NOT NULL REFERENCES n8n_promotions (id) ON DELETE CASCADE,
       number integer NOT NULL,
       state text NOT NULL,
       step text NOT NULL,
       PRIMARY KEY (promotion, number)
     );
     CREATE TABLE n8n_promotion_plans (
       id text PRIMARY KEY,
       made_at bigint NOT NULL,
       plan text NOT NULL
     );
     CREATE TABLE n8n_promotion_links (
       source text NOT NULL,
       target text NOT NULL,
       kind text NOT NULL,
       source_id text NOT NULL,
       link text NOT NULL,
       PRIMARY KEY (source, target, kind, source_id)
     );`,
  ],
};
