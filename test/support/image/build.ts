/** Builds the image of the Dockerfile, on a base that is made here. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needBase } from './base.ts';
import type { Workshop } from './workshop.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export interface Image extends AsyncDisposable {
  readonly name: string;
}

/**
 * `sources`: the image holds the sources of this checkout instead of the package that is built from them, which takes
 * a minute or more. All else is the same.
 */
export async function buildImage(workshop: Workshop, { sources }: { sources: boolean }): Promise<Image> {
  const base = await needBase(workshop);
  const name = `localhost/sluice:${randomUUID().slice(0, 8)}`;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-image-'));
  try {
    await writeFile(join(folder, 'npmrc'), await registryOfThisUser(), { mode: 0o600 });
    const instead = sources ? ['--build-context', `package=${await packageOfSources(folder)}`] : [];
    const here = ['--network', 'host', '--isolation', 'chroot', '--format', 'docker', '--layers'];
    const secret = ['--secret', `id=npmrc,src=${join(folder, 'npmrc')}`];
    await workshop.podman('build', ...here, ...secret, ...instead, '--build-arg', `BASE=${base}`, '-t', name, checkout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    name,
    [Symbol.asyncDispose]: async () => void (await workshop.attempt('rmi', '--force', '--no-prune', name)),
  };
}

/** How npm reaches packages on this machine, inside the build. */
async function registryOfThisUser(): Promise<string> {
  const own = await readFile(join(homedir(), '.npmrc'), 'utf8').catch(() => '');
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: tmpdir() });
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const ca = certificates === undefined ? '' : `ca=${JSON.stringify(await readFile(certificates, 'utf8'))}\n`;
  return `${own}\nregistry=${stdout.trim()}\n${ca}`;
}

async function packageOfSources(folder: string): Promise<string> {
  const app = join(folder, 'package', 'app');
  await mkdir(app, { recursive: true });
  const { files } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { files: string[] };
  for (const name of [...files.filter((file) => file !== 'dist'), 'dist/browser', 'src', 'package.json'])
    await cp(join(checkout, name), join(app, name), {
      recursive: true,
      filter: (path) => !/\.(test|contract)\.ts$|\.snap$/.test(path),
    });
  await cp(join(checkout, 'deploy', 'image', 'health.js'), join(app, 'health.js'));
  await chmod(join(app, 'bin', 'sluice.js'), 0o755);
  return join(folder, 'package');
}
