import type { Health } from '../kernel/health.ts';
import type { WatchState } from './live/watch-state.ts';

/** How the bridge to one n8n is doing. */
export function bridgeHealth(instance: string, state: WatchState): Health {
  const named = { name: `bridge ${instance}`, kind: 'bridge', since: state.since } as const;
  switch (state.state) {
    case 'starting':
      return { ...named, state: 'starting', detail: 'it has not looked at n8n yet' };
    case 'watching':
      return { ...named, state: 'ready', detail: `${state.workflows} workflows, last looked at ${state.lookedAt}` };
    case 'failing':
      return {
        ...named,
        state: 'failing',
        lastError: { message: state.reason, at: state.since },
        ...(state.retryAt !== undefined && { retryAt: state.retryAt }),
      };
  }
}
