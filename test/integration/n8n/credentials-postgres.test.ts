import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../../src/n8n/credentials/database.ts';
import { credentialTools } from '../../../src/n8n/credentials/tools.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { limitedKey } from '../../support/limited-key.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

describe.skipIf(n8nIsMissing ?? postgresIsMissing)('credentials read from the database of a real n8n', () => {
  let n8n: TestN8n;
  let own: TestDatabase;
  let bench: Workbench;
  let credential: { id: string; name: string };
  let address: string;

  beforeAll(async () => {
    n8n = await startN8n({ database: 'postgres' });
    own = await createDatabase();
    bench = await openWorkbench(credentialTools, n8n);
    credential = await bench.client.credentials.create({
      name: bench.name('in the database'),
      type: 'httpHeaderAuth',
      data: { name: 'a', value: 'never-comes-back' },
    });
    address = await databaseWith(own.url, credential.id);
  }, N8N_START_MS);

  afterAll(async () => {
    await bench.client.credentials.delete(credential.id);
    await bench[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  });

  it('are all listed, even if the key may not list them and no workflow uses them', async () => {
    await using key = await limitedKey(n8n, ['workflow:list', 'workflow:read']);
    const few = await openWorkbench(credentialTools, { url: n8n.url, apiKey: key.apiKey }, { database: address });
    const listed = await few.call('n8n_list_credentials', { name: credential.name });
    expect(listed).toMatchObject({ source: 'database', credentials: [{ id: credential.id, name: credential.name }] });
    expect(await few.call('n8n_get_credential', { id: credential.id })).toMatchObject({
      credential: { name: credential.name, type: 'httpHeaderAuth' },
    });
    expect(JSON.stringify(listed)).not.toContain('never-comes-back');
  });

  it('are found by id, without SQL injection', async () => {
    const database = postgresCredentials(address);
    expect(await database.get(credential.id)).toMatchObject({ id: credential.id, name: credential.name });
    expect(await database.get(`x' OR '1'='1`)).toBeUndefined();
  });

  it('fall back to those in workflows if the database fails; the note says why without the password', async () => {
    await using key = await limitedKey(n8n, ['workflow:list', 'workflow:read']);
    const wrong = address.replace(own.password, 'not-the-password');
    const few = await openWorkbench(credentialTools, { url: n8n.url, apiKey: key.apiKey }, { database: wrong });
    const listed = await few.call<{ source: string; note: string }>('n8n_list_credentials');
    expect(listed.source).toBe('workflows');
    expect(listed.note).toContain('refused the user or the password');
    expect(listed.note).not.toContain('not-the-password');
  });

  it.each([
    ['a database without the table', (url: string) => url, /no table credentials_entity/],
    ['another schema', (url: string) => `${url}?schema=elsewhere`, /no table/],
    ['no such database', (url: string) => `${url}_not`, /does not exist/],
    ['nobody there', () => 'postgres://u:p@127.0.0.1:9/n8n', /ECONNREFUSED/],
  ])('say what is wrong with %s', async (_, change, reason) => {
    await expect(postgresCredentials(change(own.url)).list()).rejects.toThrow(reason);
  });

  it('are read in read-only transactions', async () => {
    const statements = await statementsOf(own.url, async (url) => {
      await postgresCredentials(url)
        .list()
        .catch(() => {});
    });
    expect(statements.join('\n')).toContain('READ ONLY');
    expect(statements.join('\n')).toContain('$1');
    expect(statements.join('\n')).not.toMatch(/"data"/);
  });
});

/** The URL of the database that contains this credential. */
async function databaseWith(server: string, credential: string): Promise<string> {
  const names = await query<{ datname: string }>(server, 'SELECT datname FROM pg_database WHERE NOT datistemplate');
  for (const { datname } of names) {
    const url = new URL(server);
    url.pathname = `/${datname}`;
    const found = await query(url.href, 'SELECT 1 FROM credentials_entity WHERE id = $1', [credential]).catch(() => []);
    if (found.length > 0) return url.href;
  }
  throw new Error('No database has it.');
}

async function query<T extends object>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Records the statements that PostgreSQL gets. */
async function statementsOf(url: string, work: (url: string) => Promise<void>): Promise<string[]> {
  const asked: string[] = [];
  const original = Object.getOwnPropertyDescriptor(Client.prototype, 'query') as PropertyDescriptor;
  Object.defineProperty(Client.prototype, 'query', {
    ...original,
    value(this: Client, text: string, ...rest: unknown[]) {
      asked.push(text);
      return (original.value as (...args: unknown[]) => unknown).call(this, text, ...rest);
    },
  });
  try {
    await work(url);
    return asked;
  } finally {
    Object.defineProperty(Client.prototype, 'query', original);
  }
}
