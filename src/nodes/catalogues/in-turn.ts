import { alone } from '../../kernel/alone.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { SyncProgress, Syncing } from './catalogues.ts';

/** Longer than a build takes, with its download. */
const WAIT_MS = 600_000;

/** Builds while no other replica builds: each needs its own files, but an n8n should not be read by all at once. */
export function syncInTurn(shared: Pick<Shared, 'lead'>, progress: SyncProgress, start: () => Syncing): Syncing {
  let running: Syncing | undefined;
  let stopped = false;
  progress('waiting for another replica', 0, 1);
  const ended = alone(
    shared,
    'catalogue',
    async () => {
      if (stopped) return;
      running = start();
      // Goes on without the lease: two builds at once are slow, but not wrong.
      await running.ended;
    },
    { waitMs: WAIT_MS },
  );
  return {
    ended,
    stop() {
      stopped = true;
      running?.stop();
    },
  };
}
