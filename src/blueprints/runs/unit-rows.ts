import { randomUUID } from 'node:crypto';
import type { Seal } from '../../kernel/seal.ts';
import type { Tables } from '../../store/store.ts';
import type { RunHead, Unit, UnitId, UnitState } from './run.ts';
import { OPEN, type Row } from './run-head.ts';
import { aboutUnit, createSealing } from './sealing.ts';
import type { UsageRows } from './usage-rows.ts';

export interface Beginning extends UnitId {
  readonly attempt: number;
  readonly repeatable: boolean;
  readonly arguments?: unknown;
  readonly state?: 'running' | 'waiting';
  /** The token of the attempt before; undefined for the first. */
  readonly after: string | undefined;
  /** When the first attempt began. */
  readonly startedAt?: number | undefined;
  /** Whether it counts against what the deployment may cause. */
  readonly isCounted?: boolean;
}

/** The part of a run that something belongs to, and what the run is heading for in it. */
export type Bound = Pick<RunHead, 'part' | 'goal'>;

export interface Ending {
  readonly state: UnitState;
  readonly result?: unknown;
  readonly error?: string | undefined;
  readonly note?: string | undefined;
}

/** Nobody has begun another part of the run since it ended. */
const HAS_ENDED = `EXISTS (SELECT 1 FROM blueprint_runs WHERE blueprint_runs.id = blueprint_steps.run AND blueprint_runs.part = ? AND NOT (blueprint_runs.${OPEN}))`;

/** The run is still at this part, with this goal. */
const GOES_ON = `EXISTS (SELECT 1 FROM blueprint_runs WHERE blueprint_runs.id = ? AND blueprint_runs.part = ? AND blueprint_runs.goal = ? AND blueprint_runs.${OPEN})`;

