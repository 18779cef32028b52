/** The databases of compose.yaml, created in a real PostgreSQL by the script that its container runs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '../../support/image/compose.ts';
import { ownPostgres, type OwnPostgres } from '../../support/own-postgres.ts';
import { postgresIsMissing, programs } from '../../support/postgres.ts';

const password = `with'quotes"and $signs`;

describe.skipIf(postgresIsMissing)('the databases of compose.yaml', () => {
  let postgres: OwnPostgres;
  beforeAll(async () => {
    postgres = await ownPostgres();
    await postgres.start();
    const { host, port, password: superuser } = postgres.server;
    const env = {
      PATH: `${programs()}:${process.env.PATH}`,
      PGHOST: host,
      PGPORT: String(port),
      PGPASSWORD: superuser,
      POSTGRES_PASSWORD: password,
    };
    await promisify(execFile)('sh', [join(checkout, 'deploy', 'compose', 'databases.sh')], { env });
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function asks(user: string, database: string, sql: string): Promise<unknown[]> {
    const { host, port } = postgres.server;
    const client = new Client({ host, port, user, database, password });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  test.each(['sluice', 'n8n'])('%s owns its own, and is no superuser', async (name) => {
    await asks(name, name, 'CREATE SCHEMA own CREATE TABLE things (id int)');
    const [row] = await asks(name, name, 'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user');
    expect(row).toEqual({ rolsuper: false, rolcreaterole: false });
    expect(await asks(name, name, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  });

  test.each([
    ['sluice', 'n8n'],
    ['n8n', 'sluice'],
  ])('%s may not open that of %s', async (user, database) => {
    await expect(asks(user, database, 'SELECT 1')).rejects.toThrow('permission denied for database');
  });
});
