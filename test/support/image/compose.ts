/** The real Docker Compose. Debian 12 has none that knows today's files, so it comes from Debian 13, unpacked into the cache. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDirectory } from '../../../src/host/home.ts';
import { downloadPackages, unpack } from '../debian-packages.ts';
import type { Done } from './workshop.ts';

const run = promisify(execFile);
const folder = join(cacheDirectory(process.env), 'test', `compose-trixie-${process.arch}`);
const program = join(folder, 'root', 'usr', 'libexec', 'docker', 'cli-plugins', 'docker-compose');
export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Downloads it if it is not there. */
function needCompose(): void {
  if (existsSync(program)) return;
  const own = `${folder}-${process.pid}-${Date.now()}`;
  try {
    mkdirSync(own, { recursive: true });
    unpack(
      downloadPackages(own, ['docker-compose'], () => 'trixie'),
      join(own, 'root'),
    );
    renameSync(own, folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** For `describe.skipIf`: why there is none. Under CI a missing one is a failure. */
export function composeIsMissing(): string | undefined {
  if (process.platform !== 'linux') return 'the package is for Linux';
  try {
    needCompose();
    return undefined;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return `Docker Compose could not be downloaded: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** Runs it in the checkout, with these variables and no others. */
export async function compose(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Done> {
  const options = { cwd: checkout, env: { PATH: process.env.PATH, HOME: folder, ...env }, maxBuffer: 16 * 1024 * 1024 };
  return run(program, [...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: `${stdout}${stderr}`,
    }),
  );
}