/** What runs did, and what came of it. */
export function unitRows(tables: Tables, seal: Seal, now: () => number, usage: UsageRows) {
  const sealing = createSealing(seal);

  function unitOf(row: Row): Unit {
    const id: UnitId = {
      run: String(row.run),
      step: String(row.step),
      item: Number(row.item),
      phase: row.phase as Unit['phase'],
    };
    return {
      ...id,
      state: row.state as UnitState,
      attempt: Number(row.attempt),
      token: String(row.token),
      repeatable: row.repeatable === 1,
      ...(row.sealed_arguments !== null && {
        arguments: sealing.open(row.sealed_arguments, aboutUnit(id, 'arguments')),
      }),
      ...(row.sealed_result !== null && { result: sealing.open(row.sealed_result, aboutUnit(id, 'result')) }),
      ...(row.error !== null && { error: String(row.error) }),
      ...(row.note !== null && { note: String(row.note) }),
      startedAt: Number(row.started_at),
      ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    };
  }

  return {
    async units(run: string): Promise<Unit[]> {
      const rows = await tables.rows<Row>(
        'SELECT * FROM blueprint_steps WHERE run = ? ORDER BY started_at, step, item',
        run,
      );
      return rows.map(unitOf);
    },

    /** The same without what is sealed. */
    async timeline(run: string): Promise<Unit[]> {
      const rows = await tables.rows<Row>(
        `SELECT run, step, item, phase, state, attempt, token, repeatable, NULL AS sealed_arguments, NULL AS sealed_result, error, note, started_at, ended_at
         FROM blueprint_steps WHERE run = ? ORDER BY started_at, step, item`,
        run,
      );
      return rows.map(unitOf);
    },

    /**
     * Says that an attempt begins, before it does. Undefined if another process was first, or if the run has ended or is
     * heading for something else: a process that was asleep for a while may not know. A text says why the deployment may
     * have no other step.
     */
    async begin(given: Beginning, { part, goal }: Bound): Promise<Unit | string | undefined> {
      const { run, step, item, phase, attempt, repeatable, after, state = 'running' } = given;
      const token = randomUUID();
      const startedAt = given.startedAt ?? now();
      const args = given.arguments === undefined ? null : sealing.seal(given.arguments, aboutUnit(given, 'arguments'));
      const used = { steps: 1, bytes: args?.length ?? 0 };
      const full = given.isCounted ? await usage.charge(run, used) : undefined;
      if (full !== undefined) return full;
      const changed =
        after === undefined
          ? await tables.change(
              `INSERT INTO blueprint_steps (run, step, item, phase, state, attempt, token, repeatable, sealed_arguments, started_at)
               SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ${GOES_ON} ON CONFLICT DO NOTHING`,
              run,
              step,
              item,
              phase,
              state,
              attempt,
              token,
              Number(repeatable),
              args,
              startedAt,
              run,
              part,
              goal,
            )
          : await tables.change(
              `UPDATE blueprint_steps SET state = ?, attempt = ?, token = ?, repeatable = ?, sealed_arguments = COALESCE(?, sealed_arguments),
                 sealed_result = NULL, error = NULL, started_at = ?, ended_at = NULL WHERE run = ? AND step = ? AND item = ? AND phase = ? AND token = ? AND ${GOES_ON}`,
              state,
              attempt,
              token,
              Number(repeatable),
              args,
              startedAt,
              run,
              step,
              item,
              phase,
              after,
              run,
              part,
              goal,
            );
      if (changed === 1)
        return { run, step, item, phase, state, attempt, token, repeatable, arguments: given.arguments, startedAt };
      if (given.isCounted) await usage.count(run, { steps: -1, bytes: -used.bytes });
      return undefined;
    },

    /** Says how an attempt ended. Undefined if another process took it over. */
    async finish(unit: Unit, { state, result, error, note }: Ending): Promise<Unit | undefined> {
      const endedAt = now();
      // Another token: whoever still knows the attempt as running must neither end it again nor repeat it.
      const token = randomUUID();
      const sealed = result === undefined ? null : sealing.seal(result, aboutUnit(unit, 'result'));
      const full =
        sealed === null || unit.phase === 'undo' ? undefined : await usage.charge(unit.run, { bytes: sealed.length });
      const told = full === undefined ? { result, note } : { note: `Its result is not kept. ${full}` };
      const changed = await tables.change(
        `UPDATE blueprint_steps SET state = ?, token = ?, sealed_result = ?, error = ?, note = COALESCE(?, note), ended_at = ?
         WHERE run = ? AND step = ? AND item = ? AND phase = ? AND token = ?`,
        state,
        token,
        full === undefined ? sealed : null,
        error ?? null,
        told.note ?? null,
        endedAt,
        unit.run,
        unit.step,
        unit.item,
        unit.phase,
        unit.token,
      );
      if (changed !== 1) return undefined;
      const { error: _, result: __, ...rest } = unit;
      return {
        ...rest,
        token,
        state,
        ...(told.result !== undefined && { result: told.result }),
        ...(error !== undefined && { error }),
        ...(told.note !== undefined && { note: told.note }),
        endedAt,
      };
    },

    /**
     * What failed, was stopped or is unknown is tried again, with the arguments it had. `done`: what is unknown was done, but
     * not in the steps that call blueprints, which know that themselves. Does nothing once the run goes on.
     */
    async tryAgain(
      run: string,
      part: number,
      done?: { readonly note: string; readonly except: readonly string[] },
    ): Promise<void> {
      if (done !== undefined)
        await tables.change(
          `UPDATE blueprint_steps SET state = 'done', note = ?, ended_at = COALESCE(ended_at, ?) WHERE run = ? AND phase = 'do' AND state = 'unknown'
             AND (item >= 0 OR NOT EXISTS (SELECT 1 FROM blueprint_steps others WHERE others.run = blueprint_steps.run AND others.step = blueprint_steps.step AND others.item >= 0))
             AND step NOT IN (${['', ...done.except].map(() => '?').join(', ')}) AND ${HAS_ENDED}`,
          done.note,
          now(),
          run,
          '',
          ...done.except,
          part,
        );
      await tables.change(
        `UPDATE blueprint_steps SET state = 'retrying', attempt = 0, ended_at = NULL WHERE run = ? AND state IN ('failed', 'cancelled', 'unknown', 'waiting') AND ${HAS_ENDED}`,
        run,
        part,
      );
      await tables.change(
        `DELETE FROM blueprint_decisions WHERE run = ? AND step IN (SELECT step FROM blueprint_steps WHERE run = ? AND state = 'retrying' AND ${HAS_ENDED})`,
        run,
        run,
        part,
      );
    },

    async tryUndoAgain(run: string, part: number): Promise<void> {
      await tables.change(
        `UPDATE blueprint_steps SET state = 'retrying', attempt = 0, ended_at = NULL WHERE run = ? AND phase = 'undo' AND state <> 'done' AND ${HAS_ENDED}`,
        run,
        part,
      );
      // A refusal counts once.
      await tables.change('DELETE FROM blueprint_decisions WHERE run = ? AND approved = 0', run);
    },
  };
}
