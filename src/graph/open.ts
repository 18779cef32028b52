import { type Check, partCheck } from '../host/check.ts';
import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import { AppError, messageOf } from '../kernel/errors.ts';
import { byFirstUse } from '../kernel/first-use.ts';
import type { Health } from '../kernel/health.ts';
import { refuseSecrets } from '../kernel/no-secrets.ts';
import { createQuota } from '../kernel/quota.ts';
import type { GraphEngine } from './engine.ts';
import type { Neo4j } from './neo4j/connection.ts';
import { graphSource } from './own-source.ts';
import { graphRoutes } from './routes/routes.ts';
import type { GraphHost, GraphSection } from './settings.ts';

export interface GraphApi {
  /** The graph, with its rules. It is opened on first use. */
  open(): Promise<GraphEngine>;
}

interface Opened extends AsyncDisposable {
  readonly settings: string;
  readonly graph: GraphEngine;
  /** Where the graph is, if it is not in the store. */
  readonly neo4j?: Neo4j;
}

/** Nobody calls the tools of a graph that is switched off. */
const unused: GraphSection = { quota: 1 };

/** The graph. Its code is loaded, and its engine opened, by the first call. */
export async function openGraph(host: GraphHost): Promise<OpenPart<GraphApi>> {
  const isOff = () => host.settings().graph === false;
  const section = (): GraphSection => host.settings().graph || unused;
  const refuse = refuseSecrets('The graph', host.holdsRevealed);
  let noted: Health['lastError'];

  async function load(): Promise<Opened> {
    const settings = section();
    const [{ ruled }, { graph, ...rest }] = await Promise.all([import('./graph.ts'), openEngine(settings)]);
    return {
      settings: JSON.stringify(settings),
      graph: ruled(graph, refuse),
      ...rest,
      [Symbol.asyncDispose]: () => graph[Symbol.asyncDispose](),
    };
  }

  async function openEngine({ neo4j }: GraphSection): Promise<Pick<Opened, 'graph' | 'neo4j'>> {
    if (!neo4j) return { graph: (await import('./sql/engine.ts')).sqlEngine(host.store.apart) };
    const [{ connectNeo4j }, { neo4jEngine }] = await Promise.all([
      import('./neo4j/connection.ts'),
      import('./neo4j/engine.ts'),
    ]);
    const connection = connectNeo4j(neo4j);
    return { graph: neo4jEngine(connection, note), neo4j: connection };
  }

  /** Something that an administrator of Neo4j should do; the graph works without. */
  function note(message: string): void {
    noted = { message, at: new Date().toISOString() };
    host.log?.write('warn', message);
  }

  const { open, peek, settled, close } = byFirstUse(load);

  async function connection(): Promise<Neo4j> {
    const { neo4j } = await open();
    if (neo4j) return neo4j;
    throw new AppError(
      'unsupported',
      'The graph is in the store, which has no Cypher. Set graph.neo4j in sluice.yaml.',
    );
  }

  function health(): readonly Health[] {
    const trouble = peek()?.neo4j?.trouble();
    const about = { name: 'graph', kind: 'graph' } as const;
    if (trouble) return [{ ...about, state: 'failing', lastError: trouble }];
    return noted ? [{ ...about, state: 'degraded', lastError: noted }] : [];
  }

  async function check(signal: AbortSignal): Promise<readonly Check[]> {
    if (isOff() || !section().neo4j) return [];
    try {
      const neo4j = await connection();
      await neo4j.read((run) => run('RETURN 1'), { signal });
      const troubles = health().flatMap((one) => partCheck(one, Date.now()));
      return troubles.length > 0
        ? troubles
        : [{ check: 'graph', result: 'ok', detail: `Neo4j at ${neo4j.where} answers` }];
    } catch (error) {
      return [{ check: 'graph', result: 'failed', detail: messageOf(error) }];
    }
  }

  const quota = createQuota({
    what: 'the graph',
    setting: 'graph.quota',
    remedy: 'Delete some with graph_delete_entities or graph_delete_observations',
    limit: () => section().quota,
    stored: async (principal) => (await (await open()).graph.stored?.(principal)) ?? 0,
  });
  const source = graphSource({ graph: async () => (await open()).graph, quota, neo4j: connection, refuse });
  const own = yielding(source, host.all.claims, isOff);
  const listCypher = async () =>
    source.setCypher(section().neo4j && (await import('./neo4j/own-tools.ts')).cypherTools);
  await listCypher();
  return {
    api: { open: async () => (await open()).graph },
    sources: [own.source],
    routes: graphRoutes({ open: async () => (await open()).graph, source: own.source }),
    absent: own.absent,
    health,
    check,
    async reload() {
      const opened = await settled();
      if (opened && opened.settings !== JSON.stringify(section())) {
        noted = undefined;
        await close();
      }
      await listCypher();
      own.reload();
    },
    [Symbol.asyncDispose]: close,
  };
}
