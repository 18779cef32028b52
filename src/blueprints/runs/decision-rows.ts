import { createHmac } from 'node:crypto';
import type { Tables } from '../../store/store.ts';
import type { Decision } from './run.ts';
import type { Row } from './run-head.ts';

/** What people decided. `ask` is the question about a call; a step that only asks has no other. */
export function decisionRows(tables: Tables, secret: Buffer, now: () => number) {
  async function decision(run: string, step: string, ask = ''): Promise<Decision | undefined> {
    const [row] = await tables.rows<Row>(
      'SELECT * FROM blueprint_decisions WHERE run = ? AND step = ? AND ask = ?',
      run,
      step,
      ask,
    );
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
    /** The same text for the same call only. It says nothing about the arguments, which may be secret. */
    askFor: (call: readonly unknown[]): string =>
      createHmac('sha256', secret).update(JSON.stringify(call)).digest('base64url'),
    /** Somebody decided. Returns what counts: the first decision. */
    async decide(run: string, step: string, ask: string | undefined, decided: Omit<Decision, 'at'>): Promise<Decision> {
      const { approved, principal, name, comment } = decided;
      await tables.change(
        `INSERT INTO blueprint_decisions (run, step, ask, approved, principal, name, comment, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        run,
        step,
        ask ?? '',
        Number(approved),
        principal,
        name ?? null,
        comment ?? null,
        now(),
      );
      return (await decision(run, step, ask)) as Decision;
    },
  };
}
