import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** An entry of mcpServers that runs test/fixtures/odd-server.ts; see there for its flags. */
export function odd(...flags: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [here('../fixtures/odd-server.ts'), ...flags] };
}

/** The running ones of these processes. A zombie, which its parent has not collected yet, does not count. */
export async function alive(pids: readonly number[]): Promise<number[]> {
  if (pids.length === 0) return [];
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,stat=']);
  const running = new Set<number>();
  for (const line of stdout.split('\n')) {
    const [pid, state] = line.trim().split(/\s+/);
    if (state !== undefined && !state.startsWith('Z')) running.add(Number(pid));
  }
  return pids.filter((pid) => running.has(pid));
}

export interface Scratch extends AsyncDisposable {
  readonly directory: string;
  path(name: string): string;
  /** The lines of a file; none if there is no file. */
  lines(name: string): string[];
  /** For `--roll`: everything that was started with it, and what of that still runs. */
  readonly roll: string;
  started(): number[];
  left(): Promise<number[]>;
}

/** A directory for one test, and the list of processes it started. */
export async function scratch(): Promise<Scratch> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-life-'));
  const path = (name: string) => join(directory, name);
  const lines = (name: string) =>
    existsSync(path(name)) ? readFileSync(path(name), 'utf8').split('\n').filter(Boolean) : [];
  const started = () => lines('roll').map(Number);
  return {
    directory,
    path,
    lines,
    roll: path('roll'),
    started,
    left: () => alive(started()),
    async [Symbol.asyncDispose]() {
      // A failed test must not leave its processes behind.
      for (const pid of await alive(started())) process.kill(pid, 'SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
