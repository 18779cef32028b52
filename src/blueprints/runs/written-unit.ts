import { setTimeout as delay } from 'node:timers/promises';
import { type CarryDeps, type Carrying, Interrupted } from './carrying.ts';
import { type Unit, type UnitId, WHOLE } from './run.ts';
import { unitKey } from './scope.ts';
import type { Beginning, Ending } from './unit-rows.ts';

/** How long to try to write down how something ended. */
const TRIES = 30;
const PAUSE_MS = 1000;

const LONGEST_ERROR = 2000;
const shortened = (text: string): string => (text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR)}…` : text);

/** The end of what a process left running that died, if it is not safe to repeat. */
export const LOST: Ending = {
  state: 'unknown',
  error: 'Sluice stopped while this ran, so nobody knows whether it took effect. It is not safe to repeat.',
};

/**
 * Writes down that something begins, before it does. If the deployment may have no other step, it has failed at once.
 * `isRefusal`: it only says why a step cannot begin.
 */
export async function beginUnit(
  carrying: Carrying,
  beginning: Beginning,
  deps: CarryDeps,
  isRefusal = false,
): Promise<Unit> {
  if (deps.resting.aborted) throw new Interrupted();
  const before = carrying.units.get(unitKey(beginning));
  // An attempt that goes on after a crash or a wait was counted. Undoing is not limited.
  const isCounted = !isRefusal && beginning.phase === 'do' && before?.attempt !== beginning.attempt;
  const begun = await deps.journal.begin({ ...beginning, isCounted }, carrying.run);
  if (!begun) throw new Interrupted();
  if (typeof begun === 'string') {
    const refusal = await beginUnit(carrying, { ...beginning, arguments: undefined }, deps, true);
    return endUnit(carrying, refusal, { state: 'failed', error: begun }, deps);
  }
  carrying.units.set(unitKey(begun), begun);
  // One that waits for an event writes down how far it has looked: an event of its own would wake it again.
  if (before?.state !== 'waiting' || begun.state !== 'waiting') tell(carrying, begun, deps);
  return begun;
}

/** Writes down how it ended. */
export async function endUnit(carrying: Carrying, unit: Unit, ending: Ending, deps: CarryDeps): Promise<Unit> {
  const { error } = ending;
  // Masked before it is cut: half a secret must not remain.
  const masked = error === undefined ? ending : { ...ending, error: shortened(carrying.mask(error)) };
  const ended = await persistently(() => deps.journal.finish(unit, masked), deps.stopping);
  if (!ended) throw new Interrupted();
  carrying.units.set(unitKey(ended), ended);
  tell(carrying, ended, deps);
  return ended;
}

function tell({ run }: Carrying, unit: Unit, { events, changed }: CarryDeps): void {
  const { state, attempt, startedAt, endedAt = startedAt } = unit;
  const about = { run: run.id, blueprint: run.name, ...placeOf(unit) };
  const trace = { traceId: traceIdOf(run.trace) };
  if (state === 'running' || state === 'waiting')
    events.record({ type: 'blueprint.step_started', ...about, attempt }, trace);
  else if (state === 'done' || state === 'skipped')
    events.record({ type: 'blueprint.step_completed', ...about, ms: endedAt - startedAt }, trace);
  else events.record({ type: 'blueprint.step_failed', ...about, state, attempt }, trace);
  changed(run.id);
}

const placeOf = ({ step, item, phase }: UnitId) => ({
  step,
  ...(item !== WHOLE && { item }),
  ...(phase === 'undo' && { undo: true as const }),
});

/** Writes until it works: what an action did must not be forgotten because the store is away for a moment. */
async function persistently<T>(write: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt >= TRIES || stopping.aborted) throw error;
      await delay(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1] ?? traceparent;
