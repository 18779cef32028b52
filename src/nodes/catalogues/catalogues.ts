import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { giveBack } from '../../kernel/give-back.ts';
import type { Health } from '../../kernel/health.ts';
import { keptWhileUsed, type KeptWhileUsed } from '../../kernel/kept-while-used.ts';
import type { Catalogue, Catalogues, CatalogueState, Origin, Waiting } from '../catalogue.ts';
import { chosenFile } from './choice.ts';
import { openCatalogue } from './open.ts';
import { packageCatalogue } from './places.ts';
import { chosenInstance } from '../which-n8n.ts';

const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 3_600_000;
/** How often to check whether another process, such as `sluice nodes sync`, has replaced the file. */
const LOOK_MS = 1000;
/** Delay, so that building does not slow down the rest of the start. */
const SOON_MS = 500;
/** Building takes about 4 s. Shorter than most client timeouts, so that the client gets the reason. */
const WAIT_MS = 55_000;
const WAIT_STEP_MS = 100;
const TELL_MS = 1000;

/** A sync running in another process. */
export interface Syncing {
  readonly ended: Promise<void>;
  stop(): void;
}

/** Reports progress. `usable`: the catalogue itself is finished, only extras are still being built. */
export type SyncProgress = (step: string, done: number, of: number, usable?: boolean) => void;

export interface CataloguesOptions {
  readonly home: string;
  readonly cache: string;
  pinned(): string;
  /** Names of the connected n8n instances. */
  instances(): readonly string[];
  /** Starting up on this machine, so not answering yet. */
  isStarting?(instance: string): boolean;
  /** Whether to build missing catalogues without being told to. */
  automatic(): boolean;
  /** How long a catalogue stays open without being used. */
  readonly idleMs?: number | undefined;
  /** `instance` undefined: the pinned version. */
  sync(instance: string | undefined, progress: SyncProgress): Syncing;
}

interface Open {
  readonly file: string;
  readonly made: string;
  readonly origin: Origin;
  /**
   * Open while it is used, opened again after that. It is never closed, because a call may be reading it for as long as it
   * likes: the garbage collector closes the file.
   */
  readonly catalogue: KeptWhileUsed<Catalogue>;
  looked: number;
}

interface Slot {
  open?: Open;
  work?: { readonly syncing: Syncing; readonly since: number; progress: { step: string; done: number; of: number } };
  failed?: { reason: string; retryAt: number; times: number; since: number };
  retry?: NodeJS.Timeout;
}

/** The catalogues of a gateway: opened on first use, built in the background if missing. */
export interface OwnCatalogues extends Catalogues, Disposable {
  nearest: NonNullable<Catalogues['nearest']>;
  refresh: NonNullable<Catalogues['refresh']>;
  /** An n8n has answered: builds its catalogue now if it is missing, before anybody needs it. */
  found(instance: string): void;
  /** Builds missing catalogues, and checks every instance for changed nodes. */
  check(): void;
  /** Builds missing extras, such as vectors. Tries only once. */
  complete(): void;
  /** The state of each catalogue. Reading it starts no build. */
  health(): Health[];
}

