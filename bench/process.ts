import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connect, type Era } from './client.ts';
import { cpuOf, rssOf } from './proc.ts';

export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** CPU used so far, in microseconds: the process itself, not its children. */
  cpu(): number;
  rss(): number;
  /** Resolves with the reason if the process exits by itself. */
  readonly ended: Promise<Error>;
}

const READY_MS = 30_000;
const STOP_MS = 500;
const groups = new Set<number>();

// However the benchmark ends, nothing it started is left behind.
process.on('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

/** Starts a Node program as the leader of its own process group; its output goes to a file in `directory`. */
export function start(args: readonly string[], directory: string, env: Record<string, string> = {}): Running {
  const log = join(directory, 'output.log');
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, args, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', output, output],
    // Inherit nothing else: a PORT or an API key from this shell would change the measurement.
    env: { PATH: process.env.PATH, HOME: directory, TMPDIR: directory, ...env },
  });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`Could not start ${args[0]}.`);
  groups.add(pid);
  const ended = once(child, 'exit').then(([code, signal]) => {
    const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-8).join('\n');
    return new Error(`It ended with ${signal ?? code}.\nLast output:\n${tail}`);
  });
  return {
    pid,
    cpu: () => cpuOf(pid),
    rss: () => rssOf(pid),
    ended,
    [Symbol.asyncDispose]: () => stop(child, pid),
  };
}

async function stop(child: ChildProcess, pid: number): Promise<void> {
  const exited = child.exitCode !== null || child.signalCode !== null;
  const exit = exited ? Promise.resolve() : once(child, 'exit');
  signalGroup(pid, 'SIGTERM');
  await Promise.race([exit, delay(STOP_MS, undefined, { ref: false })]);
  // The leader may have ended while a child of its group still runs.
  signalGroup(pid, 'SIGKILL');
  await exit;
  groups.delete(pid);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until a real MCP client sees all of `tools`; resolves with the time of that answer. */
export async function untilListed(running: Running, url: URL, era: Era, tools: readonly string[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const deadline = performance.now() + READY_MS;
  let lastProblem: unknown;
  let end: Error | undefined;
  let client: Client | undefined;
  void running.ended.then((reason) => (end = reason));
  try {
    while (performance.now() < deadline) {
      if (end) throw end;
      try {
        client ??= await connect(era, url, agent);
        const names = await listNames(client);
        if (tools.every((tool) => names.has(tool))) return performance.now();
        lastProblem = new Error(`Lists ${names.size} tools: ${[...names].slice(0, 5).join(', ')} …`);
      } catch (problem) {
        lastProblem = problem;
        client = undefined;
      }
      await delay(3);
    }
    throw new Error(`Not ready within ${READY_MS / 1000} s.`, { cause: lastProblem });
  } finally {
    await client?.close().catch(() => {});
    agent.destroy();
  }
}

async function listNames(client: Client): Promise<Set<string>> {
  const names = new Set<string>();
  let cursor: unknown;
  do {
    const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    for (const { name } of result.tools as { name: string }[]) names.add(name);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return names;
}
