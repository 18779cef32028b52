import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, tryLock } from '../../host/process-lock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { LocalConnection } from './keep.ts';
import { type InstancePlaces, instancePlaces } from './places.ts';
import { readRecord } from './record.ts';
import { type LocalState, readState } from './state.ts';

const LOOK_MS = 200;
/** Longer than the time that n8n and its process group get. */
const STOP_MS = 20_000;
const KILLED_MS = 5000;

/** Whether a process keeps it running right now. */
export async function isKept({ lock }: InstancePlaces): Promise<boolean> {
  const mine = await tryLock(lock);
  mine?.[Symbol.dispose]();
  return mine === undefined;
}

/** The state of a local n8n; undefined if nobody runs it. */
export async function lookAtLocal(places: InstancePlaces): Promise<LocalState | undefined> {
  return (await isKept(places)) ? stateOfLiving(places) : undefined;
}

/** The state, if its writer is alive. A new keeper may not have written yet, and the old keeper's state is useless. */
export async function stateOfLiving(places: InstancePlaces): Promise<LocalState | undefined> {
  const state = await readState(places);
  return state && isAlive(state.pid) ? state : undefined;
}

/** Connects to the local n8n of this home. Throws unless it is ready. */
export async function connectLocal(home: string, name?: string): Promise<LocalConnection> {
  const places = instancePlaces(home, name);
  const state = await lookAtLocal(places);
  if (state?.state !== 'ready') {
    const what = state ? `is ${state.state}` : 'is not running';
    throw new AppError('unavailable', `The local n8n ${places.name} ${what}. \`sluice n8n up\` starts it and waits.`);
  }
  return connectionTo(places, state.url);
}

export async function connectionTo(places: InstancePlaces, url: string): Promise<LocalConnection> {
  const record = await readRecord(places);
  if (record?.apiKey === undefined) {
    throw new AppError('unavailable', `${places.record} has no API key. Stop n8n and run \`sluice n8n up\` again.`);
  }
  return { url, apiKey: record.apiKey, login: { email: record.email, password: record.password } };
}

/** The last known connection, whether n8n runs or not. Undefined before its first start. */
export async function lastConnection(places: InstancePlaces): Promise<LocalConnection | undefined> {
  const record = await readRecord(places).catch(() => undefined);
  if (record?.apiKey === undefined || record.port === undefined) return undefined;
  return connectionTo(places, `http://127.0.0.1:${record.port}`);
}

/** Waits until another process has it ready. Throws if that process gives up or ends. */
export async function awaitLocal(
  places: InstancePlaces,
  { signal, onState }: { signal?: AbortSignal; onState?(state: LocalState): void } = {},
): Promise<LocalConnection> {
  let last = '';
  for (;;) {
    const kept = await isKept(places);
    const state = await (kept ? stateOfLiving(places) : readState(places));
    if (state && kept && `${state.state} ${state.since}` !== last) {
      last = `${state.state} ${state.since}`;
      onState?.(state);
    }
    if (kept && state?.state === 'ready') return connectionTo(places, state.url);
    if (!kept) throw new AppError('unavailable', whyNot(state, places));
    await delay(LOOK_MS, undefined, signal && { signal });
  }
}

export function whyNot(state: LocalState | undefined, { log }: InstancePlaces): string {
  return state?.state === 'failed' ? state.reason : `The local n8n has ended. Its log is ${log}.`;
}

/** Stops it and waits for its end. False if nobody ran it. */
export async function stopLocal(places: InstancePlaces): Promise<boolean> {
  const state = await lookAtLocal(places);
  if (!state) return false;
  if (state.keptBy === 'gateway') {
    throw new AppError(
      'conflict',
      `The local n8n ${places.name} belongs to \`sluice serve --with-n8n\` (process ${state.pid}) and ends with it.`,
    );
  }
  for (const [signal, ms] of [
    ['SIGTERM', STOP_MS],
    ['SIGKILL', KILLED_MS],
  ] as const) {
    // The lock is held, so the pid is that of its holder.
    process.kill(state.pid, signal);
    const end = Date.now() + ms;
    while (Date.now() < end) {
      if (!(await isKept(places))) return true;
      await delay(LOOK_MS);
    }
  }
  throw new AppError('unavailable', `The local n8n ${places.name} (process ${state.pid}) did not stop.`);
}
