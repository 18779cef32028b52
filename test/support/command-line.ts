import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const bin = here('../../bin/sluice.js');

/** Real backends, as entries of mcpServers. */
export const reference = {
  command: process.execPath,
  args: [here('../fixtures/reference-server.ts'), '--transport', 'stdio'],
};
export const memoryIn = (directory: string) => ({
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')],
  env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
});

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  /** The Node to start it with. */
  node?: string;
  cwd?: string;
}

/** A running command: signal it, and wait for its end. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
  /** Settles once this text was printed, on either stream. */
  printed(text: string | RegExp): Promise<void>;
}

/** A user's machine: a home, a data directory and a project to work in. */
export interface Place extends AsyncDisposable {
  readonly user: string;
  readonly home: string;
  readonly project: string;
  start(args: readonly string[], options?: RunOptions): Started;
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** `sluice serve`, until it prints that it is ready. */
  serve(env?: Record<string, string>): Promise<Started & AsyncDisposable>;
}

export async function createPlace(config?: object): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  const place = { user: join(root, 'user'), home: join(root, 'data'), project: join(root, 'project') };
  await Promise.all([mkdir(place.user), mkdir(place.home, { mode: 0o700 }), mkdir(place.project)]);
  if (config) await writeFile(join(place.project, 'sluice.json'), JSON.stringify(config, null, 2));

  function start(args: readonly string[], options: RunOptions = {}): Started {
    const child = spawn(options.node ?? process.execPath, [bin, ...args], {
      cwd: options.cwd ?? place.project,
      env: { PATH: process.env.PATH, HOME: place.user, SLUICE_HOME: place.home, ...options.env },
    });
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    return follow(child);
  }

  return {
    ...place,
    start,
    run: (args, options) => start(args, options).finished,
    async serve(env = {}) {
      const started = start(['serve', '--port', '0'], { env });
      await started.printed('Ready:');
      return {
        ...started,
        async [Symbol.asyncDispose]() {
          started.child.kill('SIGTERM');
          await started.finished;
        },
      };
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

export function follow(child: ChildProcessWithoutNullStreams): Started {
  const seen = { stdout: '', stderr: '' };
  // A test that times out must not leave it behind.
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, ...seen }));
  return {
    child,
    finished,
    printed(text) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const all = seen.stdout + seen.stderr;
          if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        void finished.then(({ code }) =>
          reject(new Error(`It ended with ${code} before it printed ${text}:\n${seen.stdout}${seen.stderr}`)),
        );
        look();
      });
    },
  };
}
