/**
 * A Neo4j for tests. A real one cannot be installed with npm or Debian's packages, so FalkorDB, another database with
 * openCypher, stands in behind Bolt: see test/fixtures/bolt. SLUICE_TEST_NEO4J=neo4j://user:password@host:7687 names a
 * real server to use instead. The tests delete everything in it.
 */
import neo4j from 'neo4j-driver';
import { falkorGraph, type Troubles } from '../fixtures/bolt/falkor-graph.ts';
import { type BoltServer, serveBolt } from '../fixtures/bolt/server.ts';
import { falkorIsMissing, startFalkor } from './falkordb.ts';

const given = process.env.SLUICE_TEST_NEO4J;

/** For `describe.skipIf`: why there is none. */
export const neo4jIsMissing: string | undefined = given ? undefined : falkorIsMissing();
/** For tests that make the server fail in ways that a real one cannot be told to. */
export const isRealNeo4j: boolean = given !== undefined;

export interface TestNeo4j extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly url: string;
  readonly troubles: Troubles;
  /** Deletes everything. */
  empty(): Promise<void>;
  /** Ends all connections and stops listening; only the stand-in. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startNeo4j(): Promise<TestNeo4j> {
  return given ? realServer(given) : await standIn();
}

function realServer(address: string): TestNeo4j {
  const { protocol, hostname, port, username, password } = new URL(address);
  const [user, secret] = [username, password].map(decodeURIComponent) as [string, string];
  const url = `${protocol}//${hostname}:${port || '7687'}`;
  const cannot = async () => {
    throw new Error('A real server cannot be stopped from here.');
  };
  return {
    host: hostname,
    port: Number(port || 7687),
    username: user,
    password: secret,
    url,
    troubles: {},
    async empty() {
      const driver = neo4j.driver(url, neo4j.auth.basic(user, secret));
      try {
        await driver.executeQuery('MATCH (n) DETACH DELETE n');
      } finally {
        await driver.close();
      }
    },
    stop: cannot,
    start: cannot,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function standIn(): Promise<TestNeo4j> {
  const falkor = await startFalkor();
  const [user, password] = ['neo4j', 'a very secret word'];
  const troubles: Troubles = {};
  const graph = falkorGraph(falkor.client, troubles);
  await graph.empty();
  const serve = (port?: number) =>
    serveBolt({ graph, ...(port && { port }), allows: (who, secret) => who === user && secret === password });
  let server: BoltServer = await serve();
  const { port } = server;
  return {
    host: '127.0.0.1',
    port,
    username: user,
    password,
    url: `bolt://127.0.0.1:${port}`,
    troubles,
    empty: graph.empty,
    stop: async () => await server[Symbol.asyncDispose](),
    async start() {
      server = await serve(port);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await falkor[Symbol.asyncDispose]();
    },
  };
}
