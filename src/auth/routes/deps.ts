import type { Store } from '../../store/store.ts';
import type { AuthEvents } from '../facts.ts';
import type { AuthSettings } from '../settings.ts';
import type { Uses } from '../uses.ts';

export interface AuthRoutesDeps {
  settings(): AuthSettings;
  readonly store: Store;
  readonly events: AuthEvents;
  readonly uses: Uses;
  /** Access was revoked: forget what is remembered of it. */
  revoked(): Promise<void>;
}
