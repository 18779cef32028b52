import type { Json } from '../../src/kernel/source.ts';

import type { GiantName } from './giant.ts';
import type { ServiceName, Services } from './stack.ts';

/** What a class needs around the gateway. A gateway is started once for each stage and mode. */
export interface Stage {
  readonly name: string;
  /** Those that this run cannot have are left out, and so are the attacks that need them. */
  readonly services: readonly ServiceName[];
  /** How many gateways share a store. */
  readonly replicas: 1 | 2;
  readonly env: Readonly<Record<string, string>>;
  /** What it adds to the configuration of every gateway. */
  config(services: Partial<Services>): Json;
}

const stage = (name: string, more: Partial<Stage> = {}): Stage => ({
  name,
  services: [],
  replicas: 1,
  env: {},
  config: () => ({}),
  ...more,
});

/** Honest and hostile MCP servers, and everything that Sluice has by default. */
export const plain = stage('plain');

/** The services of a self-hosted stack behind one gateway. */
export const stackStage = stage('stack', {
  services: ['postgres', 'redis', 'mongodb', 'rabbitmq', 'docker', 'n8n', 'giant'],
  config: ({ postgres, redis, mongodb, rabbitmq, docker, n8n, giant }) => ({
    modules: {
      ...(postgres && {
        postgres: { url: postgres.url, timeout: '20s' },
        // The same server for those who may see one schema only.
        limited: { type: 'postgres', url: postgres.url, schemas: ['public'], timeout: '20s' },
      }),
      ...(redis && { redis: { url: redis.url, mode: 'read-write' } }),
      ...(mongodb && { mongodb: { url: mongodb.url, database: mongodb.database, mode: 'read-write' } }),
      ...(rabbitmq && { rabbitmq: { url: rabbitmq.url, managementUrl: rabbitmq.managementUrl, mode: 'read-write' } }),
      ...(docker && {
        docker: {
          url: docker.url,
          mode: 'read-write',
          containers: ['*'],
          images: ['*'],
          mounts: [`${docker.folder}/shared`],
        },
      }),
      ...(giant && giants(giant)),
    },
    n8n: {
      ...(n8n && { default: { url: n8n.url, apiKey: 'a key of the stand-in' } }),
      ...(giant && { giant: { url: `http://127.0.0.1:${giant.ports.n8n}`, apiKey: 'any' } }),
    },
  }),
});

/** Each driver, and each module that asks over HTTP, in front of a service whose answers have no end. */
function giants({ ports }: Services['giant']): Json {
  const http = (name: GiantName) => `http://127.0.0.1:${ports[name]}`;
  const sections: Readonly<Partial<Record<GiantName, Json>>> = {
    redis: { url: `redis://127.0.0.1:${ports.redis}` },
    postgres: { url: `postgres://any:any@127.0.0.1:${ports.postgres}/any` },
    pgvector: { url: `postgres://any:any@127.0.0.1:${ports.pgvector}/any` },
    mongodb: { url: `mongodb://127.0.0.1:${ports.mongodb}/any` },
    docker: { url: `tcp://127.0.0.1:${ports.docker}` },
    rabbitmq: { managementUrl: `http://guest:guest@127.0.0.1:${ports.rabbitmq}` },
    prometheus: { url: http('prometheus') },
    qdrant: { url: http('qdrant') },
    traefik: { url: http('traefik') },
    vault: { url: http('vault'), token: 'any' },
    dify: { url: http('dify'), apiKey: 'any' },
    openhands: { url: http('openhands'), apiKey: 'any' },
    openrouter: { url: http('openrouter'), apiKey: 'any' },
    github: { url: http('github'), token: 'any' },
    uptimekuma: { url: http('uptimekuma'), username: 'any', password: 'any' },
  };
  return Object.fromEntries(
    Object.entries(sections).map(([type, section]) => [`giant-${type}`, { type, ...section, timeout: '10s' }]),
  );
}

/** A graph in a Neo4j whose answers have no end. */
export const graphStage = stage('graph', {
  services: ['giant'],
  config: ({ giant }) => ({
    ...(giant && { graph: { neo4j: { url: `bolt://127.0.0.1:${giant.ports.neo4j}`, password: 'any' } } }),
  }),
});

/**
 * Two gateways with one PostgreSQL. The user of the module `postgres` may do what the store's own role may, and that of `apart`
 * has no rights on the store.
 */
export const replicaStage = stage('replicas', {
  services: ['postgres'],
  replicas: 2,
  env: { SLUICE_SECRET_KEY: 'the same text of more than thirty-two characters' },
  config: ({ postgres }) => ({
    ...(postgres && {
      store: postgres.url,
      modules: {
        postgres: { url: postgres.url, mode: 'read-write', timeout: '20s' },
        apart: { type: 'postgres', url: postgres.apart.url, mode: 'read-write', timeout: '20s' },
      },
    }),
  }),
});

/** A gateway with as little memory as a small container gives it. */
export const smallStage = stage('small', { env: { NODE_OPTIONS: '--max-old-space-size=400' } });

/** A gateway whose data directory is filled: nothing else is measured there. */
export const filledStage = stage('filled', { config: () => ({ memory: { quota: 32 }, graph: { quota: 16 } }) });
