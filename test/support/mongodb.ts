/**
 * A MongoDB for tests. None can be installed from npm or Debian, so a stand-in answers: test/support/mongodb has its
 * wire protocol, its commands and what each of them accepts. TEST_MONGODB_URL names a real server instead, whose user
 * may create and drop databases:
 *
 *   TEST_MONGODB_URL=mongodb://user:password@host:27017 npx vitest run test/integration/modules/mongodb.test.ts
 */
import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { type MongoServer, startServer } from './mongodb/server.ts';

export const realUrl = process.env.TEST_MONGODB_URL;

export interface TestMongo extends AsyncDisposable {
  readonly url: string;
  /** A database for this test alone; more begin with its name. */
  readonly database: string;
  /** The driver's own client, to prepare and to look. */
  readonly client: MongoClient;
  /** What only the stand-in can do. Throws for a real server: skip those tests with `realUrl`. */
  readonly server: MongoServer;
}

const USER = { name: 'tester', password: 'p@ss/w:rd' };

/** A server with a user. Databases of the test are dropped at its end. */
export async function startMongo(): Promise<TestMongo> {
  await using stack = new AsyncDisposableStack();
  const server = realUrl === undefined ? stack.use(await startServer({ user: USER })) : undefined;
  const url =
    realUrl ??
    `mongodb://${encodeURIComponent(USER.name)}:${encodeURIComponent(USER.password)}@127.0.0.1:${server?.port}/?authSource=admin`;
  const database = `sluice_${randomBytes(6).toString('hex')}`;
  const client = stack.adopt(new MongoClient(url, { serverSelectionTimeoutMS: 5000 }), (open) => open.close());
  stack.defer(async () => {
    if (!realUrl) return;
    const { databases } = await client.db('admin').admin().listDatabases();
    for (const { name } of databases) if (name.startsWith(database)) await client.db(name).dropDatabase();
  });
  const owned = stack.move();
  return {
    url,
    database,
    client,
    get server() {
      if (server) return server;
      throw new Error('A real server is in use. Skip this test with realUrl.');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
