import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../kernel/env.ts';

/** The data directory: SLUICE_HOME, or the platform's default. */
export function homeDirectory(env: Env, platform: string = process.platform): string {
  if (env.SLUICE_HOME) return env.SLUICE_HOME;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluice');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'sluice');
}

/** For data that can be downloaded again, and so belongs neither in the data directory nor in its backup. */
export function cacheDirectory(env: Env, platform: string = process.platform): string {
  if (env.SLUICE_CACHE) return env.SLUICE_CACHE;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluice');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice');
}

const LONGEST_SOCKET = 100;
export const SOCKET = 'sluice.sock';

/**
 * The socket on which a running gateway accepts `sluice stdio` and other commands. If the path is too long for a
 * socket, uses a directory of this user in the temporary directory instead. socket-place.ts checks that it belongs to
 * the user.
 */
export function socketPath(home: string, temporary: string = tmpdir()): string {
  const inside = join(home, SOCKET);
  if (inside.length <= LONGEST_SOCKET) return inside;
  const name = `${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`;
  const own = `sluice-${process.getuid?.() ?? 'user'}`;
  const outside = join(temporary, own, name);
  return outside.length <= LONGEST_SOCKET ? outside : join('/tmp', own, name);
}
