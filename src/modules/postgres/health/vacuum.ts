import { ageText, counted, percent } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface VacuumState {
  readonly schema: string;
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  /** Since the last vacuum, in seconds. */
  readonly vacuumed: number | null;
  readonly isAnalyzed: boolean;
  /** Transactions since its rows were frozen. */
  readonly age: number;
  readonly autovacuum: boolean;
}

export interface VacuumSettings {
  readonly autovacuum: boolean;
  readonly freezeMaxAge: number;
  /** Of the database: transactions and multixacts since everything was frozen. */
  readonly age: number;
  readonly multixactAge: number;
}

/** PostgreSQL stops accepting writes before this many transactions. */
const WRAPAROUND = 2 ** 31;
const FEW_DEAD = 10_000;
const FEW_ROWS = 1000;

export function judgeVacuum(tables: readonly VacuumState[], settings: VacuumSettings): Judgement {
  const findings: Finding[] = [];
  const age = Math.max(settings.age, settings.multixactAge);
  const used = percent(age, WRAPAROUND);
  if (used >= 40 || age > settings.freezeMaxAge * 1.5) {
    const oldest = tables.toSorted((a, b) => b.age - a.age)[0];
    findings.push({
      severity: used >= 75 ? 'critical' : 'warning',
      what: `The oldest rows of this database are ${millions(age)} transactions old, ${used} % of the way to wraparound. PostgreSQL refuses writes at the end.`,
      fix: `End old transactions first (check transactions), then VACUUM (FREEZE, VERBOSE) ${oldest ? quotedIn(oldest.schema, oldest.name) : ''};`,
    });
  }
  if (!settings.autovacuum)
    findings.push({
      severity: 'critical',
      what: 'autovacuum is off for the whole server: dead rows pile up, and wraparound gets nearer.',
      fix: 'ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf();',
    });
  for (const table of tables.toSorted((a, b) => b.dead - a.dead)) {
    const name = quotedIn(table.schema, table.name);
    const share = percent(table.dead, table.live + table.dead);
    const last = table.vacuumed === null ? 'It was never vacuumed.' : `Last vacuum: ${ageText(table.vacuumed)} ago.`;
    if (table.dead >= FEW_DEAD && share >= 20)
      findings.push({
        severity: share >= 50 && table.dead >= 1_000_000 ? 'critical' : 'warning',
        what: `${name} has ${millions(table.dead)} dead rows (${share} %). ${last}`,
        fix: `VACUUM (ANALYZE) ${name}; and, if it happens again, ALTER TABLE ${name} SET (autovacuum_vacuum_scale_factor = 0.05);`,
      });
    if (!table.autovacuum && table.live + table.dead >= FEW_ROWS)
      findings.push({
        severity: 'warning',
        what: `${name} has autovacuum switched off.`,
        fix: `ALTER TABLE ${name} RESET (autovacuum_enabled);`,
      });
    else if (!table.isAnalyzed && table.live >= FEW_ROWS)
      findings.push({
        severity: 'warning',
        what: `${name} was never analyzed: the planner guesses its ${millions(table.live)} rows.`,
        fix: `ANALYZE ${name};`,
      });
  }
  return judged(findings, {
    bad: `${counted(findings.length, 'finding')} about vacuum. Transaction ids: ${used} % of the way to wraparound.`,
    ok: `Few dead rows; transaction ids are ${used} % of the way to wraparound.`,
  });
}

function millions(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)} million`;
  return String(Math.round(count));
}

const TABLES = `SELECT s.schemaname AS schema, s.relname AS name, s.n_live_tup::float8 AS live,
    s.n_dead_tup::float8 AS dead,
    extract(epoch FROM now() - greatest(s.last_vacuum, s.last_autovacuum))::float8 AS vacuumed,
    coalesce(s.last_analyze, s.last_autoanalyze) IS NOT NULL AS "isAnalyzed", age(c.relfrozenxid)::float8 AS age,
    coalesce((SELECT option_value::boolean FROM pg_options_to_table(c.reloptions)
      WHERE option_name = 'autovacuum_enabled'), true) AS autovacuum
  FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE s.schemaname = ANY($1) AND c.relkind IN ('r', 'm')
  ORDER BY greatest(s.n_dead_tup, s.n_live_tup) DESC LIMIT 2000`;

const SETTINGS = `SELECT current_setting('autovacuum')::boolean AS autovacuum,
    current_setting('autovacuum_freeze_max_age')::float8 AS "freezeMaxAge", age(datfrozenxid)::float8 AS age,
    mxid_age(datminmxid)::float8 AS "multixactAge"
  FROM pg_database WHERE datname = current_database()`;

export async function lookAtVacuum({ run, schemas }: Scene): Promise<Judgement> {
  const { rows: tables } = await run<VacuumState>(TABLES, [schemas]);
  const { rows: settings } = await run<VacuumSettings>(SETTINGS);
  return judgeVacuum(tables, settings[0] as VacuumSettings);
}
