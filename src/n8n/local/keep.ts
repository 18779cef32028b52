import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from '../../host/process-lock.ts';
import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import { PINNED_N8N } from '../../nodes/which-n8n.ts';
import { HEARTBEAT, type Heartbeat, saysAnything, untilHung } from './hung.ts';
import { type InstallProgress, installN8n } from './install.ts';
import { openLogFile } from './log-file.ts';
import { type InstancePlaces, instancePlaces } from './places.ts';
import { choosePorts } from './ports.ts';
import { provision } from '../owner/provision.ts';
import { localOwner } from './owner.ts';
import { openRecord, writeRecord } from './record.ts';
import { runN8n } from './run.ts';
import { type LocalState, readState, writeState } from './state.ts';

/** How to reach a local n8n. Contains secrets. */
export interface LocalConnection {
  readonly url: string;
  readonly apiKey: string;
  readonly login: { readonly email: string; readonly password: string };
}

export interface KeepOptions {
  home: string;
  name?: string;
  cache: string;
  env: Readonly<Record<string, string | undefined>>;
  keptBy: LocalState['keptBy'];
  version?: string;
  /** Use this port or fail. 0 for any free port. */
  port?: number;
  postgres?: boolean;
  extra?: Readonly<Record<string, string>>;
  /** Writes the hook file that n8n loads besides those of the user, and returns its path. */
  hookFile?(places: InstancePlaces): Promise<string>;
  /** When an n8n that does not answer counts as hung. */
  heartbeat?: Heartbeat;
  onProgress?(progress: InstallProgress): void;
  onState?(state: LocalState): void;
  /** Called each time n8n becomes ready: after the start and after every restart. */
  onReady?(connection: LocalConnection): void;
}

export interface Kept extends AsyncDisposable {
  readonly places: InstancePlaces;
  /** Resolves when n8n was stopped. Rejects if it could not be kept running. */
  readonly ended: Promise<void>;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** If n8n ran this long, the start was not to blame: the back-off starts over. */
const STEADY_MS = 60_000;
const TRIES_BEFORE_READY = 3;
/** Short, because an n8n that hangs will hardly react to a signal. */
const HUNG_GRACE_MS = 3000;
/** How long an n8n may take to end after its keeper was killed. */
const ORPHAN_MS = 20_000;

/** Installs, starts and provisions a local n8n and keeps it running. Undefined if another process does so already. */
export async function keepN8n(options: KeepOptions): Promise<Kept | undefined> {
  const places = instancePlaces(options.home, options.name);
  const lock = await takeLock(places.lock);
  if (!lock) return undefined;
  const stopping = new AbortController();
  const ended = keepUp(options, places, stopping.signal).finally(() => lock[Symbol.dispose]());
  // Not unhandled: callers that need n8n await it. A gateway continues without its n8n.
  ended.catch(() => {});
  return {
    places,
    ended,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended.catch(() => {});
    },
  };
}

/** Retries, because a process that only checks the lock holds it for a moment. */
async function takeLock(file: string): Promise<Disposable | undefined> {
  for (let tries = 0; tries < 5; tries++) {
    const lock = await tryLock(file);
    if (lock) return lock;
    await delay(50);
  }
  return undefined;
}

type Told = LocalState extends infer S ? (S extends LocalState ? Omit<S, keyof Base> : never) : never;
type Base = Pick<LocalState, 'pid' | 'keptBy' | 'version' | 'restarts' | 'since'>;

async function keepUp(options: KeepOptions, places: InstancePlaces, signal: AbortSignal): Promise<void> {
  const { cache, env, keptBy, version = PINNED_N8N } = options;
  let restarts = 0;
  let reason: string | undefined;
  let wasReady = false;
  async function tell(told: Told): Promise<void> {
    const since = new Date().toISOString();
    const state: LocalState = { pid: process.pid, keptBy, version, restarts, since, ...told };
    await writeState(places, state);
    options.onState?.(state);
  }

  const before = await readState(places);
  const orphanUntil = before?.state === 'ready' || before?.state === 'starting' ? Date.now() + ORPHAN_MS : 0;

  try {
    await tell({ state: 'preparing' });
    let told: Promise<void> | undefined;
    const installing = installN8n({
      cache,
      env,
      version,
      signal,
      onProgress(progress) {
        told ??= tell({ state: 'installing' });
        options.onProgress?.(progress);
      },
    });
    await installing.catch(() => {});
    await told;
    const installation = await installing;
    await mkdir(places.data, { recursive: true, mode: 0o700 });
    const log = openLogFile(places.log);
    const hooks = await options.hookFile?.(places);

    /** Runs n8n from its start to its end. Returns why it ended. */
    async function once(): Promise<string> {
      const known = await openRecord(places);
      const ports = await choosePorts({
        last: known,
        isEnding: () => Date.now() < orphanUntil && !signal.aborted,
        ...(options.port !== undefined && { port: options.port }),
      });
      const record = { ...known, ...ports };
      await writeRecord(places, record);
      const again = reason !== undefined && { reason };
      await tell({ state: 'starting', url: `http://127.0.0.1:${ports.port}`, ...again });
      const { postgres = false, extra = {} } = options;
      const n8n = await runN8n({
        installation,
        places,
        record,
        ports,
        env,
        postgres,
        extra,
        hooks,
        log,
        signal,
      });
      const watching = new AbortController();
      let hung: string | undefined;
      try {
        await n8n.ready;
        const apiKey = await provision(n8n.url, record, localOwner, signal);
        if (apiKey !== record.apiKey) await writeRecord(places, { ...record, apiKey });
        await tell({ state: 'ready', url: n8n.url, n8nPid: n8n.pid });
        wasReady = true;
        const { email, password } = record;
        options.onReady?.({ url: n8n.url, apiKey, login: { email, password } });
        const ask = (limit: AbortSignal) => saysAnything(n8n.url, limit);
        const hangs = untilHung(options.heartbeat ?? HEARTBEAT, watching.signal, { ask }).then((words) => {
          log.write(`Sluice: ${words}\n`);
          return (hung = words);
        });
        hangs.catch(() => {});
        return await Promise.race([hangs, n8n.ended, untilAborted(signal)]);
      } finally {
        watching.abort();
        await n8n.stop(hung === undefined ? undefined : HUNG_GRACE_MS);
      }
    }

    for (let failures = 0; ; ) {
      const began = Date.now();
      try {
        reason = await once();
      } catch (error) {
        signal.throwIfAborted();
        // Fail at once if a retry cannot help.
        if (!wasReady && !toAppError(error).retryable) throw error;
        reason = messageOf(error);
      }
      signal.throwIfAborted();
      failures = Date.now() - began >= STEADY_MS ? 1 : failures + 1;
      if (!wasReady && failures >= TRIES_BEFORE_READY) {
        throw new AppError('unavailable', `n8n does not start. ${reason}`);
      }
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      restarts++;
      await tell({ state: 'restarting', reason, retryAt: new Date(Date.now() + wait).toISOString() });
      await delay(wait, undefined, { signal });
    }
  } catch (error) {
    await tell(signal.aborted ? { state: 'stopped' } : { state: 'failed', reason: messageOf(error) });
    if (!signal.aborted) throw error;
  }
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}
