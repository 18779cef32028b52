import { ageText, counted } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { type QueryTexts, queryTextsOf } from './query-text.ts';
import { literal } from './quoted.ts';
import type { Scene } from './scene.ts';
import { type Session, sessionsOf, who } from './sessions.ts';

export interface Prepared {
  readonly id: string;
  readonly seconds: number;
}

const WARN = 300;
const CRITICAL = 3600;

export function judgeTransactions(
  sessions: readonly Session[],
  prepared: readonly Prepared[],
  texts: QueryTexts,
  seesAll: boolean,
): Judgement {
  const severity = (seconds: number) => (seconds >= CRITICAL ? 'critical' : 'warning');
  const findings: Finding[] = [];
  for (const session of sessions) {
    const seconds = session.transactionSeconds ?? 0;
    if (seconds < WARN) continue;
    findings.push({
      severity: severity(seconds),
      what: `${who(session)} has a transaction open since ${ageText(seconds)} (${session.state ?? 'state hidden'}): ${texts.shown(session.query, 120, session.application)} VACUUM cannot remove rows that it may still see.`,
      fix:
        session.state === 'active'
          ? `SELECT pg_cancel_backend(${session.pid}); (postgres_cancel_query)`
          : `SELECT pg_terminate_backend(${session.pid});`,
    });
  }
  for (const { id, seconds } of prepared)
    if (seconds >= WARN)
      findings.push({
        severity: severity(seconds),
        what: `The prepared transaction ${id.slice(0, 100)} waits since ${ageText(seconds)}. It keeps its locks, also after a restart.`,
        fix: `ROLLBACK PREPARED ${literal(id)}; or COMMIT PREPARED ${literal(id)};`,
      });
  const partly = seesAll ? '' : ' Those of other users are hidden from this one: grant it pg_monitor.';
  return judged(findings, {
    bad: `${counted(findings.length, 'transaction')} open for ${WARN / 60} min or longer.${partly}`,
    ok: `No transaction is open for ${WARN / 60} min.${partly}`,
  });
}

const PREPARED = `SELECT gid AS id, extract(epoch FROM now() - prepared)::float8 AS seconds FROM pg_prepared_xacts
  WHERE database = current_database() ORDER BY prepared LIMIT 100`;

export async function lookAtTransactions({ run, schemas, hidden, server }: Scene): Promise<Judgement> {
  const sessions = await sessionsOf(run);
  const { rows: prepared } = await run<Prepared>(PREPARED);
  return judgeTransactions(sessions, prepared, await queryTextsOf(run, hidden, schemas), server.seesAll);
}