export function createCatalogues(options: CataloguesOptions): OwnCatalogues {
  const { home, cache } = options;
  // The pinned version has the key undefined, because an instance may have any name.
  const slots = new Map<string | undefined, Slot>();
  let closed = false;
  let completed = false;

  const slotOf = (key: string | undefined): Slot => {
    const slot = slots.get(key) ?? {};
    slots.set(key, slot);
    return slot;
  };

  const fileOf = (key: string | undefined) =>
    key === undefined ? packageCatalogue(cache, options.pinned()) : chosenFile(home, cache, key);

  /** The catalogue, opened if nobody has used it for a while. */
  function opened(key: string | undefined): Catalogue | undefined {
    const open = current(key);
    try {
      return open?.catalogue.get();
    } catch {
      // The file was replaced by a damaged one since: rebuild it.
      replace(slotOf(key));
      return undefined;
    }
  }

  /** The file in use and where it comes from. Reading this does not keep the catalogue open. */
  function current(key: string | undefined): Open | undefined {
    const slot = slotOf(key);
    const { open } = slot;
    const now = Date.now();
    if (open && Math.abs(now - open.looked) < LOOK_MS) return open;
    const file = fileOf(key);
    // The pinned version has changed: the open catalogue would give wrong answers.
    const isOther = key === undefined && open !== undefined && file !== open.file;
    const made = file === undefined ? undefined : madeOf(file);
    const isSame = open !== undefined && !isOther && (made === open.made || made === undefined);
    if (isSame && (made !== undefined || open.catalogue.peek())) {
      open.looked = now;
      return open;
    }
    try {
      if (file === undefined || made === undefined) throw new Error('There is none.');
      const catalogue = keptWhileUsed(() => openCatalogue(file), options.idleMs);
      const { origin } = catalogue.get();
      replace(slot);
      return (slot.open = { file, made, origin, catalogue, looked: now });
    } catch {
      // The file is damaged: rebuild it. The catalogue that is already open is still intact.
      if (isOther || !open?.catalogue.peek()) replace(slot);
      else open.looked = now;
      return slot.open;
    }
  }

  function build(key: string | undefined): void {
    const slot = slotOf(key);
    if (slot.work || closed) return;
    clearTimeout(slot.retry);
    const progress = { step: 'starting', done: 0, of: 1 };
    let isUsed = false;
    const syncing = options.sync(key, (step, done, of, usable = false) => {
      Object.assign(progress, { step, done, of });
      if (!usable || isUsed) return;
      isUsed = true;
      replace(slot);
    });
    slot.work = { syncing, progress, since: Date.now() };
    syncing.ended.then(
      () => {
        delete slot.work;
        delete slot.failed;
        if (!isUsed) replace(slot);
      },
      (error: unknown) => {
        delete slot.work;
        const times = (slot.failed?.times ?? 0) + 1;
        const wait = Math.min(FIRST_RETRY_MS * 2 ** (times - 1), LAST_RETRY_MS);
        const since = slot.failed?.since ?? Date.now();
        slot.failed = { reason: messageOf(error), retryAt: Date.now() + wait, times, since };
        if (closed || !options.automatic()) return;
        slot.retry = setTimeout(() => build(key), wait).unref();
      },
    );
  }

  /** Drops the open catalogue, so that the next read opens the new file. */
  function replace(slot: Slot): void {
    const { open } = slot;
    delete slot.open;
    if (!open) return;
    open.catalogue.forget();
    giveBack();
  }

  function look(key: string | undefined): CatalogueState {
    const catalogue = opened(key);
    return catalogue ? { state: 'ready', catalogue } : notReady(key);
  }

  function notReady(key: string | undefined): NotReady {
    const { work, failed } = slotOf(key);
    if (work) return { state: 'building', ...work.progress };
    if (failed) return { state: 'failed', reason: failed.reason, retryAt: failed.retryAt };
    return { state: 'missing' };
  }

  function state(key: string | undefined): CatalogueState {
    const found = look(key);
    if (!options.automatic()) return found;
    if (found.state !== 'ready' && found.state !== 'building' && isStarting(key)) return starting;
    if (found.state !== 'missing') return found;
    build(key);
    return look(key);
  }

  const isStarting = (key: string | undefined) => key !== undefined && options.isStarting?.(key) === true;

  /** Resolves once the catalogue is ready. If it will not be soon, throws what to do. */
  async function ready(key: string | undefined, { signal, progress }: Waiting = {}): Promise<Catalogue> {
    const until = Date.now() + WAIT_MS;
    let told = { step: '', at: 0 };
    for (let steps = 1; ; ) {
      const found = state(key);
      if (found.state === 'ready') return found.catalogue;
      if (found.state !== 'building') throw unavailable(found);
      if (Date.now() > until) throw unavailable(found, `after ${WAIT_MS / 1000} s`);
      if (found.step !== told.step || Date.now() - told.at >= TELL_MS) {
        // Stay below 1: the waiting tool reports its own, greater numbers afterwards.
        progress?.(1 - 1 / ++steps, undefined, inWords(found));
        told = { step: found.step, at: Date.now() };
      }
      await delay(WAIT_STEP_MS, undefined, signal ? { signal } : {});
    }
  }

  function keyOf(instance: string | undefined): string | undefined {
    const names = options.instances();
    return names.length === 0 && instance === undefined ? undefined : chosenInstance(names, instance);
  }

  const keys = (): (string | undefined)[] =>
    options.instances().length === 0 ? [undefined] : [...options.instances()];

  function healthOf(key: string | undefined): Health {
    const open = current(key);
    const { work, failed } = slotOf(key);
    const named = { name: key === undefined ? 'node catalogue' : `node catalogue of ${key}`, kind: 'nodes' } as const;
    if (open) {
      const { builtAt, n8n } = open.origin;
      return { ...named, state: 'ready', since: builtAt, detail: `n8n ${n8n}` };
    }
    const found = notReady(key);
    const since = work?.since ?? failed?.since;
    const dated = since === undefined ? {} : { since: new Date(since).toISOString() };
    switch (found.state) {
      case 'building':
        return { ...named, ...dated, state: 'starting', detail: `${found.step} (${found.done} of ${found.of})` };
      case 'failed':
        return {
          ...named,
          ...dated,
          // Without an n8n, the rest of the gateway does not need the catalogue.
          state: key === undefined ? 'degraded' : 'failing',
          lastError: { message: inWords(found), at: dated.since ?? new Date().toISOString() },
          ...(found.retryAt !== undefined && options.automatic() && { retryAt: new Date(found.retryAt).toISOString() }),
          fix: 'Run `sluice nodes sync` to retry now.',
        };
      case 'missing':
        if (options.automatic()) {
          const when = key === undefined ? 'on first use' : 'as soon as n8n answers';
          return { ...named, state: 'off', detail: `will be built ${when}` };
        }
        return { ...named, state: 'off', detail: inWords(found), fix: advice(found) };
    }
  }

  return {
    state(instance) {
      try {
        return state(keyOf(instance));
      } catch (error) {
        return { state: 'failed', reason: messageOf(error) };
      }
    },
    get(instance) {
      const found = state(keyOf(instance));
      if (found.state === 'ready') return found.catalogue;
      throw unavailable(found);
    },
    ready: async (instance, waiting) => ready(keyOf(instance), waiting),
    async nearest(instance, waiting) {
      const key = keyOf(instance);
      try {
        return { catalogue: await ready(key, waiting) };
      } catch (error) {
        if (key === undefined || !isUnavailable(error) || state(key).state !== 'failed') throw error;
        const catalogue = await ready(undefined, waiting).catch(() => {
          throw error;
        });
        const note = `This describes n8n ${catalogue.origin.n8n}; ${key} may run another version. ${error.message}`;
        return { catalogue, note };
      }
    },
    refresh(instance) {
      if (!options.automatic()) return;
      const key = keyOf(instance);
      const { work } = slotOf(key);
      // A build that is under way may have read the old nodes.
      const again = () => build(key);
      if (work) work.syncing.ended.then(again, again);
      else again();
    },
    found(instance) {
      if (!options.automatic() || current(instance)) return;
      const slot = slotOf(instance);
      clearTimeout(slot.retry);
      slot.retry = setTimeout(() => build(instance), SOON_MS).unref();
    },
    check() {
      if (!options.automatic()) return;
      for (const key of keys()) {
        if (key === undefined ? !opened(key)?.essentials : !isStarting(key)) build(key);
      }
    },
    complete() {
      if (!options.automatic() || completed) return;
      completed = true;
      for (const key of keys()) build(key);
    },
    health: () => keys().map(healthOf),
    [Symbol.dispose]() {
      closed = true;
      for (const { open, work, retry } of slots.values()) {
        clearTimeout(retry);
        work?.syncing.stop();
        open?.catalogue.peek()?.close();
        open?.catalogue.forget();
      }
      slots.clear();
    },
  };
}

