import { type Group, startGroup } from '../../host/group.ts';
import { AppError } from '../../kernel/errors.ts';
import { n8nEnvironment, SHUTDOWN_SECONDS } from './environment.ts';
import type { Installation } from './install.ts';
import type { LogFile } from './log-file.ts';
import type { InstancePlaces } from './places.ts';
import { untilReady } from './ready.ts';
import type { InstanceRecord } from './record.ts';
import type { Ports } from './ports.ts';

export interface RunOptions {
  installation: Installation;
  places: InstancePlaces;
  record: InstanceRecord;
  ports: Ports;
  env: Readonly<Record<string, string | undefined>>;
  postgres: boolean;
  extra: Readonly<Record<string, string>>;
  hooks: string | undefined;
  log: LogFile;
  signal: AbortSignal;
}

export interface RunningN8n {
  readonly pid: number;
  readonly url: string;
  /** Resolves when n8n accepts requests. Rejects if it ended before or took too long. */
  readonly ready: Promise<void>;
  /** Resolves to why it ended, in words. */
  readonly ended: Promise<string>;
  /** Asks n8n to end, and kills it after the grace period. */
  stop(graceMs?: number): Promise<void>;
}

const GRACE_MS = (SHUTDOWN_SECONDS + 5) * 1000;
/** Long enough for a first start, which creates the database, on a busy machine. */
const READY_MS = 240_000;
const WORDS_KEPT = 4000;

/** Starts an n8n process with its task runner. */
export async function runN8n(options: RunOptions): Promise<RunningN8n> {
  const { installation, places, record, ports, env, postgres, extra, hooks, log, signal } = options;
  const url = `http://127.0.0.1:${ports.port}`;
  let words = '';
  const group: Group = await startGroup({
    command: installation.node,
    args: [installation.n8n, 'start'],
    cwd: places.folder,
    env: n8nEnvironment({
      env,
      data: places.data,
      ...ports,
      encryptionKey: record.encryptionKey,
      postgres,
      extra,
      hooks,
    }),
    onOutput(text) {
      words = (words + text).slice(-WORDS_KEPT);
      log.write(text);
    },
  });
  const gone = new AbortController();
  const ended = group.ended.then((how) => {
    gone.abort();
    return `n8n ${how ?? 'ended by itself'}${told(words)}`;
  });

  async function waitUntilReady(): Promise<void> {
    const limit = AbortSignal.timeout(READY_MS);
    try {
      await untilReady(url, AbortSignal.any([signal, gone.signal, limit]));
    } catch (error) {
      signal.throwIfAborted();
      if (gone.signal.aborted) throw new AppError('unavailable', await ended, { cause: error });
      throw new AppError('timeout', `n8n was not ready after ${READY_MS / 1000} s${told(words)}`, { cause: error });
    }
  }

  return { pid: group.pid, url, ready: waitUntilReady(), ended, stop: (graceMs = GRACE_MS) => group.stop(graceMs) };
}

function told(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  const last = lines.slice(-3).join(' | ').slice(-400);
  return last === '' ? '.' : `: ${last}`;
}
