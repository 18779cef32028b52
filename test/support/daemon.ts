/** A program of Debian's for one suite: on a free port, with a folder of its own, as a user who is not root. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_MS = 20_000;

export interface Daemon extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Ends it and waits for its end. */
  end(): Promise<void>;
}

/** For `describe.skipIf`. If everything must run, a missing program is a failure, not skipped. */
export const isMissing = (program: string): string | undefined =>
  existsSync(program) || process.env.CI === 'true' ? undefined : `${program} is not installed`;

interface Wanted {
  readonly program: string;
  readonly port: number;
  /** By name; written into its folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly as?: { uid: number; gid: number };
  /** How long it may take to start. */
  readonly startMs?: number;
  args(folder: string): string[];
}

export async function startDaemon({
  program,
  port,
  files = {},
  as,
  startMs = START_MS,
  args,
}: Wanted): Promise<Daemon> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-daemon-'));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    if (as) await chown(join(folder, name), as.uid, as.gid);
  }
  if (as) await chown(folder, as.uid, as.gid);
  const child = spawn(program, args(folder), { ...as, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  for (const until = Date.now() + startMs; !(await isListening(port)); await delay(20))
    if (Date.now() > until || child.exitCode !== null) {
      await end();
      await rm(folder, { recursive: true });
      throw new Error(`${program} did not start:\n${output}`);
    }
  return {
    process: child,
    end,
    async [Symbol.asyncDispose]() {
      await end();
      await rm(folder, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