/** Changes whenever the file is replaced. Undefined if there is no file. */
function madeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && [file, found.ino, found.size, found.mtimeMs].join();
}

type NotReady = Exclude<CatalogueState, { state: 'ready' }>;

const starting: NotReady = { state: 'building', step: 'waiting for n8n to start', done: 0, of: 1 };

const isUnavailable = (error: unknown): error is AppError => error instanceof AppError && error.code === 'unavailable';

function unavailable(found: NotReady, after?: string): AppError {
  const still = after === undefined ? '' : ` It was not ready ${after}.`;
  return new AppError('unavailable', `${inWords(found)}${still} ${advice(found)}`);
}

function inWords(found: NotReady): string {
  switch (found.state) {
    case 'building':
      return `The catalogue of n8n's nodes is being built: ${found.step} (${found.done} of ${found.of}).`;
    case 'failed':
      return `The catalogue of n8n's nodes could not be built: ${found.reason}`;
    case 'missing':
      return "There is no catalogue of n8n's nodes yet.";
  }
}

function advice(found: NotReady): string {
  if (found.state === 'building') return 'Try again in a minute; gateway_status shows the progress.';
  if (found.state === 'missing') return '`sluice nodes sync` builds it.';
  if (found.retryAt === undefined) return 'Run `sluice nodes sync` to retry.';
  const seconds = Math.max(1, Math.round((found.retryAt - Date.now()) / 1000));
  return `Sluice retries in ${seconds} s; \`sluice nodes sync\` retries now.`;
}
