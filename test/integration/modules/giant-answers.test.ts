import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { known } from '../../../src/modules/known.ts';
import { isMissing } from '../../support/daemon.ts';
import { type Giant, giantLineTo } from '../../support/giant-line.ts';
import { moduleClient } from '../../support/module-client.ts';
import { startServer as startMongo } from '../../support/mongodb/server.ts';
import { ownRedis, REDIS } from '../../support/own-redis.ts';
import { testKuma } from '../../support/uptimekuma.ts';
import type { Json } from '../harness.ts';

const MB = 1024 * 1024;
/** What may be under way on the sockets of both sides when a connection is closed. */
const UNDER_WAY = 12 * MB;
const filler = Buffer.alloc(64 * 1024, 'a');

interface Service extends AsyncDisposable {
  readonly port: number;
}

interface Entry {
  /** A service that answers the call properly. */
  serve(): Promise<Service>;
  /** The section of the module, with the service at this port. */
  section(port: number): Json;
  readonly tool: string;
  readonly params?: Json;
  readonly giant: Giant;
  readonly skip?: boolean;
}

const http = (answers: Readonly<Record<string, unknown>>) => async (): Promise<Service> => {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    response.setHeader('api-version', '1.41').setHeader('server', 'Docker/27.0.0 (linux)');
    response.statusCode = path in answers ? 200 : 404;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** An answer of HTTP whose JSON is a text without an end. */
const endlessText: Giant = {
  begin: () => Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"'),
  repeat: filler,
};

const byHttp = (entry: Omit<Entry, 'serve' | 'giant' | 'section'> & { answers: Json; section?: Json }): Entry => ({
  ...entry,
  serve: http(entry.answers),
  section: (port) => ({ url: `http://127.0.0.1:${port}`, ...entry.section }),
  giant: endlessText,
});

const redis = { serve: () => ownRedis(), skip: isMissing(REDIS) !== undefined, tool: 'redis_scan_keys' };
const redisAt = (port: number) => ({ url: `redis://127.0.0.1:${port}` });
const claiming = (text: string): Giant => ({ begin: () => Buffer.from(text), repeat: filler });

const mongo = {
  serve: () => startMongo(),
  section: (port: number) => ({ url: `mongodb://127.0.0.1:${port}/shop` }),
  tool: 'mongodb_find',
  params: { collection: 'orders' },
};

/** The header of an answer to the same question. The monitors of the driver ask for themselves. */
const mongoAnswer = (length: number, operation: number): Giant => ({
  replaces: (answer) => answer.includes('firstBatch'),
  begin(answer) {
    const header = Buffer.from(answer.subarray(0, 16));
    header.writeInt32LE(length, 0);
    header.writeInt32LE(operation, 12);
    return header;
  },
  repeat: filler,
});

/** Every module that is built in, with the answers that its protocol could make too long. */
const entries: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  redis: {
    'a text that claims 2 GB': { ...redis, section: redisAt, giant: claiming('$2000000000\r\n') },
    'a list that claims 30 million elements': { ...redis, section: redisAt, giant: claiming('*30000000\r\n') },
    'lists in lists': { ...redis, section: redisAt, giant: claiming('*3000000\r\n'.repeat(1000)) },
    'a line without an end': { ...redis, section: redisAt, giant: claiming('+') },
  },
  mongodb: {
    'a message that claims 1 GB': { ...mongo, giant: mongoAnswer(1_000_000_000, 2013) },
    'a compressed message': { ...mongo, giant: mongoAnswer(1_000_000, 2012) },
  },
  uptimekuma: {
    'a WebSocket message of 4 GB': {
      async serve() {
        const kuma = await testKuma({});
        return {
          port: Number(new URL(kuma.section.url).port),
          [Symbol.asyncDispose]: () => kuma[Symbol.asyncDispose](),
        };
      },
      section: (port) => ({ url: `http://127.0.0.1:${port}`, username: 'admin', password: 'pa55-word!' }),
      tool: 'uptimekuma_list_tags',
      giant: { begin: () => Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]), repeat: filler },
    },
  },
  qdrant: {
    'an endless body': byHttp({
      tool: 'qdrant_list_collections',
      answers: { '/collections': { result: { collections: [] } }, '/aliases': { result: { aliases: [] } } },
    }),
  },
  rabbitmq: {
    'an endless body': {
      ...byHttp({ tool: 'rabbitmq_list_vhosts', answers: { '/api/vhosts': [] } }),
      section: (port) => ({ url: 'amqp://guest:guest@127.0.0.1', managementUrl: `http://127.0.0.1:${port}` }),
    },
  },
  docker: {
    'an endless body': byHttp({
      tool: 'docker_list_containers',
      answers: { '/_ping': 'OK', '/v1.41/containers/json': [] },
    }),
  },
  prometheus: {
    'an endless body': byHttp({
      tool: 'prometheus_list_labels',
      answers: { '/api/v1/labels': { status: 'success', data: [] } },
    }),
  },
  traefik: {
    'an endless body': byHttp({ tool: 'traefik_list_entrypoints', answers: { '/api/entrypoints': [] } }),
  },
  vault: {
    'an endless body': byHttp({
      tool: 'vault_list_mounts',
      answers: { '/v1/sys/internal/ui/mounts': { data: { secret: {} } } },
      section: { token: 'nothing' },
    }),
  },
  github: {
    'an endless body': byHttp({
      tool: 'github_list_branches',
      params: { repo: 'acme/shop' },
      answers: { '/api/v3/repos/acme/shop/branches': [] },
      section: { token: 'nothing' },
    }),
  },
  openrouter: {
    'an endless body': byHttp({
      tool: 'openrouter_list_providers',
      answers: { '/providers': { data: [] } },
      section: { apiKey: 'nothing' },
    }),
  },
  dify: {
    'an endless body': byHttp({
      tool: 'dify_list_datasets',
      answers: { '/v1/datasets': { data: [], has_more: false } },
      section: { apiKey: 'app-nothing', datasetKey: 'dataset-nothing' },
    }),
  },
  openhands: {
    'an endless body': byHttp({
      tool: 'openhands_list_conversations',
      answers: { '/api/v1/app-conversations/search': { items: [] } },
      section: { apiKey: 'nothing' },
    }),
  },
};

