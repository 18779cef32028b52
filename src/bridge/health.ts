import type { Health } from '../kernel/health.ts';
import type { SharedFileState } from './live/shared-file.ts';
import type { WatchState } from './live/watch-state.ts';

/** Health of the bridge to one n8n. */
export function bridgeHealth(instance: string, state: WatchState): Health {
  const named = { name: `bridge ${instance}`, kind: 'bridge', since: state.since } as const;
  switch (state.state) {
    case 'starting':
      return { ...named, state: 'starting', detail: 'n8n has not been scanned yet' };
    case 'watching':
      return { ...named, state: 'ready', detail: `workflows: ${state.workflows}, last scan at ${state.lookedAt}` };
    case 'failing':
      return {
        ...named,
        state: 'failing',
        lastError: { message: state.reason, at: state.since },
        ...(state.retryAt !== undefined && { retryAt: state.retryAt }),
      };
  }
}

/** Health of the shared tools file (TOOLS_SHARED_PATH). */
export function sharedHealth(told: SharedFileState): Health {
  const named = { name: 'shared tools file', kind: 'bridge' } as const;
  switch (told.state) {
    case 'absent':
      return { ...named, state: 'starting', detail: `${told.file} does not exist yet. It is read as soon as it does` };
    case 'read':
      return { ...named, state: 'ready', since: told.at, detail: `${told.tools} tools in ${told.file}` };
    case 'rejected':
      return {
        ...named,
        state: 'failing',
        since: told.at,
        lastError: { message: `${told.file}: ${told.reason}`, at: told.at },
      };
  }
}
