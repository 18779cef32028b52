import { yieldingSource } from '../host/config/claims.ts';
import type { Fill } from '../host/config/fill.ts';
import { isTree, type Tree } from '../host/config/tree.ts';
import { type Env, part } from '../host/part.ts';
import { graphMigrations } from './migrations.ts';
import type { GraphApi } from './open.ts';
import { graphSettings } from './settings.ts';

/** The knowledge graph: entities, what was observed about them, and how they are related. */
export const graphPart = part<GraphApi, typeof graphSettings>({
  settings: graphSettings,
  migrations: graphMigrations,
  secretVariables: ({ graph }) => (isTree(graph) && graph.neo4j !== undefined ? ['NEO4J_PASSWORD'] : []),
  environment: (file, { env }) => neo4jFills(file, env),
  claims: ({ graph }) => (graph === false ? [] : [yieldingSource('graph')]),
  pages: [
    {
      path: 'graph',
      title: 'Graph',
      scope: 'graph:read',
      source: 'graph',
      module: 'graph/pages/graph.tsx',
      order: 75,
      key: 'h',
      kinds: ['graph'],
    },
  ],
  async tools() {
    const [{ graphTools }, { cypherTools }] = await Promise.all([import('./tools.ts'), import('./neo4j/own-tools.ts')]);
    return [...graphTools, ...cypherTools];
  },
  open: async (host) => await (await import('./open.ts')).openGraph(host),
});

/** Variables complete a Neo4j that the file names, but switch none on. */
function neo4jFills({ graph }: Tree, env: Env): Fill[] {
  if (!isTree(graph) || !isTree(graph.neo4j)) return [];
  const variables = [
    ['NEO4J_URL', 'url'],
    ['NEO4J_USERNAME', 'username'],
    ['NEO4J_PASSWORD', 'password'],
  ] as const;
  return variables.flatMap(([variable, key]) =>
    env[variable] ? [{ variable, path: ['graph', 'neo4j', key], value: env[variable] }] : [],
  );
}
