import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { eventOf } from './embedded.ts';

const SECRET = 'the one that all replicas have, 0123456789';

const tool = (name: string, { host, port, user, password }: TestDatabase, args: readonly string[]) =>
  promisify(execFile)(name, ['-h', host, '-p', String(port), '-U', user, ...args], {
    env: { PATH: process.env.PATH, PGPASSWORD: password },
  });

/** As docs/store.md says it. */
describe.skipIf(postgresIsMissing)('backup and restore with the tools of PostgreSQL', () => {
  it('a dump of the schema and the secret key are a whole backup', async () => {
    await using from = await createDatabase();
    await using to = await createDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
    const open = (url: string, env: Record<string, string>) =>
      openStore({ home: folder, version: '1.0.0', settings: { kind: 'postgres', url, connections: 4 }, env });
    try {
      const secret = await (async () => {
        await using store = await open(from.url, { SLUICE_SECRET_KEY: SECRET });
        await store.servers.put('added', { headers: { Authorization: 'Bearer hidden' } }, 'ana');
        await store.events.append([eventOf(1), eventOf(2)]);
        const grant = { name: 'k', scopes: [], createdAt: '', createdBy: '' };
        await store.keys.add({ id: 'k', hash: Buffer.alloc(32, 7), grant });
        const made = await store.settings.secret('logins');
        // While the store is in use.
        await tool('pg_dump', from, [
          '-n',
          'sluice',
          '-n',
          'sluice_runs',
          '-Fc',
          '-f',
          join(folder, 'sluice.dump'),
          from.database,
        ]);
        return made;
      })();
      await tool('pg_restore', to, ['--no-owner', '-d', to.database, join(folder, 'sluice.dump')]);

      await expect(open(to.url, { SLUICE_SECRET_KEY: `${SECRET}x` })).rejects.toThrow('is not the key');
      await using restored = await open(to.url, { SLUICE_SECRET_KEY: SECRET });
      expect(await restored.settings.secret('logins')).toEqual(secret);
      expect(await restored.servers.list()).toMatchObject([
        { name: 'added', config: { headers: { Authorization: 'Bearer hidden' } } },
      ]);
      expect((await restored.keys.list()).map(({ id, hash }) => [id, hash])).toEqual([['k', Buffer.alloc(32, 7)]]);
      await restored.events.append([eventOf(3)]);
      const { events } = await restored.events.query({ order: 'asc' });
      expect(events.map(({ id, data }) => [id, data.ms])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
