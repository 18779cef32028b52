import { randomUUID } from 'node:crypto';
import type { Seal } from '../../kernel/seal.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tables, TableValue } from '../../store/store.ts';
import type { Definition, Nested } from '../definition/shape.ts';
import type { Json } from '../../kernel/source.ts';
import { principalFrom, principalText } from './principal-text.ts';
import {
  type Decision,
  type Goal,
  type Run,
  type RunHead,
  type RunState,
  type Unit,
  type UnitId,
  type UnitState,
  type Waits,
  WHOLE,
} from './run.ts';

type RunRow = Readonly<Record<string, string | number | null>>;

const HEAD =
  'id, name, kind, origin, hash, deployer, actor, state, goal, part, engine, replica, waits, wake_at, error, parent, parent_step, parent_item, schedule, trace, created_at, started_at, ended_at, updated_at';
const OPEN = "state IN ('pending', 'running', 'waiting', 'undoing')";

export interface NewRun {
  readonly id: string;
  readonly name: string;
  readonly kind: Run['kind'];
  readonly origin: Run['origin'];
  readonly hash: string;
  readonly definition: Definition;
  readonly nested: Readonly<Record<string, Nested>>;
  readonly inputs: Json;
  readonly as: Principal;
  readonly deployer: string;
  readonly parent?: Run['parent'];
  readonly schedule?: string;
  readonly trace: string;
}

export interface Beginning extends UnitId {
  readonly attempt: number;
  readonly repeatable: boolean;
  readonly arguments?: unknown;
  readonly state?: 'running' | 'waiting';
  /** The token of the attempt before; undefined for the first. */
  readonly after: string | undefined;
  /** When the first attempt began. */
  readonly startedAt?: number | undefined;
}

export interface Ending {
  readonly state: UnitState;
  readonly result?: unknown;
  readonly error?: string | undefined;
  readonly note?: string | undefined;
}

export type Journal = ReturnType<typeof createJournal>;

