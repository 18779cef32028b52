import { setTimeout as delay } from 'node:timers/promises';
import { needsConfirmation } from '../../kernel/confirmation.ts';
import { AppError } from '../../kernel/errors.ts';
import { hints } from '../../kernel/effect.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Acted } from '../acts/act.ts';
import { refuseSqlFromValues } from '../acts/sql-from-values.ts';
import type { Action, Step } from '../definition/shape.ts';
import { toolFor } from '../definition/tool-for.ts';
import { type CarryDeps, type Carrying, Interrupted, type Reached } from './carrying.ts';
import type { Ending } from './unit-rows.ts';
import { humanDecision, REFUSED } from './human-decision.ts';
import { limited } from './limited.ts';
import { pauseAfter } from './pause.ts';
import { refusalOf } from './refusal.ts';
import { kept, MOST_ITEM_BYTES, MOST_RESULT_BYTES } from './result-size.ts';
import { keyOf, type Unit, type UnitId, WHOLE } from './run.ts';
import { unitKey } from './scope.ts';
import { beginUnit, endUnit, LOST } from './written-unit.ts';

const TIMEOUT_MS = { tool: 300_000, webhook: 300_000, workflow: 3_600_000 } as const;
/** What a timer can hold. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** A longer pause between two tries is left to the engine. */
const LONGEST_HERE_MS = 10_000;
/** How long a tool that is not listed may take to come back. */
const TOOL_PATIENCE_MS = 60_000;
const LOOK_MS = 500;

export interface UnitWork {
  readonly id: UnitId;
  readonly step: Step;
  /** With its templates. */
  readonly action: Action;
  readonly scope: Readonly<Record<string, unknown>>;
}

/** Does one thing of a run: once, or again with the same key and arguments if that is safe. */
export async function doUnit(carrying: Carrying, work: UnitWork, deps: CarryDeps): Promise<Reached> {
  const { id, step, action, scope } = work;
  const { run, units, signal } = carrying;
  const times = step.retry?.times ?? 0;
  let unit = units.get(unitKey(id));

  const ended = (current: Unit, ending: Ending) => endUnit(carrying, current, ending, deps);
  const begin = (attempt: number, repeatable: boolean, args?: Action) =>
    beginUnit(
      carrying,
      {
        ...id,
        attempt,
        repeatable,
        ...(args && { arguments: args }),
        after: unit?.token,
        startedAt: unit?.startedAt,
      },
      deps,
    );

  if (unit?.state === 'running' && !unit.repeatable) {
    await ended(unit, LOST);
    return 'unknown';
  }
  for (;;) {
    if (unit?.state === 'done' || unit?.state === 'failed' || unit?.state === 'unknown') return unit.state;
    if (signal.aborted) return 'stopped';
    const standing = await deps.standing(run.as);
    if ('lost' in standing) return rights(id, standing.lost);
    const { principal } = standing;
    let args: Action;
    try {
      args =
        (unit?.arguments as Action | undefined) ?? ((await (await deps.evaluator()).fill(action, scope)) as Action);
      refuseSqlFromValues(action, args);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      unit = await ended(unit ?? (await begin(1, true)), { state: 'failed', error: error.message });
      return 'failed';
    }
    await untilThere(args, signal, deps);
    const denied = refusalOf(args, principal, deps);
    if (denied) {
      if (denied.code === 'forbidden') return rights(id, denied.message);
      unit = await ended(await begin(unit?.attempt ?? 1, true, args), { state: 'failed', error: denied.message });
      return 'failed';
    }
    const asked = await approvalOf(carrying, work, args, principal, deps);
    if (asked === 'refused') {
      unit = await ended(await begin(unit?.attempt ?? 1, true, args), {
        state: 'failed',
        error: REFUSED,
      });
      return 'failed';
    }
    if (asked) return asked;

    // A repetition after a crash is the same attempt.
    const attempt: number = unit?.state === 'running' ? unit.attempt : (unit?.attempt ?? 0) + 1;
    const repeatable = step.idempotent ?? isRepeatable(args, deps);
    unit = await begin(attempt, repeatable, args);
    if (unit.state === 'failed') return 'failed';
    const timeoutMs = Math.min(step.timeoutMs ?? TIMEOUT_MS[args.kind], LONGEST_TIMEOUT_MS);
    const acted = await limited(
      (limit) =>
        deps.act(args, {
          key: keyOf(id),
          principal,
          origin: run.origin,
          trace: run.trace,
          timeoutMs,
          signal: limit,
          mask: carrying.mask,
        }),
      { signal, stopping: deps.stopping, timeoutMs },
    );
    if (acted === 'stopping') throw new Interrupted();
    if (acted === 'stopped') {
      unit = await ended(
        unit,
        repeatable
          ? { state: 'cancelled', error: 'It was cancelled.' }
          : { state: 'unknown', error: 'It was cancelled while it ran, so nobody knows whether it took effect.' },
      );
      return 'stopped';
    }
    if (acted === 'timeout' && !repeatable) {
      unit = await ended(unit, {
        state: 'unknown',
        error: `It did not end within ${timeoutMs / 1000} s, so nobody knows whether it took effect. It is not safe to repeat.`,
      });
      return 'unknown';
    }
    const answer: Acted = acted === 'timeout' ? { error: `It did not end within ${timeoutMs / 1000} s.` } : acted;
    if (!('error' in answer)) {
      const { result, note } = kept(answer.result, id.item === WHOLE ? MOST_RESULT_BYTES : MOST_ITEM_BYTES);
      const execution = answer.execution === undefined ? undefined : `n8n execution ${answer.execution}`;
      unit = await ended(unit, {
        state: 'done',
        result,
        note: [note, execution].filter(Boolean).join(' ') || undefined,
      });
      return 'done';
    }
    const { error } = answer;
    if (answer.unsure && !repeatable) {
      unit = await ended(unit, {
        state: 'unknown',
        error: `${error} Nobody knows whether it took effect. It is not safe to repeat.`,
      });
      return 'unknown';
    }
    if (answer.final || attempt > times) {
      unit = await ended(unit, { state: 'failed', error });
      return 'failed';
    }
    unit = await ended(unit, { state: 'retrying', error });
    const pause = pauseAfter(step, attempt);
    if (pause > LONGEST_HERE_MS)
      return { waits: { step: id.step, for: 'retry', error: unit.error ?? '' }, until: Date.now() + pause };
    await delay(pause, undefined, { signal: AbortSignal.any([signal, deps.resting]) }).catch(() => {});
    if (deps.resting.aborted) throw new Interrupted();
  }
}

