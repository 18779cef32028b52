import { createCatchUp } from '../kernel/catch-up.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Store } from '../store/store.ts';
import type { Gateway } from './gateway.ts';

/** Between two reads of all catalogues: replicas that start store one for each of their servers. */
const CATALOGUES_MS = 1000;

/** Brings this replica in line with what the others did: servers they added or removed, tools they accepted, lists they read. */
export function followReplicas(deps: {
  shared: Pick<Shared, 'hear'>;
  store: Pick<Store, 'catalogues'>;
  gateway: Pick<Gateway, 'backend' | 'backends'>;
  reconfigure(): Promise<unknown>;
}): AsyncDisposable {
  const { shared, store, gateway } = deps;
  const following = new AsyncDisposableStack();

  function follow(topic: 'servers' | 'definitions' | 'catalogues', work: () => Promise<void>, restMs?: number): void {
    const catchUp = following.use(createCatchUp(`read the ${topic} that another replica changed`, work, restMs));
    following.use(shared.hear(topic, catchUp.due));
  }

  follow('servers', async () => {
    await deps.reconfigure();
  });
  follow('definitions', async () => {
    for (const backend of gateway.backends()) await backend.offer.acceptedElsewhere();
  });
  follow(
    'catalogues',
    async () => {
      for (const { server, ...known } of await store.catalogues.all()) gateway.backend(server)?.offer.heard(known);
    },
    CATALOGUES_MS,
  );
  return following;
}