/** What runs are, what they did and what came of it. Values are sealed. Every change of a run says which part it belongs to. */
export function createJournal(tables: Tables, seal: Seal, now: () => number = Date.now) {
  const sealed = (value: unknown, about: string) => seal.seal(JSON.stringify(value ?? null), about);
  const opened = (text: unknown, about: string): unknown =>
    typeof text === 'string' ? (JSON.parse(seal.open(text, about)) as unknown) : undefined;
  const about = (run: string, what: string) => `blueprint run ${run} ${what}`;
  const aboutUnit = ({ run, step, item, phase }: UnitId, what: string) =>
    about(run, `${phase} ${step} ${item} ${what}`);

  function unitOf(row: RunRow): Unit {
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
      ...(row.sealed_arguments !== null && { arguments: opened(row.sealed_arguments, aboutUnit(id, 'arguments')) }),
      ...(row.sealed_result !== null && { result: opened(row.sealed_result, aboutUnit(id, 'result')) }),
      ...(row.error !== null && { error: String(row.error) }),
      ...(row.note !== null && { note: String(row.note) }),
      startedAt: Number(row.started_at),
      ...(row.ended_at !== null && { endedAt: Number(row.ended_at) }),
    };
  }

  return {
    async create(run: NewRun): Promise<void> {
      const at = now();
      await tables.change(
        `INSERT INTO blueprint_runs (id, name, kind, origin, hash, sealed_definition, sealed_inputs, deployer, sealed_actor, actor,
           state, goal, part, parent, parent_step, parent_item, schedule, trace, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 'finish', 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        run.id,
        run.name,
        run.kind,
        run.origin,
        run.hash,
        sealed({ definition: run.definition, nested: run.nested }, about(run.id, 'definition')),
        sealed(run.inputs, about(run.id, 'inputs')),
        run.deployer,
        seal.seal(principalText(run.as), about(run.id, 'actor')),
        run.as.id,
        run.parent?.run ?? null,
        run.parent?.step ?? null,
        run.parent?.item ?? null,
        run.schedule ?? null,
        run.trace,
        at,
        at,
      );
    },

    /** Who deployed under this id of his own, and what it was. The first to claim it has it for ever. */
    async claimId(principal: string, given: string, run: string, fingerprint: string) {
      await tables.change(
        'INSERT INTO blueprint_run_ids (principal, given, run, fingerprint, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        principal,
        given,
        run,
        fingerprint,
        now(),
      );
      const [row] = await tables.rows<{ run: string; fingerprint: string; ended_as: string | null }>(
        'SELECT run, fingerprint, ended_as FROM blueprint_run_ids WHERE principal = ? AND given = ?',
        principal,
        given,
      );
      return row as { run: string; fingerprint: string; ended_as: string | null };
    },

    /** The run that a principal gave this id. */
    async runOf(principal: string, given: string): Promise<string | undefined> {
      const [row] = await tables.rows<{ run: string }>(
        'SELECT run FROM blueprint_run_ids WHERE principal = ? AND given = ?',
        principal,
        given,
      );
      return row?.run;
    },

    async get(id: string): Promise<Run | undefined> {
      const [row] = await tables.rows<RunRow>(
        `SELECT ${HEAD}, sealed_definition, sealed_inputs, sealed_outputs, sealed_actor FROM blueprint_runs WHERE id = ?`,
        id,
      );
      if (!row) return undefined;
      return {
        ...headOf(row),
        ...(opened(row.sealed_definition, about(id, 'definition')) as Pick<Run, 'definition' | 'nested'>),
        inputs: opened(row.sealed_inputs, about(id, 'inputs')) as Json,
        ...(row.sealed_outputs !== null && { outputs: opened(row.sealed_outputs, about(id, 'outputs')) as Json }),
        as: principalFrom(seal.open(String(row.sealed_actor), about(id, 'actor'))),
      };
    },

    async head(id: string): Promise<RunHead | undefined> {
      const [row] = await tables.rows<RunRow>(`SELECT ${HEAD} FROM blueprint_runs WHERE id = ?`, id);
      return row && headOf(row);
    },

    /** Newest first. */
    async list(filter: {
      readonly name?: string | undefined;
      readonly state?: RunState | undefined;
      readonly before?: { readonly at: number; readonly id: string } | undefined;
      readonly limit: number;
      readonly mine?: string | undefined;
    }): Promise<RunHead[]> {
      const conditions: [string, ...TableValue[]][] = [
        ...(filter.name === undefined ? [] : [['name = ?', filter.name] as [string, string]]),
        ...(filter.state === undefined ? [] : [['state = ?', filter.state] as [string, string]]),
        ...(filter.mine === undefined
          ? []
          : [['(deployer = ? OR actor = ?)', filter.mine, filter.mine] as [string, string, string]]),
        ...(filter.before === undefined
          ? []
          : [
              [
                '(created_at < ? OR (created_at = ? AND id < ?))',
                filter.before.at,
                filter.before.at,
                filter.before.id,
              ] as [string, ...TableValue[]],
            ]),
      ];
      const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '';
      const rows = await tables.rows<RunRow>(
        `SELECT ${HEAD} FROM blueprint_runs ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
        ...conditions.flatMap(([, ...values]) => values),
        filter.limit,
      );
      return rows.map(headOf);
    },

    /** Runs whose next part was not given to the engine, although that was long ago. */
    async forgotten(before: number, limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<RunRow>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE ${OPEN} AND engine IS NULL AND updated_at < ? ORDER BY updated_at LIMIT ?`,
        before,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that the engine should have begun with before this time, or of which nothing was heard since. */
    async late(before: number, limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<RunRow>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE ${OPEN} AND engine <> '-' AND updated_at < ? AND (wake_at IS NULL OR wake_at < ?) ORDER BY updated_at LIMIT ?`,
        before,
        before,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that wait for an event. */
    async waitingForEvents(limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<RunRow>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE state = 'waiting' AND waits LIKE '%"for":"event"%' ORDER BY updated_at LIMIT ?`,
        limit,
      );
      return rows.map(headOf);
    },

    /** Runs that wait although somebody has decided, or although the blueprints they called have ended. */
    async overdue(limit: number): Promise<RunHead[]> {
      const rows = await tables.rows<RunRow>(
        `SELECT ${HEAD} FROM blueprint_runs WHERE state = 'waiting' AND (
           EXISTS (SELECT 1 FROM blueprint_decisions WHERE blueprint_decisions.run = blueprint_runs.id)
           OR (waits LIKE '%"for":"blueprint"%' AND NOT EXISTS (SELECT 1 FROM blueprint_runs called WHERE called.parent = blueprint_runs.id
             AND called.state IN ('pending', 'running', 'waiting', 'undoing')))
         ) ORDER BY updated_at LIMIT ?`,
        limit,
      );
      return rows.map(headOf);
    },

    /** How many runs of a principal have not ended. */
    async openOf(deployer: string): Promise<number> {
      const [row] = await tables.rows<{ n: number }>(
        `SELECT count(*) AS n FROM blueprint_runs WHERE ${OPEN} AND deployer = ?`,
        deployer,
      );
      return row?.n ?? 0;
    },

    async children(parent: string): Promise<RunHead[]> {
      const rows = await tables.rows<RunRow>(`SELECT ${HEAD} FROM blueprint_runs WHERE parent = ?`, parent);
      return rows.map(headOf);
    },

    /** A process begins with a part. False if another part was begun since. */
    async take(id: string, part: number, state: 'running' | 'undoing', replica: string | undefined): Promise<boolean> {
      const at = now();
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = ?, replica = ?, waits = NULL, wake_at = NULL, started_at = COALESCE(started_at, ?), updated_at = ?
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
    async park(id: string, part: number, goal: Goal, waits: Waits, wakeAt: number | undefined): Promise<boolean> {
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = 'waiting', part = part + 1, waits = ?, wake_at = ?, replica = NULL, engine = NULL, updated_at = ?
           WHERE id = ? AND part = ? AND goal = ? AND ${OPEN}`,
          JSON.stringify(waits),
          wakeAt ?? null,
          now(),
          id,
          part,
          goal,
        )) === 1
      );
    },

    /** Begins another part, whatever the one before does. False if somebody else did. */
    async next(
      id: string,
      part: number,
      change: { readonly goal?: Goal; readonly as?: Principal; readonly reopen?: boolean } = {},
    ): Promise<boolean> {
      const { goal, as, reopen = false } = change;
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET part = part + 1, engine = NULL, state = 'pending', goal = COALESCE(?, goal), ended_at = NULL, error = ${reopen ? 'NULL' : 'error'},
             waits = NULL, wake_at = NULL, sealed_actor = COALESCE(?, sealed_actor), actor = COALESCE(?, actor), updated_at = ?
           WHERE id = ? AND part = ?`,
          goal ?? null,
          as ? seal.seal(principalText(as), about(id, 'actor')) : null,
          as?.id ?? null,
          now(),
          id,
          part,
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
      return (
        (await tables.change(
          `UPDATE blueprint_runs SET state = ?, error = COALESCE(?, error), sealed_outputs = COALESCE(?, sealed_outputs), waits = NULL, wake_at = NULL,
             replica = NULL, ended_at = ?, updated_at = ? WHERE id = ? AND part = ? AND goal = ? AND ${OPEN}`,
          state,
          error ?? null,
          outputs ? sealed(outputs, about(id, 'outputs')) : null,
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

    async units(run: string): Promise<Unit[]> {
      const rows = await tables.rows<RunRow>(
        'SELECT * FROM blueprint_steps WHERE run = ? ORDER BY started_at, step, item',
        run,
      );
      return rows.map(unitOf);
    },

    /** The same without what is sealed. */
    async timeline(run: string): Promise<Unit[]> {
      const rows = await tables.rows<RunRow>(
        `SELECT run, step, item, phase, state, attempt, token, repeatable, NULL AS sealed_arguments, NULL AS sealed_result, error, note, started_at, ended_at
         FROM blueprint_steps WHERE run = ? ORDER BY started_at, step, item`,
        run,
      );
      return rows.map(unitOf);
    },

    /** Says that an attempt begins, before it does. Undefined if another process was first. */
    async begin(given: Beginning): Promise<Unit | undefined> {
      const { run, step, item, phase, attempt, repeatable, after, state = 'running' } = given;
      const token = randomUUID();
      const startedAt = given.startedAt ?? now();
      const args = given.arguments === undefined ? null : sealed(given.arguments, aboutUnit(given, 'arguments'));
      const changed =
        after === undefined
          ? await tables.change(
              `INSERT INTO blueprint_steps (run, step, item, phase, state, attempt, token, repeatable, sealed_arguments, started_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
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
            )
          : await tables.change(
              `UPDATE blueprint_steps SET state = ?, attempt = ?, token = ?, repeatable = ?, sealed_arguments = COALESCE(?, sealed_arguments),
                 sealed_result = NULL, error = NULL, ended_at = NULL WHERE run = ? AND step = ? AND item = ? AND phase = ? AND token = ?`,
              state,
              attempt,
              token,
              Number(repeatable),
              args,
              run,
              step,
              item,
              phase,
              after,
            );
      return changed === 1
        ? { run, step, item, phase, state, attempt, token, repeatable, arguments: given.arguments, startedAt }
        : undefined;
    },

    /** Says how an attempt ended. Undefined if another process took it over. */
    async finish(unit: Unit, { state, result, error, note }: Ending): Promise<Unit | undefined> {
      const endedAt = now();
      const changed = await tables.change(
        `UPDATE blueprint_steps SET state = ?, sealed_result = ?, error = ?, note = COALESCE(?, note), ended_at = ?
         WHERE run = ? AND step = ? AND item = ? AND phase = ? AND token = ?`,
        state,
        result === undefined ? null : sealed(result, aboutUnit(unit, 'result')),
        error ?? null,
        note ?? null,
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
        state,
        ...(result !== undefined && { result }),
        ...(error !== undefined && { error }),
        ...(note !== undefined && { note }),
        endedAt,
      };
    },

    /** What failed, was stopped or is unknown is tried again, with the arguments it had. */
    async tryAgain(run: string, unknownIsDone: string | undefined): Promise<void> {
      if (unknownIsDone !== undefined)
        await tables.change(
          `UPDATE blueprint_steps SET state = 'done', note = ?, ended_at = COALESCE(ended_at, ?) WHERE run = ? AND phase = 'do' AND state = 'unknown'
             AND (item >= 0 OR NOT EXISTS (SELECT 1 FROM blueprint_steps others WHERE others.run = blueprint_steps.run AND others.step = blueprint_steps.step AND others.item >= 0))`,
          unknownIsDone,
          now(),
          run,
        );
      await tables.change(
        `UPDATE blueprint_steps SET state = 'retrying', attempt = 0, ended_at = NULL WHERE run = ? AND state IN ('failed', 'cancelled', 'unknown')`,
        run,
      );
      await tables.change(
        `DELETE FROM blueprint_decisions WHERE run = ? AND step IN (SELECT step FROM blueprint_steps WHERE run = ? AND state = 'retrying')`,
        run,
        run,
      );
    },

    async tryUndoAgain(run: string): Promise<void> {
      await tables.change(
        `UPDATE blueprint_steps SET state = 'retrying', attempt = 0, ended_at = NULL WHERE run = ? AND phase = 'undo' AND state <> 'done'`,
        run,
      );
    },

    /** Somebody decided. Returns what counts: the first decision. */
    async decide(run: string, step: string, decision: Omit<Decision, 'at'>): Promise<Decision> {
      const { approved, principal, name, comment } = decision;
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
      return (await this.decision(run, step)) as Decision;
    },

    async decision(run: string, step: string): Promise<Decision | undefined> {
      const [row] = await tables.rows<RunRow>(
        'SELECT * FROM blueprint_decisions WHERE run = ? AND step = ?',
        run,
        step,
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
    },

    /** A decision counts once: a step that is asked again waits for another one. */
    async forgetDecision(run: string, step: string): Promise<void> {
      await tables.change('DELETE FROM blueprint_decisions WHERE run = ? AND step = ?', run, step);
    },

    /** Deletes runs that ended before this time. The ids that callers gave them stay taken. */
    async prune(before: number, limit: number): Promise<number> {
      const old = await tables.rows<{ id: string; state: string }>(
        `SELECT id, state FROM blueprint_runs WHERE ended_at < ? AND NOT (${OPEN}) AND (parent IS NULL OR parent NOT IN (SELECT id FROM blueprint_runs)) ORDER BY ended_at LIMIT ?`,
        before,
        limit,
      );
      for (const { id, state } of old) {
        await tables.change('UPDATE blueprint_run_ids SET ended_as = ? WHERE run = ?', state, id);
        await tables.change('DELETE FROM blueprint_steps WHERE run = ?', id);
        await tables.change('DELETE FROM blueprint_decisions WHERE run = ?', id);
        await tables.change('DELETE FROM blueprint_runs WHERE id = ?', id);
      }
      return old.length;
    },
  };
}