/** The driver of PostgreSQL has a suite of its own. */
const elsewhere = new Set(['postgres', 'pgvector']);

test('every module is here', () => {
  expect([...Object.keys(entries), ...elsewhere].toSorted()).toEqual([...known.keys()].toSorted());
});

const cases = Object.entries(entries).flatMap(([module, answers]) =>
  Object.entries(answers).map(([what, entry]) => [module, what, entry] as const),
);

describe.each(cases)('%s: %s', (module, _, { serve, section, tool, params, giant, skip = false }) => {
  test.skipIf(skip)('is refused before it is held, and the next call works', async () => {
    await using service = await serve();
    await using line = await giantLineTo(service.port);
    await using client = await moduleClient({ [module]: section(line.port) });
    const before = await client.call(module, tool, params);
    {
      using flood = line.flood(giant);
      expect(await client.refused(module, tool, params)).toMatch(/more than (?:16|8) MB|more than 16384 KB/);
      expect(await flood.sent).toBeLessThan(16 * MB + UNDER_WAY);
    }
    expect(await client.call(module, tool, params)).toEqual(before);
    expect(client.health(module)).toMatchObject({ state: 'ready' });
  });
});

const id = 'a'.repeat(64);
const container = `/v1.41/containers/${id}`;

/** A frame of 4 GB in what a container writes. */
const endlessFrame: Giant = {
  replaces: (answer) => answer.includes('HTTP/1.1 404'),
  begin: () =>
    Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\nconnection: close\r\n\r\n'),
      Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
    ]),
  repeat: filler,
};

test.each([
  ['docker_get_logs', {}, 64 * MB, { note: expect.stringContaining('Stopped after 64 MB') }],
  [
    'docker_exec_command',
    { command: ['yes'] },
    16 * MB,
    { running: true, note: expect.stringContaining('Stopped reading after 16 MB') },
  ],
])('docker: a frame of 4 GB in %s is read to its limit, and its end is shown', async (tool, params, most, shown) => {
  await using service = await http({
    '/_ping': 'OK',
    '/v1.41/containers/json': [{ Id: id, Names: ['/web'], State: 'running' }],
    [`${container}/json`]: { Id: id, Name: '/web', State: { Running: true }, Config: {} },
    [`${container}/exec`]: { Id: 'once' },
  })();
  await using line = await giantLineTo(service.port);
  const section = { url: `http://127.0.0.1:${line.port}`, mode: 'read-write', containers: ['*'] };
  await using client = await moduleClient({ docker: section });
  using flood = line.flood(endlessFrame);
  expect(await client.call('docker', tool, { container: 'web', ...params })).toMatchObject(shown);
  expect(await flood.sent).toBeLessThan(most + UNDER_WAY);
});
