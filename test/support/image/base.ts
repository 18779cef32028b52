/**
 * What stands in for `node:24-trixie-slim` where no registry of images can be reached: Debian 13 with the Node and npm
 * that this checkout uses, and the user that the real one has.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mirrorHere } from '../debian-packages.ts';
import type { Workshop } from './workshop.ts';

const run = promisify(execFile);
const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Makes it if it is not there: about a minute. Returns its name. */
export async function needBase({ folder, podman, attempt }: Workshop): Promise<string> {
  const { stdout } = await run(node, ['--version']);
  const name = `localhost/sluice-base:trixie-node-${stdout.trim()}`;
  if ((await attempt('image', 'exists', name)).code === 0) return name;
  const root = await mkdtemp(join(folder, 'root-'));
  try {
    await run('debootstrap', ['--variant=minbase', 'trixie', root, mirrorHere().url]);
    await copyFile(node, join(root, 'usr', 'local', 'bin', 'node'));
    await run('npm', ['install', '--global', '--prefix', join(root, 'usr', 'local'), 'npm@11'], { cwd: checkout });
    await run('chroot', [root, 'groupadd', '--gid', '1000', 'node']);
    await run('chroot', [root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node']);
    const archive = `${root}.tar`;
    const leftovers = ['./var/cache/apt/*', './var/lib/apt/lists/*'].map((path) => `--exclude=${path}`);
    await run('tar', [...leftovers, '-C', root, '-cf', archive, '.']);
    await podman('import', archive, name);
    await rm(archive);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
  return name;
}
