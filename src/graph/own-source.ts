import { createListedSource } from '../kernel/listed-source.ts';
import { listing } from '../kernel/listed-tool.ts';
import { createOwnSource } from '../kernel/own-source.ts';
import type { Entry, ToolSource } from '../kernel/source.ts';
import type { AnyTool } from '../kernel/tool.ts';
import type { CypherDeps } from './neo4j/tool.ts';
import type { GraphDeps } from './tool.ts';
import * as listed from './listed.json' with { type: 'json' };

export interface GraphSource extends ToolSource {
  /** Lists these tools besides, or none of them any more. */
  setCypher(tools: readonly AnyTool<CypherDeps>[] | undefined): void;
}

/** The tools of the graph, and those with Cypher while Neo4j has it. */
export function graphSource(deps: GraphDeps & CypherDeps): GraphSource {
  const listeners = new Set<() => void>();
  const own = createListedSource<GraphDeps>({
    id: 'graph',
    exposure: 'compact',
    description: 'a knowledge graph: entities, facts about them, relations, paths, drawings',
    guide: () => [
      'Look up people and things: `graph_read {tool: "search", params: {query: "…"}}`. Add them: `graph_call {tool: "create_entities", params: {entities: [{name, type, observations}]}}`.',
    ],
    listed: listing(listed),
    load: async () => (await import('./tools.ts')).graphTools,
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
