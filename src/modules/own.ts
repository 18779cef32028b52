import { REDIS_PREFIX, RUNS_SCHEMA, SCHEMA, SERVER_ID } from '../store/own-names.ts';
import type { Store } from '../store/store.ts';
import type { Own } from './module.ts';

interface Holding {
  readonly home: string;
  /** Not open while a command looks at the services. */
  readonly store?: Pick<Store, 'tables' | 'apart'>;
}

/** What belongs to Sluice itself, and is out of reach for every tool. */
export const ownOf = ({ home, store }: Holding): Own => ({
  home,
  schemas: [SCHEMA, RUNS_SCHEMA],
  redisPrefix: REDIS_PREFIX,
  async storeServer() {
    if (store?.apart.dialect !== 'postgres') return undefined;
    const [server] = await store.tables.rows<{ id: string }>(SERVER_ID);
    return server?.id;
  },
});
