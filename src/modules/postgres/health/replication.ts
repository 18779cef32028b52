import { ageText, counted, sizeText } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { literal } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface Standby {
  readonly name: string;
  readonly state: string | null;
  /** Null if this user may not see it. */
  readonly lagBytes: number | null;
  readonly lagSeconds: number | null;
}

export interface Slot {
  readonly name: string;
  readonly isActive: boolean;
  /** WAL that the server keeps for it. */
  readonly keptBytes: number | null;
  readonly walStatus: string | null;
}

const MB = 1024 ** 2;
const LAG_WARN = { bytes: 100 * MB, seconds: 60 };
const LAG_CRITICAL = { bytes: 1024 * MB, seconds: 600 };
const KEPT_CRITICAL = 10 * 1024 * MB;

/** `replaySeconds` is how far this server is behind, if it is a standby. */
export function judgeReplication(
  standbys: readonly Standby[],
  slots: readonly Slot[],
  replaySeconds: number | null,
): Judgement {
  const findings: Finding[] = [];
  for (const { name, state, lagBytes, lagSeconds } of standbys) {
    const over = (limit: { bytes: number; seconds: number }) =>
      (lagBytes ?? 0) >= limit.bytes || (lagSeconds ?? 0) >= limit.seconds;
    if (over(LAG_WARN))
      findings.push({
        severity: over(LAG_CRITICAL) ? 'critical' : 'warning',
        what: `Standby ${name} (${state ?? 'state unknown'}) is ${sizeText(lagBytes ?? 0)} and ${ageText(lagSeconds ?? 0)} behind: reads there are old, and a failover loses that much.`,
        fix: 'Look at its network, disk and long queries; SELECT * FROM pg_stat_replication; shows where the lag is.',
      });
  }
  for (const { name, isActive, keptBytes, walStatus } of slots) {
    const kept = keptBytes ?? 0;
    const isLost = walStatus === 'lost' || walStatus === 'unreserved';
    if (isLost)
      findings.push({
        severity: 'critical',
        what: `Replication slot ${name} lost WAL that its reader still needs (${walStatus}).`,
        fix: `Build the standby or subscription anew, then SELECT pg_drop_replication_slot(${literal(name)});`,
      });
    else if (!isActive || kept >= KEPT_CRITICAL)
      findings.push({
        severity: kept >= KEPT_CRITICAL ? 'critical' : 'warning',
        what: `Replication slot ${name} ${isActive ? 'is far behind' : 'has no reader'}, and the server keeps ${sizeText(kept)} of WAL for it: the disk can fill up.`,
        fix: `If nobody needs it: SELECT pg_drop_replication_slot(${literal(name)}); Limit the rest with max_slot_wal_keep_size.`,
      });
  }
  if (replaySeconds !== null && replaySeconds >= LAG_WARN.seconds)
    findings.push({
      severity: replaySeconds >= LAG_CRITICAL.seconds ? 'critical' : 'warning',
      what: `This server is a standby and ${ageText(replaySeconds)} behind its primary.`,
      fix: 'SELECT * FROM pg_stat_wal_receiver; shows whether it receives. Long queries here can hold the replay up.',
    });
  const role = replaySeconds === null ? 'Primary' : 'Standby';
  return judged(findings, {
    bad: `${role} with ${counted(standbys.length, 'standby', 'standbys')} and ${counted(slots.length, 'slot')}: ${counted(findings.length, 'finding')}.`,
    ok: `${role} with ${counted(standbys.length, 'standby', 'standbys')} and ${counted(slots.length, 'slot')}${standbys.length + slots.length > 0 ? ', all up to date' : ''}.`,
  });
}

const here = (isStandby: boolean) => (isStandby ? 'pg_last_wal_receive_lsn()' : 'pg_current_wal_lsn()');

const standbysSql = (isStandby: boolean) => `SELECT coalesce(nullif(application_name, ''), pid::text) AS name, state,
    pg_wal_lsn_diff(${here(isStandby)}, replay_lsn)::float8 AS "lagBytes",
    extract(epoch FROM replay_lag)::float8 AS "lagSeconds"
  FROM pg_stat_replication LIMIT 200`;

const slotsSql = (isStandby: boolean, version: number) => `SELECT slot_name AS name, active AS "isActive",
    pg_wal_lsn_diff(${here(isStandby)}, restart_lsn)::float8 AS "keptBytes",
    ${version >= 130_000 ? 'wal_status' : 'NULL'} AS "walStatus"
  FROM pg_replication_slots LIMIT 200`;

// A primary that has nothing to send makes the last replayed transaction look old.
const REPLAY = `SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds`;

export async function lookAtReplication({ run, server: { isStandby, version } }: Scene): Promise<Judgement> {
  const { rows: standbys } = await run<Standby>(standbysSql(isStandby));
  const { rows: slots } = await run<Slot>(slotsSql(isStandby, version));
  const replay = isStandby ? (await run<{ seconds: number }>(REPLAY)).rows[0]?.seconds : undefined;
  return judgeReplication(standbys, slots, replay ?? null);
}
