import { z } from 'zod';
import { someOf } from '../../kernel/some-of.ts';
import { cypherInput, cypherTool, paramsInput, rowsOutput, timeoutInput } from '../neo4j/tool.ts';
import { authorOf } from '../tool.ts';

const MOST = 100;

export const graphWrite = cypherTool({
  name: 'graph_write',
  title: 'Write to the graph with Cypher',
  description:
    'Runs a Cypher statement that writes in Neo4j, in one transaction, and counts the changes. What deletes is tried first and must be confirmed. For entities prefer graph_create_entities and its siblings.',
  effect: 'delete',
  phrases:
    'write to neo4j; create nodes with cypher; update properties in neo4j; delete nodes in the graph database; merge nodes with cypher; set a property on many nodes; create an index in neo4j; run a cypher write statement; detach delete nodes; change relationships with cypher',
  input: z.strictObject({
    cypher: cypherInput.describe('MATCH (p:Person) WHERE p.age > $age SET p.senior = true'),
    params: paramsInput,
    timeout: timeoutInput,
  }),
  output: z.looseObject({
    counters: z.record(z.string(), z.number()).describe('What changed, e.g. nodes_created'),
    ...rowsOutput,
  }),
  examples: [
    {
      title: 'Mark nodes',
      arguments: { cypher: 'MATCH (p:Person) WHERE p.age > $age SET p.senior = true', params: { age: 65 } },
    },
  ],
  async preview({ cypher, params, timeout }, { neo4j }, { signal }) {
    const [{ deletionIn }, { deletionsIn }] = await Promise.all([
      import('../neo4j/allowed.ts'),
      import('../neo4j/counters.ts'),
    ]);
    const { deletes, unforeseeable } = deletionIn(cypher);
    // A rehearsal would run what it calls, and not everything can be undone.
    if (unforeseeable.length > 0) return `It uses ${someOf(unforeseeable)}, whose effects cannot be foreseen.`;
    if (!deletes) return undefined;
    const connection = await neo4j();
    const { summary } = await connection.write((run) => run(cypher, params, 0), {
      timeoutMs: timeout * 1000,
      signal,
      rehearsal: true,
    });
    return deletionsIn(summary);
  },
  async run({ cypher, params, timeout }, { neo4j, refuse }, context) {
    refuse({ cypher, params });
    const [{ adopt }, { changesIn }, { shownRows }] = await Promise.all([
      import('../neo4j/adopting.ts'),
      import('../neo4j/counters.ts'),
      import('../neo4j/shown-rows.ts'),
    ]);
    const connection = await neo4j();
    return await connection.write(
      async (run) => {
        const answer = await run(cypher, params, MOST);
        const counters = changesIn(answer.summary);
        if (counters.has('nodes_created') || counters.has('labels_added')) await adopt(run, authorOf(context));
        return { counters: Object.fromEntries(counters), ...shownRows(answer) };
      },
      { timeoutMs: timeout * 1000, signal: context.signal },
    );
  },
});
