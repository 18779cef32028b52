import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../kernel/errors.ts';
import { harmless } from '../kernel/harmless.ts';
import { lastLines } from './last-lines.ts';
import {
  killTime,
  outputRead,
  type Program,
  releaseGroup,
  signalGroup,
  spawnGroup,
  untilEmpty,
} from './process-group.ts';

export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The last lines it wrote to stderr, to explain why it ended. */
  lastWords(): string;
  readonly exited: Promise<string>;
  /** Terminates the whole group, and kills what is left after the grace period. */
  stop(graceMs?: number): Promise<void>;
}

// What a program needs to find itself and its caches. It gets nothing else of our environment.
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TERM',
  'TMPDIR',
  'TZ',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'npm_config_registry',
  'npm_config_cache',
];

export function childEnvironment(
  own: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) if (ours[name] !== undefined) environment[name] = ours[name];
  return { ...environment, ...own };
}

const STDERR_KEPT = 4096;
const GRACE_MS = 5000;

/** Starts a program in its own process group, which ends with us. `heard` gets what it writes to stderr. */
export async function startChild(program: Program, heard?: (stderr: string) => void): Promise<Child> {
  const child = await spawnGroup(program, 'pipe').catch((error: NodeJS.ErrnoException) => {
    throw spawnProblem(error, program);
  });
  const { pid } = child;
  const read = outputRead(child);

  let words = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    words = (words + text).slice(-STDERR_KEPT);
    heard?.(text);
  });
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});

  const ended = new Promise<string>((resolve) => {
    child.once('exit', (exitCode, signal) =>
      resolve(signal ? `was ended by ${signal}` : `exited with code ${exitCode}`),
    );
  });
  const exited = ended.then(async (how) => {
    await read();
    return how;
  });
  // Grandchildren may outlive the program. Release the group only when it is empty.
  let killAt: number | undefined;
  let gone = false;
  const emptied = ended.then(async () => {
    const late = (killAt ??= killTime(GRACE_MS));
    signalGroup(pid, 'SIGTERM');
    await untilEmpty(pid, late, { ref: false });
    signalGroup(pid, 'SIGKILL');
    releaseGroup(pid);
    gone = true;
  });

  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    lastWords: () => lastLines(harmless(words)),
    exited,
    async stop(graceMs = GRACE_MS) {
      // The process id may belong to another process by now.
      if (gone) return;
      killAt ??= killTime(graceMs);
      child.stdin.end();
      signalGroup(pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), Math.max(0, killAt - Date.now()));
      await emptied;
      clearTimeout(timer);
    },
  };
}

function spawnProblem(error: NodeJS.ErrnoException, { command, cwd }: Program): AppError {
  const where = cwd === undefined ? '' : ` (in ${cwd})`;
  // Node uses the same code for a missing directory and a missing command.
  if (error.code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) {
    return new AppError('unavailable', `The directory ${cwd} does not exist. Correct "cwd" in the configuration.`, {
      cause: error,
    });
  }
  if (error.code === 'ENOENT') {
    return new AppError(
      'unavailable',
      `The command ${command}${where} does not exist. Install it, or correct "command" in the configuration.`,
      { cause: error },
    );
  }
  if (error.code === 'EACCES') {
    return new AppError('unavailable', `The command ${command}${where} may not be executed. Check its permissions.`, {
      cause: error,
    });
  }
  return new AppError('unavailable', `The command ${command}${where} could not be started: ${error.message}`, {
    cause: error,
  });
}