/** After a restart, a run may go on before the server or n8n of its next step is back. */
async function untilThere(action: Action, signal: AbortSignal, { tool, resting }: CarryDeps): Promise<void> {
  const name = toolFor(action);
  if (name === undefined) return;
  for (const until = Date.now() + TOOL_PATIENCE_MS; !tool(name) && Date.now() < until; ) {
    if (signal.aborted) return;
    if (resting.aborted) throw new Interrupted();
    await delay(LOOK_MS, undefined, { signal: AbortSignal.any([signal, resting]) }).catch(() => {});
  }
}

const rights = ({ step }: UnitId, reason: string): Reached => ({ waits: { step, for: 'rights', reason } });

/** Reads, idempotent tools, webhooks and workflows are repeated with their key. */
function isRepeatable(action: Action, { tool }: Pick<CarryDeps, 'tool'>): boolean {
  if (action.kind !== 'tool') return true;
  const entry = tool(action.tool, action.arguments)?.entry;
  if (!entry) return false;
  const said = entry.judge ? hints[entry.judge(action.arguments).effect] : entry.wire.annotations;
  return said?.readOnlyHint === true || said?.idempotentHint === true;
}

/** Whether a person has to approve it, and has. Undefined: it may go on. */
function approvalOf(
  carrying: Carrying,
  { id, step }: UnitWork,
  action: Action,
  principal: Principal,
  deps: CarryDeps,
): Promise<Reached | 'refused' | undefined> {
  const called = toolFor(action);
  const { kind, ...about } = action;
  const callable = called === undefined ? undefined : deps.tool(called, kind === 'tool' ? action.arguments : {});
  const need = callable && needsConfirmation(callable, principal);
  const isUnconfirmed = called !== undefined && carrying.run.unconfirmed?.includes(called);
  const asks = step.confirm === 'human' || need === 'human' || (need && isUnconfirmed);
  if (!asks) return Promise.resolve(undefined);
  const call =
    action.kind === 'tool'
      ? { arguments: action.arguments, wire: callable?.entry.wire, recorded: callable?.entry.recorded }
      : { arguments: { ...about } };
  return humanDecision(carrying, id, { what: called ?? 'a webhook', ...call }, deps);
}
