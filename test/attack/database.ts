import { Client } from 'pg';
import { createDatabase, type TestDatabase, urlOf } from '../support/postgres.ts';

/** A database with two users: its administrator, and one who has rights on the schema `public` only. */
export interface AttackedDatabase extends TestDatabase {
  readonly apart: { readonly role: string; readonly url: string };
}

const PASSWORD = 'a-password';

export async function startDatabase(): Promise<AttackedDatabase> {
  await using stack = new AsyncDisposableStack();
  const role = `apart_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const database = await createDatabase();
  stack.defer(async () => {
    await database[Symbol.asyncDispose]();
    // A role can be dropped once nothing in any database belongs to it.
    await administrated(urlOf(database, 'postgres'), (client) => client.query(`drop role if exists ${role}`));
  });
  await administrated(database.url, (client) =>
    client.query(`create role ${role} login password '${PASSWORD}'; grant usage, create on schema public to ${role}`),
  );
  const owned = stack.move();
  return {
    ...database,
    apart: { role, url: urlOf({ ...database, user: role, password: PASSWORD }, database.database) },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** As the administrator, past the gateway. */
export async function administrated<T>(url: string | undefined, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
