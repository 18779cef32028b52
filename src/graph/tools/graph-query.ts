import { z } from 'zod';
import { cypherInput, cypherTool, paramsInput, rowsOutput, timeoutInput } from '../neo4j/tool.ts';

const SHOWN = 100;
const MOST = 1000;

export const graphQuery = cypherTool({
  name: 'graph_query',
  title: 'Query the graph with Cypher',
  description:
    'Runs a Cypher statement that only reads in Neo4j, in a read transaction. graph_get_schema shows labels and types. Entities of the graph have the label Entity.',
  effect: 'read',
  phrases:
    'run a cypher query; query neo4j; match nodes in neo4j; ask the graph database with cypher; count nodes by label; which nodes are connected by a relationship; read nodes and relationships from neo4j; custom graph query; cypher select; find a pattern in the graph database',
  input: z.strictObject({
    cypher: cypherInput.describe('MATCH (p:Entity {name: $name})-[r]->(m) RETURN type(r), m.name LIMIT 20'),
    params: paramsInput,
    limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many rows'),
    timeout: timeoutInput,
  }),
  output: z.looseObject(rowsOutput),
  examples: [
    {
      title: 'What somebody is connected with',
      arguments: {
        cypher: 'MATCH (p:Entity {name: $name})-[r]->(m) RETURN type(r) AS relation, m.name AS name',
        params: { name: 'Ada' },
      },
    },
  ],
  async run({ cypher, params, limit, timeout }, { neo4j }, { signal }) {
    const [{ requireReading }, { shownRows }] = await Promise.all([
      import('../neo4j/allowed.ts'),
      import('../neo4j/shown-rows.ts'),
    ]);
    requireReading(cypher);
    const connection = await neo4j();
    return await connection.read(async (run) => shownRows(await run(cypher, params, limit)), {
      timeoutMs: timeout * 1000,
      signal,
    });
  },
});
