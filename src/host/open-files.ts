import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Health } from '../kernel/health.ts';

/** As many as it takes to start a program and to accept a connection. */
const NEEDED = 8;
const LOOK_MS = 2000;
/** So long the status still says that it was so: then those who ask can connect again. */
const REMEMBERED_MS = 15 * 60_000;

export const MORE_FILES =
  'Allow the process more open files and restart it: `ulimit -n 65536` before the command, LimitNOFILE=65536 in a systemd unit, `--ulimit nofile=65536` for a container. If it had enough, find the client that opens connections and keeps them.';

export interface OpenFiles extends Disposable {
  /** Nothing while the process can open files. */
  health(): Health[];
}

/**
 * Looks whether this process still gets file descriptors. Without one the kernel closes new connections before anybody
 * here hears of them, so no error tells. `told` is called when it begins.
 */
export function watchOpenFiles(told: (message: string) => void): OpenFiles {
  const most = limitOfProcess();
  const limit = most === undefined ? '' : ` (${most})`;
  let first: number | undefined;
  let last = 0;
  let isOut = false;

  function look(): void {
    const was = isOut;
    isOut = !canOpen(NEEDED);
    const now = Date.now();
    if (isOut) {
      if (!was && now - last > REMEMBERED_MS) {
        first = now;
        told(
          `Sluice has as many files and connections open as it may${limit}, and cannot accept or open more. ${MORE_FILES}`,
        );
      }
      last = now;
    } else if (now - last > REMEMBERED_MS) first = undefined;
  }

  const timer = setInterval(look, LOOK_MS).unref();
  return {
    health() {
      look();
      if (first === undefined) return [];
      const message = isOut
        ? `Sluice has as many files and connections open as it may${limit}: it drops new connections, and cannot start servers.`
        : `Sluice had as many files and connections open as it may${limit}: it dropped new connections, and could not start servers.`;
      return [
        {
          name: 'open files',
          kind: 'process',
          state: isOut ? 'failing' : 'degraded',
          since: new Date(first).toISOString(),
          lastError: { message, at: new Date(last).toISOString() },
          fix: MORE_FILES,
        },
      ];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function canOpen(count: number): boolean {
  const open: number[] = [];
  try {
    while (open.length < count) open.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EMFILE';
  } finally {
    for (const file of open) closeSync(file);
  }
}

/** Read at the start: later there may be no descriptor for it. Only Linux says it in a file. */
function limitOfProcess(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
