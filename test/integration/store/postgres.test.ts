import { afterAll, beforeAll, describe } from 'vitest';
import { eventScansContract } from '../../../src/store/event-scans.contract.ts';
import { outboxContract, outboxHoldersContract } from '../../../src/store/outbox.contract.ts';
import { durableStoreContract, storeContract } from '../../../src/store/store.contract.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  storeContract('postgres', () => stores.open({ audit: ['gateway.server_added', 'key.revoked'] }));
  durableStoreContract('postgres', () => stores.place());
  eventScansContract('postgres', () => stores.open({ audit: ['gateway.server_added', 'gateway.tool_accepted'] }));
  outboxContract('postgres', () => stores.open());
  outboxHoldersContract('postgres', () => stores.place());
});
