import { join } from 'node:path';
import type { StorePlace } from './settings.ts';
import type { Store, StoreOptions } from './store.ts';

/** The store that the configuration names: one SQLite file in the home, or PostgreSQL. */
export async function openStore(place: StorePlace, options: StoreOptions = {}): Promise<Store> {
  if (place.settings.kind === 'sqlite') {
    const file = join(place.home, 'sluice.db');
    const [{ openSqlite }, { refuseLostStore }] = await Promise.all([
      import('./sqlite/open.ts'),
      import('./sqlite/lost-store.ts'),
    ]);
    refuseLostStore(file);
    return openSqlite(file, options);
  }
  const { openPostgres } = await import('./postgres/open.ts');
  return openPostgres({ ...place, settings: place.settings }, options);
}
