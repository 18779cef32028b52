import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../host/process-lock.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Presence } from '../../kernel/presence.ts';
import type { LocalConnection } from './keep.ts';
import type * as Local from './local.ts';
import type { InstancePlaces } from './places.ts';
import type { LocalState } from './state.ts';

/** The local n8n as seen by a process that does not run it itself. */
export type LocalSight =
  | { readonly state: 'ready'; readonly connection: LocalConnection }
  | { readonly state: 'coming'; readonly what: string }
  | { readonly state: 'gone'; readonly reason: string };

export interface LocalWatch extends Disposable, Presence {
  sight(): LocalSight;
  /** Looks now. Resolves after `onChange`, if there is news. */
  look(): Promise<void>;
}

const LOOK_MS = 1000;
const WAIT_STEP_MS = 100;

/**
 * Notices when the local n8n starts, changes its address or ends, whichever process runs it. `expected`: this process is
 * about to start it, so it counts as coming until that was tried.
 */
export function watchLocal(
  places: InstancePlaces,
  options: {
    expected: boolean;
    onChange(sight: LocalSight): Promise<void>;
    /** It crashed or hung, and its keeper restarts it. */
    onRestart?(reason: string): void;
  },
): LocalWatch {
  const began = new Date().toISOString();
  let now: LocalSight = options.expected ? coming('starting') : gone();
  /** What `onChange` has taken. */
  let told = now;
  let keeper: number | undefined;
  let written: number | undefined;
  let looking: Promise<void> | undefined;
  let restarted = '';
  /** Loaded with the folder of a local n8n: most homes have none. */
  let loaded: typeof Local | undefined;

  /** Reports each restart once, even if it is seen more than once. */
  function tellRestart(state: LocalState | undefined): void {
    if (state?.state !== 'restarting' && state?.state !== 'starting') return;
    const which = `${state.pid} ${state.restarts}`;
    if (state.restarts === 0 || state.reason === undefined || which === restarted) return;
    restarted = which;
    options.onRestart?.(state.reason);
  }

  async function see(): Promise<LocalSight> {
    // Looking for its lock would create the folder.
    if (!existsSync(places.folder)) return options.expected ? coming('starting') : gone();
    loaded ??= await import('./local.ts');
    const kept = await loaded.isKept(places);
    const state = await (kept ? loaded.stateOfLiving(places) : (await import('./state.ts')).readState(places));
    keeper = kept ? state?.pid : undefined;
    if (kept) tellRestart(state);
    if (kept && state?.state === 'ready')
      return { state: 'ready', connection: await loaded.connectionTo(places, state.url) };
    if (kept && state?.state !== 'failed' && state?.state !== 'stopped') return coming(state?.state ?? 'starting');
    // A state from an earlier run says nothing about the one that is about to start.
    if (options.expected && (state === undefined || state.since < began)) return coming('starting');
    return gone(state?.state === 'failed' ? state.reason : undefined);
  }

  async function lookOnce(): Promise<void> {
    written = await writtenAt(places.state);
    const next = await see().catch((error: unknown) => {
      // Differs from every time: look again soon.
      written = Number.NaN;
      return gone(messageOf(error));
    });
    now = next;
    if (JSON.stringify(next) !== JSON.stringify(told)) await options.onChange(next);
    told = next;
  }

  function look(): Promise<void> {
    const mine = (looking ?? Promise.resolve()).catch(() => {}).then(lookOnce);
    const ended = mine.finally(() => {
      if (looking === ended) looking = undefined;
    });
    looking = ended;
    return ended;
  }

  /** Its keeper writes down each change. A keeper that was killed does not, so check that it is alive. */
  async function tick(): Promise<void> {
    if (looking) return;
    if (told !== now || (await writtenAt(places.state)) !== written || (keeper !== undefined && !isAlive(keeper)))
      await look();
  }
  const timer = setInterval(() => void tick().catch(() => {}), LOOK_MS).unref();

  return {
    sight: () => now,
    look,
    isUp: () => now.state === 'ready',
    async untilUp(signal, onWait) {
      const { START_WAIT_MS, stillStarting } = await import('../client/presence.ts');
      for (const until = Date.now() + START_WAIT_MS; now.state !== 'ready'; ) {
        if (now.state === 'gone') throw new AppError('unavailable', now.reason);
        if (Date.now() > until) throw stillStarting(places.name, now.what);
        onWait?.();
        await delay(WAIT_STEP_MS, undefined, { signal });
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const coming = (what: string): LocalSight => ({ state: 'coming', what });

const gone = (why?: string): LocalSight => ({
  state: 'gone',
  reason:
    why === undefined ? 'The local n8n is not running. `sluice n8n up` starts it.' : `The local n8n failed: ${why}`,
});

async function writtenAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}
