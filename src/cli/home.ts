import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where state lives: SLUICE_HOME, or the platform's place for data. */
export function homeDirectory(env: Record<string, string | undefined>, platform: string = process.platform): string {
  if (env.SLUICE_HOME) return env.SLUICE_HOME;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluice');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'sluice');
}

const LONGEST_SOCKET = 100;

/** The socket on which a running gateway takes `sluice stdio` and other commands in. */
export function socketPath(home: string): string {
  const inside = join(home, 'sluice.sock');
  if (inside.length <= LONGEST_SOCKET) return inside;
  return join(tmpdir(), `sluice-${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`);
}
