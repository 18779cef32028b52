import { z } from 'zod';
import type { GraphEngine, Neighbourhood } from '../engine.ts';
import { asOf, asOfInput, graphTool, namesInput, typesInput } from '../tool.ts';
import { orCalled, orOne } from './other-names.ts';

const SHOWN = 30;
const MOST = 60;
const FOUND = 5;
/** A drawing is in the reply twice, as data and as text. */
const LONGEST = 3300;

export const draw = graphTool({
  name: 'graph_draw',
  title: 'Draw the graph',
  description:
    'Draws a part of the knowledge graph as a Mermaid flowchart: around names, around what a query finds, or the first entities. Put the text into a mermaid code block.',
  effect: 'read',
  phrases:
    'draw the graph; show me a picture of the connections; mermaid diagram of the knowledge graph; visualise entities; diagram of who knows whom; plot the relations; chart of a part of the graph; flowchart of these entities; graph as an image',
  input: orCalled(
    { entityNames: 'names', name: 'names', max_depth: 'depth' },
    z.strictObject({
      names: orOne(namesInput(MOST)).optional().describe('Draw around these'),
      query: z.string().max(1000).optional().describe('Draw around what these words find'),
      depth: z.int().min(0).max(5).default(1).describe('How many relations away, 0 to 5'),
      types: typesInput,
      limit: z.int().min(1).max(MOST).default(SHOWN).describe('At most this many entities'),
      as_of: asOfInput,
    }),
  ),
  output: z.looseObject({
    mermaid: z.string(),
    entities: z.number().describe('How many are drawn'),
    relations: z.number().describe('How many are drawn'),
    truncated: z.string().optional().describe('What was left out'),
  }),
  examples: [{ title: 'Around one entity', arguments: { names: ['Ada Lovelace'], depth: 2 } }],
  async run({ names, query, depth, types, limit, as_of }, deps) {
    const graph = await deps.graph();
    const at = asOf(as_of);
    const { starts, more } = names ? { starts: names, more: false } : await startsOf(graph, query, at, limit);
    const near = await graph.subgraph(starts, {
      depth: names || query !== undefined ? depth : 0,
      limit,
      asOf: at,
      ...(types && { types }),
    });
    return await drawn({ ...near, truncated: near.truncated || more }, limit, limit > SHOWN ? Infinity : LONGEST);
  },
});

async function startsOf(graph: GraphEngine, query: string | undefined, at: string, limit: number) {
  if (query !== undefined) {
    const { asked } = await import('../graph.ts');
    const hits = await graph.search({ ...asked(query), limit: FOUND, skip: 0, asOf: at });
    return { starts: hits.map(({ name }) => name), more: false };
  }
  const { items, next } = await graph.heads({ asOf: at, limit });
  return { starts: items.map(({ name }) => name), more: next !== undefined };
}

/** The nearest entities that fit. */
async function drawn({ entities, relations, truncated }: Neighbourhood, limit: number, longest: number) {
  const { flowchart } = await import('../mermaid.ts');
  for (let count = Math.min(entities.length, limit); ; count--) {
    const some = entities.slice(0, count);
    const there = new Set(some.map(({ name }) => name));
    const lines = relations.filter(({ from, to }) => there.has(from) && there.has(to));
    const mermaid = flowchart(some, lines);
    if (Buffer.byteLength(mermaid) > longest && count > 1) continue;
    const [left, leftLines] = [entities.length - count, relations.length - lines.length];
    return {
      mermaid,
      entities: count,
      relations: lines.length,
      ...((truncated || left > 0 || leftLines > 0) && {
        truncated: `${truncated ? 'There is more than the limit. ' : ''}${left} entities and ${leftLines} relations that were found are not drawn. Use fewer names, a smaller depth, types, or limit up to ${MOST}.`,
      }),
    };
  }
}