function headOf(row: RunRow): RunHead {
  const {
    engine,
    replica,
    waits,
    wake_at: wakeAt,
    error,
    parent,
    parent_step: step,
    parent_item: item,
    schedule,
  } = row;
  const { started_at: startedAt, ended_at: endedAt } = row;
  return {
    id: String(row.id),
    name: String(row.name),
    kind: row.kind as Run['kind'],
    origin: row.origin as Run['origin'],
    hash: String(row.hash),
    deployer: String(row.deployer),
    actor: String(row.actor),
    state: row.state as RunState,
    goal: row.goal as Goal,
    part: Number(row.part),
    ...(typeof engine === 'string' && { engine }),
    ...(typeof replica === 'string' && { replica }),
    ...(typeof waits === 'string' && { waits: JSON.parse(waits) as Waits }),
    ...(wakeAt !== null && { wakeAt: Number(wakeAt) }),
    ...(typeof error === 'string' && { error }),
    ...(typeof parent === 'string' && { parent: { run: parent, step: String(step), item: Number(item ?? WHOLE) } }),
    ...(typeof schedule === 'string' && { schedule }),
    trace: String(row.trace),
    createdAt: Number(row.created_at),
    ...(startedAt !== null && { startedAt: Number(startedAt) }),
    ...(endedAt !== null && { endedAt: Number(endedAt) }),
    updatedAt: Number(row.updated_at),
  };
}
