import { assertPublicUrl, publicLookup } from '../wire/url-guard.ts';
import type { LoginEvents } from './facts.ts';
import { createLogins, type Logins } from './logins.ts';
import { createVault } from './vault.ts';
import type { Store } from '../store/store.ts';

/** The logins at the servers behind the gateway, for `serve` and `sluice login`: both use the same store. */
export async function openLogins(options: {
  store: Store;
  events: LoginEvents;
  url(): string | undefined;
}): Promise<Logins> {
  const { store, events, url } = options;
  const stored = await store.settings.secret('logins');
  return createLogins({
    store: store.logins,
    shared: store.shared,
    vault: createVault(stored),
    events,
    guard: { check: assertPublicUrl, lookup: publicLookup },
    url,
  });
}
