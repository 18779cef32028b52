/** Podman's command line with a store of its own in the cache, so that layers that did not change are not built again. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheDirectory } from '../../../src/host/home.ts';
import { isMissing } from '../daemon.ts';
import { PODMAN, podmanIsMissing } from '../podman.ts';
import { configurePodman, storageDriver } from '../podman-configuration.ts';

/** For `describe.skipIf`. */
export const workshopIsMissing: string | undefined = podmanIsMissing ?? isMissing('/usr/sbin/debootstrap');

export interface Done {
  readonly code: number;
  /** Both streams, without what podman says about the systemd that it misses for its timers. */
  readonly output: string;
}

export interface Workshop {
  readonly folder: string;
  /** Throws if it fails. */
  podman(...args: string[]): Promise<string>;
  /** The same, whatever its end. */
  attempt(...args: string[]): Promise<Done>;
  /** Podman's API as Docker's, on a socket. */
  serve(socket: string): Promise<AsyncDisposable>;
}

const START_MS = 20_000;
const run = promisify(execFile);

export async function openWorkshop(): Promise<Workshop> {
  const cache = join(cacheDirectory(process.env), 'test');
  mkdirSync(cache, { recursive: true });
  const driver = await storageDriver(cache);
  const folder = join(cache, `image-${driver}-${process.arch}`);
  mkdirSync(folder, { recursive: true });
  const env = await configurePodman(folder, driver);
  const options = { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 };

  async function attempt(...args: string[]): Promise<Done> {
    const { code, stdout, stderr } = await run(PODMAN, args, options).then(
      (done) => ({ ...done, code: 0 }),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    const said = stderr.split('\n').filter((line) => !line.includes('systemd connection'));
    return { code, output: `${stdout}${said.join('\n')}`.trim() };
  }

  return {
    folder,
    attempt,
    async podman(...args) {
      const { code, output } = await attempt(...args);
      if (code !== 0) throw new Error(`podman ${args[0]}: ${output.slice(-3000)}`);
      return output;
    },
    async serve(socket) {
      const child = spawn(PODMAN, ['system', 'service', '--time=0', `unix://${socket}`], { env, stdio: 'ignore' });
      const exited = once(child, 'exit');
      const end = async () => {
        child.kill('SIGTERM');
        await exited;
      };
      for (const until = Date.now() + START_MS; !(await answers(socket)); await delay(20))
        if (Date.now() > until || child.exitCode !== null) {
          await end();
          throw new Error('podman system service did not start.');
        }
      return { [Symbol.asyncDispose]: end };
    },
  };
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect(socket);
    line.once('connect', () => resolve(true)).once('error', () => resolve(false));
    line.once('connect', () => line.destroy());
  });
}
