import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { watchdog } from './watchdog.ts';

export interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

type Spoken = ChildProcessByStdio<Writable, Readable, Readable>;
type Unspoken = ChildProcessByStdio<null, Readable, Readable>;

const LOOK_MS = 50;
/** How long to wait for the last output: a process left behind may keep it open. */
const OUTPUT_MS = 100;

/**
 * Starts a program in its own process group, which does not outlive this process. Call `releaseGroup` when it is empty.
 */
export function spawnGroup(program: Program, stdin: 'pipe'): Promise<Spoken & { pid: number }>;
export function spawnGroup(program: Program, stdin: 'ignore'): Promise<Unspoken & { pid: number }>;
export async function spawnGroup({ command, args, cwd, env }: Program, stdin: 'pipe' | 'ignore'): Promise<unknown> {
  const child = spawn(command, [...args], {
    cwd,
    env: { ...env },
    stdio: [stdin, 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined) watchdog.guard(child.pid);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return child;
}

/** However late it is, a program may end by itself within this time. */
const LEAST_GRACE_MS = 1000;

let end = Number.POSITIVE_INFINITY;

/** From now on, groups have to end until then, because this process does. */
export function killGroupsAt(time: number): void {
  end = Math.min(end, time);
}

/** When a group that may take `graceMs` gets SIGKILL. */
export const killTime = (graceMs: number): number =>
  Math.min(Date.now() + graceMs, Math.max(end, Date.now() + LEAST_GRACE_MS));

export const releaseGroup = (group: number): void => watchdog.release(group);

/** False if the group is empty. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** Waits until the group is empty or the time is up. With `ref: false` this does not keep the process alive. */
export async function untilEmpty(group: number, late: number, { ref = true } = {}): Promise<void> {
  while (signalGroup(group, 0) && Date.now() < late) await delay(LOOK_MS, undefined, { ref });
}

/**
 * Resolves when the child's output was read: on a busy machine its exit is seen first. Call it before the child can
 * end.
 */
export function outputRead(child: ChildProcess): () => Promise<unknown> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  return () => Promise.race([closed, delay(OUTPUT_MS, undefined, { ref: false }).then(() => setImmediate())]);
}
