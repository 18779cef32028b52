import type { Json } from '../integration/harness.ts';

/** A section for every module that is built in. Nothing listens there. */
export const everyModule: Readonly<Record<string, Json>> = {
  redis: { url: 'redis://127.0.0.1:9', mode: 'read-write' },
  postgres: { url: 'postgres://nobody:nothing@127.0.0.1:9/none', mode: 'read-write' },
  pgvector: { url: 'postgres://nobody:nothing@127.0.0.1:9/none', mode: 'read-write' },
  qdrant: { url: 'http://127.0.0.1:9', mode: 'read-write' },
  mongodb: { url: 'mongodb://127.0.0.1:9', mode: 'read-write' },
  rabbitmq: { url: 'amqp://127.0.0.1:9', managementUrl: 'http://127.0.0.1:9', mode: 'read-write' },
  docker: { url: 'tcp://127.0.0.1:9', mode: 'read-write', containers: ['*'] },
  prometheus: { url: 'http://127.0.0.1:9', mode: 'read-write' },
  traefik: { url: 'http://127.0.0.1:9', mode: 'read-write' },
  uptimekuma: { url: 'http://127.0.0.1:9', mode: 'read-write', monitors: ['*'] },
  vault: { url: 'http://127.0.0.1:9', token: 'nothing', mode: 'read-write', paths: ['*'] },
  github: { url: 'http://127.0.0.1:9', mode: 'read-write', repositories: ['acme/*'] },
  openrouter: { url: 'http://127.0.0.1:9', mode: 'read-write', models: ['*'] },
  dify: { url: 'http://127.0.0.1:9', apiKey: 'app-nothing', datasetKey: 'dataset-nothing', mode: 'read-write' },
  openhands: { url: 'http://127.0.0.1:9', apiKey: 'nothing', mode: 'read-write' },
};
