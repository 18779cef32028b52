import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** Kills process groups when this process is gone, however it went. */
export interface GroupGuard {
  guard(group: number): void;
  release(group: number): void;
}

export interface GroupOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  guard: GroupGuard;
  onOutput(text: string): void;
}

/** A program and everything it started. */
export interface Group {
  readonly pid: number;
  /** Undefined: it went well. The group is empty by then. */
  readonly ended: Promise<string | undefined>;
  /** Asks the program to end and kills what is left of its group after the grace. */
  stop(graceMs: number): Promise<void>;
}

const LOOK_MS = 50;
/** For those that the program left behind when it ended. */
const LEFTOVER_MS = 1000;
const KILLED_MS = 200;
/** For its output: who has left the group may keep that open. */
const OUTPUT_MS = 100;

export async function startGroup({ command, args, cwd, env, guard, onOutput }: GroupOptions): Promise<Group> {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(command, [...args], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined) guard.guard(child.pid);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid as number;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);

  const closed = new Promise((resolve) => child.once('close', resolve));
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal ? `was ended by ${signal}` : code === 0 ? undefined : `ended with code ${code}`);
    });
  }).then(async (how) => {
    signalGroup(pid, 'SIGTERM');
    await untilEmpty(pid, LEFTOVER_MS);
    if (signalGroup(pid, 'SIGKILL')) await untilEmpty(pid, KILLED_MS);
    guard.release(pid);
    // On a busy machine its end is seen before what it wrote last is read.
    await Promise.race([closed, delay(OUTPUT_MS, undefined, { ref: false }).then(() => setImmediate())]);
    return how;
  });

  return {
    pid,
    ended,
    async stop(graceMs) {
      // Only the program itself: it knows best in which order its own children end.
      child.kill('SIGTERM');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function untilEmpty(group: number, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (signalGroup(group, 0) && Date.now() < end) await delay(LOOK_MS);
}

/** False when nobody is left in the group. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
