import type { Health } from '../../kernel/health.ts';
import type { LocalState } from './state.ts';

/** The health of the local n8n. */
export function localHealth(state: LocalState): Health {
  const named = { name: 'local n8n', kind: 'local-n8n', since: state.since } as const;
  switch (state.state) {
    case 'preparing':
      return { ...named, state: 'starting', detail: `n8n ${state.version}` };
    case 'installing':
      return { ...named, state: 'starting', detail: `n8n ${state.version} is being installed` };
    case 'starting':
      return { ...named, state: 'starting', detail: `n8n ${state.version} at ${state.url}` };
    case 'ready':
      return { ...named, state: 'ready', detail: `n8n ${state.version} at ${state.url}` };
    case 'restarting':
      return {
        ...named,
        state: 'failing',
        lastError: { message: state.reason, at: state.since },
        retryAt: state.retryAt,
      };
    case 'failed':
      return {
        ...named,
        state: 'failing',
        lastError: { message: state.reason, at: state.since },
        fix: 'Its log is in the data directory: n8n/default/n8n.log. Restart the gateway to try again.',
      };
    case 'stopped':
      return { ...named, state: 'off' };
  }
}
