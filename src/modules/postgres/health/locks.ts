import type { Run } from '../connection.ts';
import { ageText, counted } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { type QueryTexts, queryTextsOf } from './query-text.ts';
import { quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';
import { type Session, sessionsOf, who } from './sessions.ts';

/** A lock that a session waits for. */
export interface Wait {
  readonly pid: number;
  readonly mode: string;
  /** The table, if it is one in reach. */
  readonly on: string | null;
  readonly seconds: number | null;
}

interface WaitRow {
  readonly pid: number;
  readonly mode: string;
  readonly type: string;
  readonly schema: string | null;
  readonly name: string | null;
  readonly seconds: number | null;
}

// waitstart is new in PostgreSQL 14.
const waiting = (version: number): string => `SELECT DISTINCT ON (l.pid) l.pid, l.mode, l.locktype AS type,
    n.nspname AS schema, c.relname AS name,
    extract(epoch FROM clock_timestamp() - ${version >= 140_000 ? 'l.waitstart' : 'a.state_change'})::float8 AS seconds
  FROM pg_locks l
  JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database()
  LEFT JOIN pg_locks rel ON rel.pid = l.pid AND l.relation IS NULL AND rel.locktype = 'tuple'
  LEFT JOIN pg_class c ON c.oid = coalesce(l.relation, rel.relation)
  LEFT JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE NOT l.granted
  ORDER BY l.pid LIMIT 1000`;

export async function waitsOf(run: Run, version: number, isInReach: (schema: string) => boolean): Promise<Wait[]> {
  const { rows } = await run<WaitRow>(waiting(version));
  return rows.map(({ pid, mode, type, schema, name, seconds }) => ({
    pid,
    mode,
    on:
      schema !== null && name !== null
        ? isInReach(schema)
          ? quotedIn(schema, name)
          : null
        : ROW.has(type)
          ? 'a row'
          : type,
    seconds,
  }));
}

/** A session that waits for a row waits for the end of the transaction that holds it. */
const ROW: ReadonlySet<string> = new Set(['transactionid', 'tuple']);

const WARN_SECONDS = 1;
const CRITICAL_SECONDS = 60;
const QUERY_SHOWN = 120;

export function judgeLocks(sessions: readonly Session[], waits: readonly Wait[], texts: QueryTexts): Judgement {
  const byPid = new Map(sessions.map((one) => [one.pid, one]));
  const blocked = sessions.filter(({ blockedBy }) => blockedBy.length > 0);
  const findings = blocked.flatMap((session): Finding[] => {
    const wait = waits.find(({ pid }) => pid === session.pid);
    const seconds = wait?.seconds ?? session.stateSeconds ?? 0;
    if (seconds < WARN_SECONDS) return [];
    const blockers = session.blockedBy.map((pid) => byPid.get(pid) ?? { pid, user: null, application: null });
    const [first] = blockers;
    const held =
      first && 'state' in first
        ? `, ${first.state ?? 'state hidden'} for ${ageText(first.stateSeconds ?? 0)}: ${texts.shown(first.query, QUERY_SHOWN, first.application)}`
        : '';
    const isIdle = first && 'state' in first && (first.state?.startsWith('idle in transaction') ?? false);
    return [
      {
        severity: seconds >= CRITICAL_SECONDS ? 'critical' : 'warning',
        what: `${who(session)} waits for ${wait?.on ?? 'a lock'} since ${ageText(seconds)}: ${texts.shown(session.query, QUERY_SHOWN, session.application)} It is blocked by ${blockers.map(who).join(', ')}${held}`,
        fix: isIdle
          ? `SELECT pg_terminate_backend(${first.pid}); ends that session. It does nothing, but its transaction is open.`
          : `SELECT pg_cancel_backend(${first?.pid ?? 0}); stops what it does (postgres_cancel_query).`,
      },
    ];
  });
  return judged(findings, {
    bad: `${counted(findings.length, 'session')} blocked for ${WARN_SECONDS} s or longer.`,
    ok:
      blocked.length > 0
        ? `${counted(blocked.length, 'session')} blocked, all for less than ${WARN_SECONDS} s.`
        : 'No session waits for another.',
  });
}

export async function lookAtLocks({ run, schemas, hidden, server }: Scene): Promise<Judgement> {
  const sessions = await sessionsOf(run);
  const waits = await waitsOf(run, server.version, (schema) => schemas.includes(schema));
  return judgeLocks(sessions, waits, await queryTextsOf(run, hidden, schemas));
}
