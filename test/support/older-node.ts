import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** A Node on this machine that is too old to run the sources itself, or why there is none. */
export const olderNode: { node: string } | { missing: string } = find();

function find(): { node: string } | { missing: string } {
  const directories = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  for (const node of new Set(directories.map((directory) => join(directory, 'node')))) {
    const version = /^v(\d+)\./.exec(String(spawnSync(node, ['--version']).stdout))?.[1];
    if (version !== undefined && Number(version) >= 20 && Number(version) < 24) return { node };
  }
  return { missing: 'this machine has no Node from 20 to 23' };
}
