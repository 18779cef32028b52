import { createOwnSource } from '../kernel/own-source.ts';
import type { Entry, ToolSource } from '../kernel/source.ts';
import type { AnyTool } from '../kernel/tool.ts';
import type { CypherDeps } from './neo4j/tool.ts';
import type { GraphDeps } from './tool.ts';
import { addObservations } from './tools/add-observations.ts';
import { createEntities } from './tools/create-entities.ts';
import { createRelations } from './tools/create-relations.ts';
import { deleteEntities } from './tools/delete-entities.ts';
import { deleteObservations } from './tools/delete-observations.ts';
import { deleteRelations } from './tools/delete-relations.ts';
import { draw } from './tools/draw.ts';
import { end } from './tools/end.ts';
import { findDuplicates } from './tools/find-duplicates.ts';
import { findPath } from './tools/find-path.ts';
import { getEntities } from './tools/get-entities.ts';
import { getNeighbours } from './tools/get-neighbours.ts';
import { getStats } from './tools/get-stats.ts';
import { getSubgraph } from './tools/get-subgraph.ts';
import { mergeEntities } from './tools/merge-entities.ts';
import { search } from './tools/search.ts';
import { updateEntity } from './tools/update-entity.ts';

export const graphTools = [
  search,
  getEntities,
  getNeighbours,
  findPath,
  getSubgraph,
  draw,
  getStats,
  findDuplicates,
  createEntities,
  createRelations,
  addObservations,
  updateEntity,
  end,
  mergeEntities,
  deleteEntities,
  deleteObservations,
  deleteRelations,
];

export interface GraphSource extends ToolSource {
  /** Lists these tools besides, or none of them any more. */
  setCypher(tools: readonly AnyTool<CypherDeps>[] | undefined): void;
}

/** The tools of the graph, and those with Cypher while Neo4j has it. */
export function graphSource(deps: GraphDeps & CypherDeps): GraphSource {
  const listeners = new Set<() => void>();
  const own = createOwnSource<GraphDeps>({
    id: 'graph',
    exposure: 'compact',
    description: 'a knowledge graph: entities, facts about them, relations, paths, drawings',
    guide: () => [
      'Look up people and things: `graph_read {tool: "search", params: {query: "…"}}`. Add them: `graph_call {tool: "create_entities", params: {entities: [{name, type, observations}]}}`.',
    ],
    tools: graphTools,
    deps,
  });
  let cypher: ToolSource | undefined;
  let all: readonly Entry[] | undefined;
  return {
    ...own,
    entries: () => (all ??= [...own.entries(), ...(cypher?.entries() ?? [])]),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setCypher(tools) {
      if ((tools === undefined) === (cypher === undefined)) return;
      cypher = tools && createOwnSource<CypherDeps>({ id: own.id, exposure: own.exposure, tools, deps });
      all = undefined;
      for (const listener of listeners) listener();
    },
  };
}
