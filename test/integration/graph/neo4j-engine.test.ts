import { afterAll, beforeAll, describe } from 'vitest';
import { graphContract } from '../../../src/graph/engine.contract.ts';
import { connectNeo4j } from '../../../src/graph/neo4j/connection.ts';
import { neo4jEngine } from '../../../src/graph/neo4j/engine.ts';
import { neo4jIsMissing, startNeo4j, type TestNeo4j } from '../../support/neo4j.ts';

describe.skipIf(neo4jIsMissing)('the graph in Neo4j', () => {
  let server: TestNeo4j;
  beforeAll(async () => {
    server = await startNeo4j();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const engine = () => neo4jEngine(connectNeo4j(server), (line) => console.warn(line));

  graphContract('neo4j', async () => {
    await server.empty();
    const [one, two] = [engine(), engine()];
    return {
      one,
      two,
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await two[Symbol.asyncDispose]();
      },
    };
  });
});
