import type { Tables } from '../../store/store.ts';
import type { RunHead } from './run.ts';
import { HEAD, headOf, OPEN, type Row } from './run-head.ts';

/** Runs that somebody has to look after. */
export function soughtRows(tables: Tables) {
  return {
    /** Runs whose next part was not given to the engine, although that was long ago. */
    async forgotten(before: number, limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE ${OPEN} AND engine IS NULL AND updated_at < ? ORDER BY updated_at LIMIT ?`,
        before,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that the engine should have begun with before this time, or of which nothing was heard since. */
    async late(before: number, limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE ${OPEN} AND engine <> '-' AND updated_at < ? AND (wake_at IS NULL OR wake_at < ?) ORDER BY updated_at LIMIT ?`,
        before,
        before,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that wait for an event. */
    async waitingForEvents(limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE state = 'waiting' AND waits LIKE '%"for":"event"%' ORDER BY updated_at LIMIT ?`,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that wait although somebody has decided, or although the blueprints they called have ended. */
    async overdue(limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE state = 'waiting' AND (
           EXISTS (SELECT 1 FROM blueprint_decisions WHERE blueprint_decisions.run = blueprint_runs.id)
           OR (waits LIKE '%"for":"blueprint"%' AND NOT EXISTS (SELECT 1 FROM blueprint_runs called WHERE called.parent = blueprint_runs.id
             AND called.state IN ('pending', 'running', 'waiting', 'undoing')))
         ) ORDER BY updated_at LIMIT ?`,
        limit,
      );
      return rows.map(headOf);
    },
  };
}
