/** How podman runs in a test: all it writes is in one folder, and containers share the network of the machine. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the configuration, and returns the environment with which podman reads it. */
export async function configurePodman(folder: string, driver: 'vfs' | 'overlay' = 'vfs'): Promise<NodeJS.ProcessEnv> {
  const at = (name: string) => join(folder, name);
  await mkdir(at('.config/containers'), { recursive: true });
  const files = {
    'containers.conf': `[containers]
netns="host"
utsns="host"
ipcns="host"
cgroupns="host"
cgroups="enabled"
default_ulimits=["nofile=1024:1024","nproc=4096:4096"]
[engine]
cgroup_manager="cgroupfs"
events_logger="file"
runtime="runc"
tmp_dir="${at('tmp')}"
[network]
network_config_dir="${at('networks')}"
`,
    'storage.conf': `[storage]\ndriver="${driver}"\ngraphroot="${at('graph')}"\nrunroot="${at('run')}"\n`,
    'registries.conf': 'unqualified-search-registries=[]\n',
    '.config/containers/policy.json': '{"default":[{"type":"insecureAcceptAnything"}]}',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(at(name), content);
  return {
    PATH: process.env.PATH,
    HOME: folder,
    CONTAINERS_CONF: at('containers.conf'),
    CONTAINERS_STORAGE_CONF: at('storage.conf'),
    REGISTRIES_CONFIG_PATH: at('registries.conf'),
  };
}

/** With overlay a layer costs what it adds; with vfs each is a copy of all below it. Not every machine can mount one. */
export async function storageDriver(near: string): Promise<'vfs' | 'overlay'> {
  const folder = await mkdtemp(join(near, 'overlay-'));
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(folder, name));
  try {
    for (const path of [lower, upper, work, merged]) await mkdir(path as string);
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    if (spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', options, merged as string]).status !== 0) return 'vfs';
    spawnSync('umount', [merged as string]);
    return 'overlay';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
