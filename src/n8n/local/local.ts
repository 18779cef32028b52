import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from '../../host/process-lock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { LocalConnection } from './keep.ts';
import { type InstancePlaces, instancePlaces } from './places.ts';
import { readRecord } from './record.ts';
import { type LocalState, readState } from './state.ts';

const LOOK_MS = 200;
/** Longer than n8n itself and its group are given. */
const STOP_MS = 20_000;
const KILLED_MS = 5000;

/** Whether some process keeps it right now. */
export async function isKept({ lock }: InstancePlaces): Promise<boolean> {
  const mine = await tryLock(lock);
  mine?.[Symbol.dispose]();
  return mine === undefined;
}

/** What is going on with a local n8n; undefined when nobody runs it. */
export async function lookAtLocal(places: InstancePlaces): Promise<LocalState | undefined> {
  return (await isKept(places)) ? stateOfLiving(places) : undefined;
}

/** Who has just taken it over may not have written yet; what the one before wrote is of no use. */
export async function stateOfLiving(places: InstancePlaces): Promise<LocalState | undefined> {
  const state = await readState(places);
  return state && isAlive(state.pid) ? state : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The local n8n of this home, if it takes requests. */
export async function connectLocal(home: string, name?: string): Promise<LocalConnection> {
  const places = instancePlaces(home, name);
  const state = await lookAtLocal(places);
  if (state?.state !== 'ready') {
    const what = state ? `is ${state.state}` : 'does not run';
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

/** How it was reached the last time, running or not; undefined before it was first set up. */
export async function lastConnection(places: InstancePlaces): Promise<LocalConnection | undefined> {
  const record = await readRecord(places).catch(() => undefined);
  if (record?.apiKey === undefined || record.port === undefined) return undefined;
  return connectionTo(places, `http://127.0.0.1:${record.port}`);
}

/** Waits until another process has it up; fails when that gives up or ends. */
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

/** Stops it and waits until it is gone. False when nobody ran it. */
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
    // The lock is held, so the number is that of its holder.
    process.kill(state.pid, signal);
    const end = Date.now() + ms;
    while (Date.now() < end) {
      if (!(await isKept(places))) return true;
      await delay(LOOK_MS);
    }
  }
  throw new AppError('unavailable', `The local n8n ${places.name} (process ${state.pid}) does not end.`);
}
