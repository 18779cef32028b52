import type { Tables, TableValue } from '../../store/store.ts';
import type { RunHead } from './run.ts';
import { HEAD, headOf, OPEN, type Row } from './run-head.ts';

const PAGE = 500;

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
    /** Runs whose next part was not given to the engine, although that was long ago. */
    forgotten: (before: number) => all(`${OPEN} AND engine IS NULL AND updated_at < ?`, before),

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
