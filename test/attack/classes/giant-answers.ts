import { as, attack, type AttackClass, everyMode, type Oracle, type Scene, type Wire } from '../attack.ts';
import { callBody } from '../blueprint-calls.ts';
import type { GiantName } from '../giant.ts';
import { endOf } from '../gateway-end.ts';
import { watchMemory } from '../memory-use.ts';
import type { ServiceName } from '../stack.ts';
import { graphStage, stackStage } from '../stages.ts';

const MB = 1024 * 1024;
/** Four times what one message of a service may have. */
const MOST_READ_MB = 64;
/** A page of its workflows may have 64 MB, and more is on its way when the connection ends. */
const MOST_READ_OF_N8N_MB = 80;
/** More than a gateway takes while it starts. Whoever keeps the whole answer keeps it more than once. */
const MOST_HELD_MB = 768;

type Watch = ReturnType<typeof watchMemory> & { readonly pid: number; readonly armed: GiantName | undefined };
const watches = new WeakMap<Scene, Watch>();

/** The answer was taken in without a bound. */
const unbounded: Oracle = async (_, scene) => {
  const { pid, armed, before = 0, most } = watches.get(scene) as Watch;
  const end = await endOf(scene, pid);
  if (end !== undefined) return end;
  const taken = scene.services.giant?.taken();
  if (armed !== undefined && taken === undefined) throw new Error(`Nothing asked the service behind ${armed}.`);
  const read = (taken ?? 0) / MB;
  if (read > (armed === 'n8n' ? MOST_READ_OF_N8N_MB : MOST_READ_MB))
    return `it read ${Math.round(read)} MB of one answer`;
  const grown = (most() ?? 0) - before;
  return grown > MOST_HELD_MB ? `it took ${Math.round(grown)} MB more memory` : undefined;
};

const watched = (scene: Scene, armed?: GiantName): void => {
  scene.services.giant?.arm(armed);
  const { pid } = scene.gateway;
  watches.set(scene, { ...watchMemory(pid), pid, armed });
};

const calling = (name: string, tool: string, args: object, needs: readonly ServiceName[] = [], armed?: GiantName) =>
  attack(
    name,
    everyMode,
    (scene) => {
      watched(scene, armed);
      return as(scene, 'admin', callBody(tool, args));
    },
    unbounded,
    needs,
  );

const LONG = 600_000_000;
const statements: readonly [string, string, object][] = [
  ['a value', 'postgres_query', { sql: `select repeat('x', ${LONG}) as x` }],
  ['an error with a value', 'postgres_query', { sql: `select repeat('x', ${LONG})::int` }],
  ['a plan with a value', 'postgres_query', { sql: `explain (verbose) select repeat('x', ${LONG})` }],
  ['a plan', 'postgres_explain_query', { sql: `select repeat('x', ${LONG})` }],
  ['ten million rows', 'postgres_query', { sql: "select repeat('x', 40) from generate_series(1, 10000000)" }],
  ['the name of a column', 'postgres_query', { sql: `select json_build_object('x', repeat('x', ${LONG}))` }],
  ['a value of a parameter', 'postgres_query', { sql: 'select repeat($1, 600000) as x', params: ['x'.repeat(1000)] }],
];

/** A tool of each module that asks the service for something. */
const asking: { readonly [N in Exclude<GiantName, 'neo4j'>]: readonly [string, object?] } = {
  n8n: ['n8n_list_workflows', { instance: 'giant' }],
  redis: ['get_key', { key: 'any' }],
  postgres: ['list_tables'],
  pgvector: ['list_collections'],
  mongodb: ['list_databases'],
  docker: ['list_containers'],
  rabbitmq: ['list_queues'],
  prometheus: ['list_targets'],
  qdrant: ['list_collections'],
  traefik: ['list_routers'],
  vault: ['list_mounts'],
  dify: ['list_apps'],
  openhands: ['list_conversations'],
  openrouter: ['list_models'],
  github: ['list_repositories'],
  uptimekuma: ['list_monitors'],
};

const servers = [1, 20, 100, 640].map((megabytes) =>
  calling(`a server answers with ${megabytes} MB on one line`, 'careless__flood', { bytes: megabytes * MB }),
);

const controls = [
  attack(
    'a client that reads all of it',
    everyMode,
    async (scene): Promise<Wire> => {
      watched(scene, 'prometheus');
      const response = await fetch(`http://127.0.0.1:${scene.services.giant?.ports.prometheus}/`);
      for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>) continue;
      return { method: 'GET', path: '/health' };
    },
    unbounded,
    ['giant'],
  ),
  attack(
    'a gateway that ends',
    everyMode,
    async (scene) => {
      watched(scene);
      await scene.gateway.end('SIGKILL');
      return { method: 'GET', path: '/health' };
    },
    unbounded,
  ),
];

export const giantAnswerClass: AttackClass = {
  name: 'giant-answers',
  title: 'Services and servers whose answers have no end',
  stage: stackStage,
  inOrder: true,
  attacks: [
    ...Object.entries(asking).map(([type, [tool, args = {}]]) =>
      calling(
        `an answer of ${type} without an end`,
        type === 'n8n' ? tool : `giant-${type}_${tool}`,
        args,
        ['giant'],
        type as GiantName,
      ),
    ),
    ...statements.map(([name, tool, args]) => calling(`${name} of 600 MB in PostgreSQL`, tool, args, ['postgres'])),
    ...servers,
  ],
  controls,
};

export const giantGraphClass: AttackClass = {
  name: 'giant-graph',
  title: 'A Neo4j whose answers have no end',
  stage: graphStage,
  inOrder: true,
  attacks: [calling('an answer of neo4j without an end', 'graph_get_stats', {}, ['giant'], 'neo4j')],
  controls,
};
