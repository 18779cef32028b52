import { ageText, percent } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import type { Scene } from './scene.ts';
import { type Session, sessionsOf, who } from './sessions.ts';

export interface ConnectionUse {
  readonly used: number;
  readonly active: number;
  readonly idle: number;
  readonly most: number;
  /** Kept free for superusers. */
  readonly reserved: number;
}

const IDLE_WARN = 300;
const IDLE_CRITICAL = 3600;

export function judgeConnections(use: ConnectionUse, sessions: readonly Session[], seesAll: boolean): Judgement {
  const findings: Finding[] = [];
  const share = percent(use.used, use.most - use.reserved);
  if (share >= 80)
    findings.push({
      severity: share >= 95 ? 'critical' : 'warning',
      what: `${use.used} of ${use.most - use.reserved} connections are used (${share} %), ${use.idle} of them idle. When all are used, new ones are refused.`,
      fix: 'Put a pooler (PgBouncer) in between or make the pools of the applications smaller; ALTER SYSTEM SET max_connections = … needs a restart.',
    });
  const idle = sessions.filter(({ state }) => state?.startsWith('idle in transaction'));
  const long = idle.filter(({ stateSeconds }) => (stateSeconds ?? 0) >= IDLE_WARN);
  for (const session of long)
    findings.push({
      severity: (session.stateSeconds ?? 0) >= IDLE_CRITICAL ? 'critical' : 'warning',
      what: `${who(session)} is idle in a transaction since ${ageText(session.stateSeconds ?? 0)}: it keeps its locks, and VACUUM cannot clean up behind it.`,
      fix: `SELECT pg_terminate_backend(${session.pid}); and, so that it cannot happen again, ALTER DATABASE … SET idle_in_transaction_session_timeout = '5min';`,
    });
  const partly = seesAll ? '' : ' What other users do is hidden from this one: grant it pg_monitor.';
  const summary = `${use.used} of ${use.most} connections used, ${use.active} active, ${idle.length} idle in a transaction.${partly}`;
  return judged(findings, { bad: summary, ok: summary });
}

const SQL = `SELECT count(*)::int AS used, count(*) FILTER (WHERE state = 'active')::int AS active,
    count(*) FILTER (WHERE state = 'idle')::int AS idle, current_setting('max_connections')::int AS most,
    current_setting('superuser_reserved_connections')::int AS reserved
  FROM pg_stat_activity WHERE backend_type = 'client backend' OR (backend_type IS NULL AND datname IS NOT NULL)`;

export async function lookAtConnections({ run, server }: Scene): Promise<Judgement> {
  const { rows } = await run<ConnectionUse>(SQL);
  return judgeConnections(rows[0] as ConnectionUse, await sessionsOf(run), server.seesAll);
}
