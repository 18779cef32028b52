import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../kernel/env.ts';

/** Where state lives: SLUICE_HOME, or the platform's place for data. */
export function homeDirectory(env: Env, platform: string = process.platform): string {
  if (env.SLUICE_HOME) return env.SLUICE_HOME;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluice');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'sluice');
}

/** What can be fetched anew and so belongs neither into the data directory nor into a backup of it. */
export function cacheDirectory(env: Env, platform: string = process.platform): string {
  if (env.SLUICE_CACHE) return env.SLUICE_CACHE;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluice');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice');
}

const LONGEST_SOCKET = 100;
export const SOCKET = 'sluice.sock';

/**
 * The socket on which a running gateway takes `sluice stdio` and other commands in. A path that is too long for one is
 * replaced by one in a directory of this user among the temporary files; socket-place.ts sees to it that it is.
 */
export function socketPath(home: string, temporary: string = tmpdir()): string {
  const inside = join(home, SOCKET);
  if (inside.length <= LONGEST_SOCKET) return inside;
  const name = `${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`;
  const own = `sluice-${process.getuid?.() ?? 'user'}`;
  const outside = join(temporary, own, name);
  return outside.length <= LONGEST_SOCKET ? outside : join('/tmp', own, name);
}
