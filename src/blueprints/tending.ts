import { setTimeout as delay } from 'node:timers/promises';
import type { Standing } from '../auth/standing.ts';
import { type FailingSince, failingSince } from '../kernel/failing-since.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Runtime } from './runtime.ts';
import type { BlueprintHost } from './settings.ts';

const SWEEP_MS = 5000;
/** While a run waits for an event. */
const LOOK_MS = 1000;
const PRUNE_MS = 3_600_000;
const LOST_MS = 60_000;
const DAY_MS = 86_400_000;

interface TendingDeps {
  readonly host: BlueprintHost;
  isOff(): boolean;
  keepDays(): number;
  open(): Promise<Runtime>;
  standing(as: Principal): Promise<Standing>;
  /** Something else to do from time to time, in every process. */
  besides(): Promise<void>;
}

/** Looks after runs and schedules although nobody asks. */
export interface Tending extends AsyncDisposable {
  begin(): void;
  /** There may be something to do. */
  wakeUp(): void;
  readonly trouble: FailingSince['failure'];
}

export function createTending(deps: TendingDeps): Tending {
  const { host, isOff, open } = deps;
  const asleep = new Set<AbortController>();
  const { tried, failure } = failingSince();
  let begun: AbortController | undefined;
  let leading: AsyncDisposable | undefined;
  let following: Promise<void> | undefined;

  /** Whether there is something to do. Loads nothing. */
  async function isNeeded(): Promise<boolean> {
    if (isOff()) return false;
    const { tables } = host.store;
    const [some] = await tables.rows(
      `SELECT 1 AS one FROM blueprint_runs WHERE state IN ('pending', 'running', 'waiting', 'undoing') LIMIT 1`,
    );
    return some !== undefined || (await tables.rows('SELECT 1 AS one FROM blueprint_schedules LIMIT 1')).length > 0;
  }

  /** Each process carries out runs as soon as there are some. */
  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await tried(async () => {
        if (await isNeeded()) await (await open()).openEngine();
      });
      await deps.besides();
      await pause(SWEEP_MS, signal);
    }
  }

  /** One process looks after what nobody else does. */
  async function sweep(signal: AbortSignal): Promise<void> {
    let isWaiting = false;
    const isTimeForLost = every(LOST_MS);
    const isTimeToPrune = every(PRUNE_MS);
    while (!signal.aborted) {
      await tried(async () => {
        const needed = await isNeeded();
        isWaiting = needed && (await lookAfter(isTimeForLost));
        if (isTimeToPrune() && (needed || (await hasOld())))
          await (await import('./sweep.ts')).prune(await open(), deps.keepDays());
      });
      await pause(isWaiting ? LOOK_MS : SWEEP_MS, signal);
    }
  }

  /** Returns whether a run waits for an event. */
  async function lookAfter(isTimeForLost: () => boolean): Promise<boolean> {
    const runtime = await open();
    if (!(await runtime.openEngine())) return false;
    const { deployDue, startForgotten, startLost, wakeWaiting } = await import('./sweep.ts');
    await startForgotten(runtime);
    if (isTimeForLost()) await startLost(runtime);
    const isWaiting = await wakeWaiting(
      runtime,
      async (type, after) => (await host.store.events.follow({ type }, after, 1)).events.length > 0,
    );
    await deployDue(runtime, deps.standing);
    return isWaiting;
  }

  async function hasOld(): Promise<boolean> {
    const before = Date.now() - deps.keepDays() * DAY_MS;
    const rows = await host.store.tables.rows('SELECT 1 AS one FROM blueprint_runs WHERE ended_at < ? LIMIT 1', before);
    return !isOff() && rows.length > 0;
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    asleep.add(woken);
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(() => {});
    asleep.delete(woken);
  }

  return {
    begin() {
      begun = new AbortController();
      following = follow(begun.signal);
      leading = host.shared.lead('blueprints', sweep);
    },
    wakeUp() {
      for (const one of asleep) one.abort();
    },
    trouble: failure,
    async [Symbol.asyncDispose]() {
      begun?.abort();
      await leading?.[Symbol.asyncDispose]();
      await following;
    },
  };
}

/** True at the first time, and then once in so many milliseconds. */
function every(ms: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (Date.now() - last < ms) return false;
    last = Date.now();
    return true;
  };
}
