import { mkdir, mkdtemp, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A ConfigMap or Secret as the kubelet mounts it: the files are in a directory with the time in its name, `..data` leads
 * there, and every visible name leads through `..data`. An update makes a new directory and renames a link over `..data`.
 */
export interface KubeletVolume {
  readonly path: string;
  /** Replaces the whole content at once. */
  update(files: Readonly<Record<string, string>>): Promise<void>;
}

export async function kubeletVolume(path: string, files: Readonly<Record<string, string>>): Promise<KubeletVolume> {
  await mkdir(path, { recursive: true });
  let shown = new Set<string>();

  async function update(next: Readonly<Record<string, string>>): Promise<void> {
    const before = await readlink(join(path, '..data')).catch(() => undefined);
    const time = new Date().toISOString().replace(/[-:T]/g, '_').slice(0, 19);
    const now = (await mkdtemp(join(path, `..${time}.`))).slice(path.length + 1);
    for (const [name, content] of Object.entries(next))
      await writeFile(join(path, now, name), content, { mode: 0o644 });
    await symlink(now, join(path, '..data_tmp'));
    await rename(join(path, '..data_tmp'), join(path, '..data'));
    for (const name of Object.keys(next)) if (!shown.has(name)) await symlink(join('..data', name), join(path, name));
    for (const name of shown) if (!Object.hasOwn(next, name)) await rm(join(path, name));
    shown = new Set(Object.keys(next));
    if (before !== undefined) await rm(join(path, before), { recursive: true });
  }

  await update(files);
  return { path, update };
}
