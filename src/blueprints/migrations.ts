import type { Migrations } from '../store/store.ts';

/**
 * Times are milliseconds since 1970. Columns named `sealed…` are encrypted: inputs, arguments, results and definitions may
 * hold secrets. `part` counts the parts of a run that the engine was given; `token` says which attempt a row belongs to.
 */
const tables = (strict: string, integer: string) => `
  CREATE TABLE blueprint_definitions (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at ${integer} NOT NULL
  )${strict};
  CREATE TABLE blueprint_runs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    hash TEXT NOT NULL,
    sealed_definition TEXT NOT NULL,
    sealed_inputs TEXT NOT NULL,
    sealed_outputs TEXT,
    deployer TEXT NOT NULL,
    sealed_actor TEXT NOT NULL,
    actor TEXT NOT NULL,
    state TEXT NOT NULL,
    goal TEXT NOT NULL,
    part ${integer} NOT NULL,
    engine TEXT,
    replica TEXT,
    waits TEXT,
    wake_at ${integer},
    error TEXT,
    parent TEXT,
    parent_step TEXT,
    parent_item ${integer},
    schedule TEXT,
    trace TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    started_at ${integer},
    ended_at ${integer},
    updated_at ${integer} NOT NULL
  )${strict};
  CREATE INDEX blueprint_runs_state ON blueprint_runs (state, wake_at);
  CREATE INDEX blueprint_runs_created ON blueprint_runs (created_at);
  CREATE INDEX blueprint_runs_name ON blueprint_runs (name, created_at);
  CREATE INDEX blueprint_runs_parent ON blueprint_runs (parent);
  CREATE TABLE blueprint_run_ids (
    principal TEXT NOT NULL,
    given TEXT NOT NULL,
    run TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    ended_as TEXT,
    at ${integer} NOT NULL,
    PRIMARY KEY (principal, given)
  )${strict};
  CREATE TABLE blueprint_steps (
    run TEXT NOT NULL,
    step TEXT NOT NULL,
    item ${integer} NOT NULL,
    phase TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt ${integer} NOT NULL,
    token TEXT NOT NULL,
    repeatable ${integer} NOT NULL,
    sealed_arguments TEXT,
    sealed_result TEXT,
    error TEXT,
    note TEXT,
    started_at ${integer} NOT NULL,
    ended_at ${integer},
    PRIMARY KEY (run, step, item, phase)
  )${strict};
  CREATE TABLE blueprint_decisions (
    run TEXT NOT NULL,
    step TEXT NOT NULL,
    approved ${integer} NOT NULL,
    principal TEXT NOT NULL,
    name TEXT,
    comment TEXT,
    at ${integer} NOT NULL,
    PRIMARY KEY (run, step)
  )${strict};
  CREATE TABLE blueprint_schedules (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    cron TEXT NOT NULL,
    hash TEXT NOT NULL,
    sealed_inputs TEXT NOT NULL,
    sealed_actor TEXT NOT NULL,
    actor TEXT NOT NULL,
    problem TEXT,
    next_at ${integer},
    last_run TEXT,
    created_at ${integer} NOT NULL
  )${strict};`;

/** Runs are deleted by their own ids, not by those that callers gave them. */
const idsByRun = 'CREATE INDEX blueprint_run_ids_by_run ON blueprint_run_ids (run);';

/** Hashes of definitions that others wrote and a principal has confirmed. */
const confirmed = (strict: string, integer: string) => `
  CREATE TABLE blueprint_confirmed (
    principal TEXT NOT NULL,
    hash TEXT NOT NULL,
    at ${integer} NOT NULL,
    PRIMARY KEY (principal, hash)
  )${strict};`;

/** An approval holds for one call of a step. Those from before were for the whole step, so they only count where a step asks. */
const asks = (strict: string, integer: string) => `
  ALTER TABLE blueprint_runs ADD COLUMN sealed_asked TEXT;
  CREATE TABLE blueprint_decisions_by_ask (
    run TEXT NOT NULL,
    step TEXT NOT NULL,
    ask TEXT NOT NULL DEFAULT '',
    approved ${integer} NOT NULL,
    principal TEXT NOT NULL,
    name TEXT,
    comment TEXT,
    at ${integer} NOT NULL,
    PRIMARY KEY (run, step, ask)
  )${strict};
  INSERT INTO blueprint_decisions_by_ask (run, step, approved, principal, name, comment, at)
    SELECT run, step, approved, principal, name, comment, at FROM blueprint_decisions;
  DROP TABLE blueprint_decisions;
  ALTER TABLE blueprint_decisions_by_ask RENAME TO blueprint_decisions;`;

/** What each deployed run has caused, with the runs of the blueprints that it calls. */
const usage = (strict: string, integer: string) => `
  CREATE TABLE blueprint_usage (
    root TEXT PRIMARY KEY,
    runs ${integer} NOT NULL,
    steps ${integer} NOT NULL,
    bytes ${integer} NOT NULL
  )${strict};
  CREATE INDEX blueprint_runs_deployer ON blueprint_runs (deployer, state);`;

export const blueprintMigrations: Migrations = {
  sqlite: [
    tables(' STRICT', 'INTEGER'),
    idsByRun,
    confirmed(' STRICT', 'INTEGER'),
    asks(' STRICT', 'INTEGER'),
    usage(' STRICT', 'INTEGER'),
  ],
  postgres: [tables('', 'BIGINT'), idsByRun, confirmed('', 'BIGINT'), asks('', 'BIGINT'), usage('', 'BIGINT')],
};
