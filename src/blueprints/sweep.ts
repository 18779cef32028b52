import { AppError, messageOf } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import { traceFrom } from '../kernel/trace.ts';
import { isOpen, type RunHead } from './runs/run.ts';
import type { Runtime } from './runtime.ts';

/** Whoever starts a part writes down at once that he has. */
const FORGOTTEN_MS = 3000;
/** How long the engine may be late before it is asked whether it still knows of a run. */
const LATE_MS = 120_000;
const DAY_MS = 86_400_000;
const MOST_PRUNED = 1000;

/** Has parts carried out whose turn it is, or that nobody gave to the engine, because a process died in between. */
export async function startForgotten({ journal, begin, give }: Runtime, now = Date.now()): Promise<void> {
  await begin();
  for (const run of await journal.forgotten(now - FORGOTTEN_MS)) await give(run.id, run.part, run.wakeAt);
}

/** Has parts carried out again that the engine lost, for example because its file was deleted. */
export async function startLost({ journal, start, openEngine }: Runtime, now = Date.now()): Promise<void> {
  const engine = await openEngine();
  for (const run of await journal.late(now - LATE_MS)) {
    if (!engine || run.engine === undefined || (await engine.isOpen(run.engine))) continue;
    if (await journal.next(run)) await start(run.id, run.part + 1);
  }
}

/**
 * Wakes runs for which an event has come, a decision was made, or whose called blueprints have ended. Returns whether some
 * wait for an event.
 */
export async function wakeWaiting(
  runtime: Runtime,
  hasEvent: (type: string, after: number) => Promise<boolean>,
): Promise<boolean> {
  const { journal, wake, start } = runtime;
  const forEvents = await journal.waitingForEvents();
  const byType = Map.groupBy(forEvents, ({ waits }) => (waits?.for === 'event' ? waits.event : ''));
  for (const [type, runs] of byType) {
    const after = (run: RunHead) => (run.waits?.for === 'event' ? run.waits.after : 0);
    // Mostly there was none for anybody.
    if (!(await hasEvent(type, Math.min(...runs.map(after))))) continue;
    for (const run of runs)
      if ((await hasEvent(type, after(run))) && (await journal.next(run))) await start(run.id, run.part + 1);
  }
  for (const run of await journal.overdue()) await wake(run);
  return forEvents.length > 0;
}

/**
 * Deploys what is due. A schedule moves on only after that: whoever sweeps next, because this process died, deploys it again
 * under the same id, which is the same run.
 */
export async function deployDue(
  runtime: Runtime,
  standing: (as: Principal) => Promise<{ lost: string } | object>,
): Promise<void> {
  const { schedules, deploy, events, journal } = runtime;
  for (const due of await schedules.due()) {
    const { id, name, hash, nextAt = 0, lastRun } = due;
    const about = { schedule: id, blueprint: name };
    try {
      // One that cannot be opened any more must not keep the others from being carried out.
      const schedule = await schedules.get(id);
      if (!schedule) continue;
      const { inputs, as } = schedule;
      const stands = await standing(as);
      if ('lost' in stands)
        throw new AppError('forbidden', `${stands.lost}. Somebody who has the rights has to schedule it again.`);
      const last = lastRun === undefined ? undefined : await journal.head(lastRun);
      if (last && isOpen(last.state)) throw new AppError('conflict', `the run before, ${last.id}, has not ended.`);
      const run = await deploy({
        name,
        inputs,
        principal: as,
        hash,
        runId: `${id}@${nextAt}`,
        trace: traceFrom(),
        schedule: id,
      });
      await schedules.moveOn(due, { run: run.id });
    } catch (error) {
      const reason = messageOf(error);
      events.record({ type: 'blueprint.schedule_failed', ...about, reason: reason.slice(0, 300) });
      await schedules.moveOn(due, { problem: reason });
    }
  }
}

/** Deletes runs that ended long ago. */
export async function prune({ journal, engine }: Runtime, keepDays: number, now = Date.now()): Promise<void> {
  const before = now - keepDays * DAY_MS;
  while ((await journal.prune(before, MOST_PRUNED)) === MOST_PRUNED);
  // The engine's own records only matter while a run is open.
  await engine()?.prune(now - DAY_MS);
}
