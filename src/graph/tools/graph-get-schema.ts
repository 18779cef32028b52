import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cypherTool } from '../neo4j/tool.ts';

const TIMEOUT_MS = 30_000;

export const graphGetSchema = cypherTool({
  name: 'graph_get_schema',
  title: 'Schema of the graph database',
  description:
    'Shows what is in Neo4j: labels and relationship types with counts and property types (from a sample), constraints and indexes. Call it before graph_query.',
  effect: 'read',
  phrases:
    'schema of neo4j; which labels are there; which relationship types exist; what properties do nodes have; structure of the graph database; describe the graph schema; indexes and constraints in neo4j; how many nodes per label; what can i query in the graph',
  input: z.strictObject({
    label: z.string().optional().describe('Only this label or relationship type'),
  }),
  output: z.looseObject({
    labels: z.array(z.record(z.string(), z.unknown())).describe('label, count, properties by type'),
    relationships: z.array(z.record(z.string(), z.unknown())).describe('type, count, from, to, properties'),
    constraints: z.array(z.record(z.string(), z.unknown())),
    indexes: z.array(z.record(z.string(), z.unknown())),
    truncated: z.string().optional(),
  }),
  examples: [{ title: 'Everything', arguments: {} }],
  async run({ label }, { neo4j }, { signal }) {
    const [connection, { readSchema }] = await Promise.all([neo4j(), import('../neo4j/schema-summary.ts')]);
    const { more, ...schema } = await connection.read((run) => readSchema(run, label), {
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    const lists = Object.entries(schema).flatMap(([list, items]) => items.map((item) => ({ list, item })));
    const shown = lists.slice(0, fittingItems(lists));
    const of = (list: keyof typeof schema) => shown.filter((one) => one.list === list).map(({ item }) => item);
    return {
      labels: of('labels'),
      relationships: of('relationships'),
      constraints: of('constraints'),
      indexes: of('indexes'),
      ...((more || shown.length < lists.length) && {
        truncated: `${lists.length - shown.length + more} more are not shown. Ask for one with label.`,
      }),
    };
  },
});
