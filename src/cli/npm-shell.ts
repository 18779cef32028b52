import type { Env } from '../kernel/env.ts';

const LOOK_MS = 500;

/**
 * npm starts a program through a shell that passes no signal on: who ends `npx sluice serve` or `npm start` ends npm and its
 * shell, and this process would go on and keep the port. So it stops when the shell has gone.
 */
export function stopWithNpm(env: Env): void {
  if (env.npm_lifecycle_event !== 'npx' && env.npm_lifecycle_event !== 'start') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
