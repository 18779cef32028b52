/** A PostgreSQL of one suite's own, which it stops and starts again as it likes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { account, initialize, programs, type Server, untilReady, urlOf } from './postgres.ts';
import { freePort } from './free-port.ts';

export interface OwnPostgres extends AsyncDisposable {
  readonly server: Server;
  readonly data: string;
  url(database?: string): string;
  /** With settings such as `ssl=on`. */
  start(...settings: string[]): Promise<void>;
  /** `immediate` is as if it had crashed. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Stops answering, and goes on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Not started yet. `bin` is the folder of its programs. */
export async function ownPostgres(bin: string = programs()): Promise<OwnPostgres> {
  const { folder, data, password } = await initialize(bin);
  const server = { host: '127.0.0.1', port: await freePort(), user: 'postgres', password };
  let running: ChildProcess | undefined;
  let said = '';

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const stopping = running;
    running = undefined;
    if (!stopping || stopping.exitCode !== null) return;
    const ended = once(stopping, 'exit');
    stopping.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  return {
    server,
    data,
    url: (database = 'postgres') => urlOf(server, database),
    async start(...settings) {
      const args = ['-D', data, '-p', String(server.port), '-h', '127.0.0.1', '-k', data, '-F'];
      running = spawn(join(bin, 'postgres'), [...args, ...settings.flatMap((one) => ['-c', one])], {
        ...account(),
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.stderr?.on('data', (text: Buffer) => (said += text.toString()));
      await untilReady(server.port, () => said);
    },
    stop,
    signal: (signal) => void running?.kill(signal),
    async [Symbol.asyncDispose]() {
      running?.kill('SIGCONT');
      await stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
