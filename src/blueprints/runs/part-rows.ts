import type { Principal } from '../../kernel/principal.ts';
import type { Seal } from '../../kernel/seal.ts';
import type { Json } from '../../kernel/source.ts';
import type { Tables } from '../../store/store.ts';
import { principalText } from './principal-text.ts';
import type { Goal, RunHead, RunState, Waits } from './run.ts';
import { OPEN } from './run-head.ts';
import { aboutRun, createSealing } from './sealing.ts';
import type { UsageRows } from './usage-rows.ts';

/** How runs go on. Every change says which part of the run it belongs to: what belongs to an earlier one changes nothing. */
export function partRows(tables: Tables, seal: Seal, now: () => number, usage: UsageRows) {
  const sealing = createSealing(seal);
  return {
    /** A process begins with a part. False if another part was begun since. */
    async take(id: string, part: number, state: 'running' | 'undoing', replica: string | undefined): Promise<boolean> {
      const at = now();
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = ?, replica = ?, waits = NULL, sealed_asked = NULL, wake_at = NULL, started_at = COALESCE(started_at, ?), updated_at = ?
           WHERE id = ? AND part = ? AND ${OPEN}`,
          state,
          replica ?? null,
          at,
          at,
          id,
          part,
        )) === 1
      );
    },

    /** It failed: from now on it undoes. False if it is heading for something else by now. */
    async undoing(id: string, part: number, error: string | undefined): Promise<boolean> {
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = 'undoing', goal = 'undo', error = COALESCE(?, error), updated_at = ? WHERE id = ? AND part = ? AND goal = 'finish' AND ${OPEN}`,
          error ?? null,
          now(),
          id,
          part,
        )) === 1
      );
    },

    /** Waits from now on: the next part begins when it is over. False if the goal changed meanwhile. */
    async park(
      id: string,
      part: number,
      goal: Goal,
      waits: Waits,
      { wakeAt, asked }: { readonly wakeAt?: number | undefined; readonly asked?: string | undefined } = {},
    ): Promise<boolean> {
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = 'waiting', part = part + 1, waits = ?, sealed_asked = ?, wake_at = ?, replica = NULL, engine = NULL, updated_at = ?
           WHERE id = ? AND part = ? AND goal = ? AND ${OPEN}`,
          JSON.stringify(waits),
          asked === undefined ? null : seal.seal(asked, aboutRun(id, 'asked')),
          wakeAt ?? null,
          now(),
          id,
          part,
          goal,
        )) === 1
      );
    },

    /**
     * Begins another part of a run as it was seen. False if it is not so any more: somebody else began one, or what it waited
     * for has come, or it has ended.
     */
    async next(
      { id, part, state }: Pick<RunHead, 'id' | 'part' | 'state'>,
      change: { readonly goal?: Goal; readonly as?: Principal; readonly reopen?: boolean } = {},
    ): Promise<boolean> {
      const { goal, as, reopen = false } = change;
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET part = part + 1, engine = NULL, state = 'pending', goal = COALESCE(?, goal), ended_at = NULL, error = ${reopen ? 'NULL' : 'error'},
             waits = NULL, sealed_asked = NULL, wake_at = NULL, sealed_actor = COALESCE(?, sealed_actor), actor = COALESCE(?, actor), updated_at = ?
           WHERE id = ? AND part = ? AND state = ?`,
          goal ?? null,
          as ? seal.seal(principalText(as), aboutRun(id, 'actor')) : null,
          as?.id ?? null,
          now(),
          id,
          part,
          state,
        )) === 1
      );
    },

    /** Changes what an open run is heading for. */
    async aim(id: string, goal: Goal): Promise<boolean> {
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET goal = ?, updated_at = ? WHERE id = ? AND ${OPEN}`,
          goal,
          now(),
          id,
        )) === 1
      );
    },

    /** False if it is heading for something else by now. */
    async end(
      id: string,
      part: number,
      goal: Goal,
      state: RunState,
      { error, outputs }: { readonly error?: string | undefined; readonly outputs?: Json } = {},
    ): Promise<boolean> {
      const at = now();
      const sealed = outputs ? sealing.seal(outputs, aboutRun(id, 'outputs')) : null;
      const full = sealed === null ? undefined : await usage.charge(id, { bytes: sealed.length });
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = ?, error = ?, sealed_outputs = COALESCE(?, sealed_outputs), waits = NULL, sealed_asked = NULL, wake_at = NULL,
             replica = NULL, ended_at = ?, updated_at = ? WHERE id = ? AND part = ? AND goal = ? AND ${OPEN}`,
          state,
          full === undefined ? (error ?? null) : `The outputs are not kept. ${full}`,
          full === undefined ? sealed : null,
          at,
          at,
          id,
          part,
          goal,
        )) === 1
      );
    },

    async givenTo(id: string, part: number, engine: string): Promise<void> {
      await tables.change('UPDATE blueprint_runs SET engine = ? WHERE id = ? AND part = ?', engine, id, part);
    },
  };
}
