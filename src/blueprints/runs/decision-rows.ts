import type { Tables } from '../../store/store.ts';
import type { Decision } from './run.ts';
import type { Row } from './run-head.ts';

/** What people decided. */
export function decisionRows(tables: Tables, now: () => number) {
  async function decision(run: string, step: string): Promise<Decision | undefined> {
    const [row] = await tables.rows<Row>('SELECT * FROM blueprint_decisions WHERE run = ? AND step = ?', run, step);
    return (
      row && {
        approved: row.approved === 1,
        principal: String(row.principal),
        ...(row.name !== null && { name: String(row.name) }),
        ...(row.comment !== null && { comment: String(row.comment) }),
        at: Number(row.at),
      }
    );
  }

  return {
    decision,
    /** Somebody decided. Returns what counts: the first decision. */
    async decide(run: string, step: string, decided: Omit<Decision, 'at'>): Promise<Decision> {
      const { approved, principal, name, comment } = decided;
      await tables.change(
        `INSERT INTO blueprint_decisions (run, step, approved, principal, name, comment, at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        run,
        step,
        Number(approved),
        principal,
        name ?? null,
        comment ?? null,
        now(),
      );
      return (await decision(run, step)) as Decision;
    },
  };
}
