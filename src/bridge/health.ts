import type { Health } from '../kernel/health.ts';
import type { SharedFileState } from './live/shared-file.ts';
import type { WatchState } from './live/watch-state.ts';

/** How the bridge to one n8n is doing. */
export function bridgeHealth(instance: string, state: WatchState): Health {
  const named = { name: `bridge ${instance}`, kind: 'bridge', since: state.since } as const;
  switch (state.state) {
    case 'starting':
      return { ...named, state: 'starting', detail: 'it has not looked at n8n yet' };
    case 'watching':
      return { ...named, state: 'ready', detail: `workflows: ${state.workflows}, last looked at ${state.lookedAt}` };
    case 'failing':
      return {
        ...named,
        state: 'failing',
        lastError: { message: state.reason, at: state.since },
        ...(state.retryAt !== undefined && { retryAt: state.retryAt }),
      };
  }
}

/** How the file is doing that TOOLS_SHARED_PATH names. */
export function sharedHealth(told: SharedFileState): Health {
  const named = { name: 'shared tools file', kind: 'bridge' } as const;
  switch (told.state) {
    case 'absent':
      return { ...named, state: 'starting', detail: `${told.file} does not exist; it is read as soon as it does` };
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
