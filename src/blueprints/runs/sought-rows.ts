import type { Tables, TableValue } from '../../store/store.ts';
import type { RunHead } from './run.ts';
import { HEAD, headOf, OPEN, type Row } from './run-head.ts';

const PAGE = 500;

/** What a deployer has at work, or given to the engine, and what still waits for its turn. */
export interface Demand {
  readonly deployer: string;
  readonly atWork: number;
  readonly queued: number;
}

/** Runs that somebody has to look after. All of them: the first ones may be there for days. */
export function soughtRows(tables: Tables) {
  async function all(condition: string, ...values: readonly TableValue[]): Promise<RunHead[]> {
    const found: RunHead[] = [];
    for (let after = ''; ; ) {
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE ${condition} AND id > ? ORDER BY id LIMIT ?`,
        ...values,
        after,
        PAGE,
      );
      found.push(...rows.map(headOf));
      if (rows.length < PAGE) return found;
      after = String(rows.at(-1)?.id);
    }
  }

  return {
    /** What each deployer has at work or given to the engine, and what waits for its turn. */
    async demands(): Promise<Demand[]> {
      const rows = await tables.rows<Row>(
        `SELECT deployer, COUNT(*) AS n, SUM(CASE WHEN state = 'pending' AND engine IS NULL THEN 1 ELSE 0 END) AS queued
         FROM blueprint_runs WHERE state IN ('pending', 'running', 'undoing') GROUP BY deployer`,
      );
      return rows.map(({ deployer, n, queued }) => ({
        deployer: String(deployer),
        atWork: Number(n) - Number(queued),
        queued: Number(queued),
      }));
    },

    /** Parts of a deployer that wait for their turn, the oldest first. */
    async queued(deployer: string, limit: number): Promise<Pick<RunHead, 'id' | 'part'>[]> {
      const rows = await tables.rows<Row>(
        `SELECT id, part FROM blueprint_runs WHERE deployer = ? AND state = 'pending' AND engine IS NULL ORDER BY updated_at, id LIMIT ?`,
        deployer,
        limit,
      );
      return rows.map(({ id, part }) => ({ id: String(id), part: Number(part) }));
    },

    /** Runs whose part was not written down as given to the engine, although that was long ago. */
    forgotten: (before: number) =>
      all(`state IN ('running', 'waiting', 'undoing') AND engine IS NULL AND updated_at < ?`, before),

    /** Runs that the engine should have begun with before this time, or of which nothing was heard since. */
    late: (before: number) =>
      all(`${OPEN} AND engine <> '-' AND updated_at < ? AND (wake_at IS NULL OR wake_at < ?)`, before, before),

    /** Runs that wait for an event. */
    waitingForEvents: () => all(`state = 'waiting' AND waits LIKE '%"for":"event"%'`),

    /** Runs that wait although somebody has decided, or although the blueprints they called have ended. */
    overdue: () =>
      all(`state = 'waiting' AND (
        EXISTS (SELECT 1 FROM blueprint_decisions WHERE blueprint_decisions.run = blueprint_runs.id
          AND waits LIKE '{"step":"' || blueprint_decisions.step || '","for":"approval",'
            || CASE ask WHEN '' THEN '' ELSE '"ask":"' || ask || '",' END || '"question"%')
        OR (waits LIKE '%"for":"blueprint"%' AND NOT EXISTS (SELECT 1 FROM blueprint_runs called WHERE called.parent = blueprint_runs.id
          AND called.state IN ('pending', 'running', 'waiting', 'undoing'))))`),
  };
}
