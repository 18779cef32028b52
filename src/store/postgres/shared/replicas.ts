import { hostname } from 'node:os';
import { AppError, messageOf } from '../../../kernel/errors.ts';
import type { Replica, ReplicaReport } from '../../../kernel/shared.ts';
import type { Database } from '../connection.ts';
import { type OwnRow, REPLICA_COLUMNS, type ReplicaRow, type SeenReplicas } from './look.ts';
import { within } from './within.ts';

export const DEAD_MS = 12_000;
/** A name that was not found is not asked for again before this. */
const ASK_AGAIN_MS = 1000;
const ANSWER_MS = 2000;
const MOST_ASKED = 1000;

const starting: ReplicaReport = { state: 'starting', problems: [], sessions: 0, tools: 0 };

interface Known {
  readonly row: ReplicaRow;
  readonly leads: readonly string[];
  readonly report: ReplicaReport;
  /** When it was last heard of, on our monotonic clock. */
  readonly heardAt: number;
}

export interface Self {
  readonly id: string;
  readonly version: string;
  leads(): readonly string[];
  /** Since when this replica has not seen the store; undefined while it does. On our monotonic clock. */
  cutOffSince(): number | undefined;
}

const knownFrom = (row: ReplicaRow, leads: readonly string[], at: number): Known => ({
  row,
  leads,
  report: { ...starting, ...(JSON.parse(row.report) as Partial<ReplicaReport>) },
  heardAt: at - row.seen_ms,
});

/** The replicas as this one knows them. */
export function createReplicas(database: Database, self: Self) {
  const { id, version, cutOffSince } = self;
  const host = hostname();
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<Known | undefined>>();
  let url: string | undefined;
  let report: (() => ReplicaReport) | undefined;
  /** As of the last heartbeat: whoever makes the report may ask for the replicas. */
  let reported = starting;
  let startedMs = Date.now();
  let skewMs = 0;
  let draining = false;

  // Who does not see the store hears of nobody: that says nothing about the others.
  const ageOf = ({ heardAt }: Known): number => (cutOffSince() ?? performance.now()) - heardAt;
  const isAlive = (one: Known): boolean => ageOf(one) < DEAD_MS;

  function ownReport(): ReplicaReport {
    try {
      return report?.() ?? starting;
    } catch (error) {
      return { ...starting, state: 'degraded', problems: [`It cannot say how it is doing: ${messageOf(error)}`] };
    }
  }

  /** Forgets replicas at whose address a younger one is now: they did not stop in order, and would count as alive. */
  function forgetReplaced(): void {
    const places = [{ url: url ?? null, started_ms: startedMs }, ...[...known.values()].map(({ row }) => row)];
    for (const { row } of known.values())
      if (row.url !== null && places.some((one) => one.url === row.url && one.started_ms > row.beat_ms))
        known.delete(row.id);
  }

  const replicaOf = (one: Known): Replica => ({
    id: one.row.id,
    ...(one.row.url !== null && { url: one.row.url }),
    host: one.row.host,
    pid: one.row.pid,
    version: one.row.version,
    startedAt: new Date(one.row.started_ms).toISOString(),
    seenMs: Math.max(0, Math.round(ageOf(one))),
    skewMs: Math.round(one.row.skew_ms),
    draining: one.row.draining,
    leads: one.leads,
    report: one.report,
  });

  const own = (): Replica => ({
    id,
    ...(url !== undefined && { url }),
    host,
    pid: process.pid,
    version,
    startedAt: new Date(startedMs).toISOString(),
    seenMs: 0,
    skewMs: Math.round(skewMs),
    draining,
    leads: self.leads(),
    report: reported,
  });

  async function ask(wanted: string): Promise<Known | undefined> {
    const at = performance.now();
    const asking = database.rows<ReplicaRow>(`SELECT ${REPLICA_COLUMNS} FROM replicas WHERE id = $1`, [wanted]);
    const [row] = await within(ANSWER_MS, asking);
    const found = row && knownFrom(row, known.get(wanted)?.leads ?? [], at);
    if (!found || !isAlive(found)) return undefined;
    known.set(wanted, found);
    forgetReplaced();
    return known.get(wanted);
  }

  /** Together with everybody who asks for the same name at this time. */
  function askOnce(wanted: string): Promise<Known | undefined> {
    const underWay = asked.get(wanted);
    if (underWay) return underWay;
    if (asked.size >= MOST_ASKED) asked.clear();
    const answer = ask(wanted);
    asked.set(wanted, answer);
    const forget = () => {
      if (asked.get(wanted) === answer) asked.delete(wanted);
    };
    answer.then(() => setTimeout(forget, ASK_AGAIN_MS).unref(), forget);
    return answer;
  }

  return {
    all: (): Replica[] => [own(), ...[...known.values()].filter(isAlive).map(replicaOf)],
    isAlone: (): boolean => !known.values().some(isAlive),
    async find(wanted: string): Promise<Replica | undefined> {
      if (wanted === id) return own();
      const one = known.get(wanted);
      // It joins before it can say where it is.
      if (one && isAlive(one) && one.row.url !== null) return replicaOf(one);
      if (!/^[\dA-Za-z]{1,64}$/.test(wanted)) return undefined;
      if (cutOffSince() !== undefined) throw new AppError('unavailable', 'The store cannot be reached.');
      const found = await askOnce(wanted);
      return found && replicaOf(found);
    },
    announce(at: string | undefined, doing: () => ReplicaReport): void {
      url = at;
      report = doing;
      forgetReplaced();
    },
    /** Takes what was seen in the database. Returns whether others came, went, moved or drain. */
    seen({ replicas, leases, at, skewMs: skew }: SeenReplicas): boolean {
      const outline = () =>
        [...known.values()]
          .map(({ row }) => `${row.id} ${row.draining} ${row.url}`)
          .sort()
          .join();
      const before = outline();
      const isBack = cutOffSince() !== undefined;
      const alive = new Map([...known].filter(([, one]) => isAlive(one)));
      skewMs = skew;
      known.clear();
      for (const row of replicas ?? []) {
        const leads = Object.entries(leases ?? {}).flatMap(([task, leader]) => (leader === row.id ? [task] : []));
        const one = knownFrom(row, leads, at);
        const last = alive.get(row.id);
        // Whoever was there before the store was away gets as long as anybody else to renew.
        const heardAt = last ? Math.max(one.heardAt, isBack ? at : last.heardAt) : one.heardAt;
        if (at - heardAt < DEAD_MS) known.set(row.id, { ...one, heardAt });
      }
      forgetReplaced();
      return outline() !== before;
    },
    startedAt(ms: number): void {
      startedMs = ms;
    },
    drain(): void {
      draining = true;
    },
    skewMs: () => skewMs,
    row(): OwnRow {
      reported = ownReport();
      return {
        id,
        url,
        host,
        pid: process.pid,
        version,
        startedMs,
        skewMs,
        draining,
        report: JSON.stringify(reported),
      };
    },
  };
}

/** Removes replicas that have been silent for a minute, and leases that nobody renewed. */
export async function pruneReplicas(database: Database): Promise<void> {
  await database.change(`DELETE FROM replicas WHERE seen_at < now() - interval '1 minute'`);
  await database.change(`DELETE FROM leases WHERE until < now() - interval '1 minute'`);
}
