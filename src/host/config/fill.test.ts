import { describe, expect, test } from 'vitest';
import { serverTimeout } from '../../gateway/config/timeout.ts';
import { parts } from '../../parts.ts';
import type { AnyPart, Env } from '../part.ts';
import { fillGaps } from './fill.ts';
import type { Tree } from './tree.ts';

const fillFromEnvironment = (tree: Tree, env: Env) =>
  fillGaps(tree, (file) =>
    Object.values<AnyPart>(parts).flatMap((part) => part.environment?.(file, { env, cwd: '/here' }) ?? []),
  );

test('a token that is too short is refused', () => {
  expect(fillFromEnvironment({}, { MCP_AUTH_TOKEN: 'fifteen-letters' }).problems).toEqual([
    {
      path: 'MCP_AUTH_TOKEN',
      message: expect.any(String) as string,
      fix: expect.stringContaining('openssl rand -hex 32') as string,
    },
  ]);
});

describe('gaps in the file', () => {
  test.each([
    [{ PORT: '8080' }, { server: { port: 8080 } }],
    [{ PORT: '' }, {}],
    [
      { SLUICE_MODULES: 'redis, docker', REDIS_URL: 'redis://r' },
      { modules: { redis: { url: 'redis://r' }, docker: {} } },
    ],
    [{ REDIS_URL: 'redis://r' }, {}],
    [{ LOG_LEVEL: 'WARNING' }, { logLevel: 'warn' }],
    [{ LOG_LEVEL: 'error', MCP_N8N_LOG_LEVEL: 'INFO' }, { logLevel: 'info' }],
    [{ MCP_N8N_DEBUG: '1', MCP_N8N_LOG_LEVEL: 'INFO' }, { logLevel: 'debug' }],
    [{ MCP_N8N_DEBUG: '0' }, {}],
    [
      { ALLOWED_ORIGINS: 'https://a.example, https://b.example,' },
      { server: { allowedOrigins: ['https://a.example', 'https://b.example'] } },
    ],
    [
      { SLUICE_HOST: '0.0.0.0', SLUICE_PUBLIC_URL: 'https://sluice.example.com', SLUICE_ALLOWED_HOSTS: 'a, b' },
      { server: { host: '0.0.0.0', publicUrl: 'https://sluice.example.com', allowedHosts: ['a', 'b'] } },
    ],
    [{ SLUICE_TRUST_PROXY: ' 2 ' }, { server: { trustProxy: '2' } }],
    [{ SLUICE_TRUST_PROXY: 'TRUE' }, { server: { trustProxy: 'true' } }],
    [
      { SLUICE_STORE: 'postgres://db/a', SLUICE_REDIS: 'redis://r' },
      { store: 'postgres://db/a', redis: 'redis://r' },
    ],
    [{ SLUICE_PEER_URL: 'http://10.0.0.5:3500', POD_IP: '10.0.0.9' }, { server: { peerUrl: 'http://10.0.0.5:3500' } }],
    [{ POD_IP: '10.0.0.9' }, { server: { peerUrl: 'http://10.0.0.9:0' } }],
    [{ POD_IP: '2001:db8::9' }, { server: { peerUrl: 'http://[2001:db8::9]:0' } }],
    [{ SLUICE_BRIDGE_APPLY: 'auto' }, { bridge: { apply: 'auto' } }],
    [
      {
        SLUICE_BRIDGE_DISCOVERY: 'shared-volume',
        SLUICE_BRIDGE_POLL: '10s',
        SLUICE_BRIDGE_AI_TOOLS: 'Support*, Sales',
      },
      {
        bridge: {
          discovery: { method: 'shared-volume', refreshInterval: '10s' },
          tools: { workflows: ['Support*', 'Sales'] },
        },
      },
    ],
    [{ SLUICE_BRIDGE_POLL: '1m' }, { bridge: { discovery: { refreshInterval: '1m' } } }],
    [
      { N8N_OWNER_EMAIL: 'me@example.com ', N8N_OWNER_PASSWORD: ' p' },
      { n8n: { default: { owner: { email: 'me@example.com', password: ' p' } } } },
    ],
    [{ SLUICE_EVENTS_DIR: ' log/events ' }, { events: { jsonl: 'log/events' } }],
    [{ SLUICE_EVENTS_DIR: '' }, {}],
    [{ SLUICE_WATCH: 'a.jsonl, /var/b.jsonl' }, { events: { watch: ['a.jsonl', '/var/b.jsonl'] } }],
    [{ DEBUG: 'true', LOG_LEVEL: 'warn' }, { logLevel: 'debug' }],
    [{ DEBUG: 'express:*', LOG_LEVEL: 'warn' }, { logLevel: 'warn' }],
    [
      { N8N_EVENT_WEBHOOK_URL: 'https://n8n.example/hook' },
      { events: { webhook: { url: 'https://n8n.example/hook', batch: 1, filter: ['@watched', 'gateway.*'] } } },
    ],
    [{ N8N_HOST: 'http://n8n:5678', N8N_API_KEY: 'k' }, { n8n: { default: { url: 'http://n8n:5678', apiKey: 'k' } } }],
    [{ N8N_URL: 'http://n8n:5678' }, { n8n: { default: { url: 'http://n8n:5678' } } }],
    [{ N8N_INTERNAL_URL: 'http://n8n:5678' }, { n8n: { default: { url: 'http://n8n:5678' } } }],
    [{ N8N_API_KEY: 'k' }, { n8n: { default: { apiKey: 'k' } } }],
    [
      { N8N_API_KEY: 'k', DB_POSTGRESDB_HOST: 'db' },
      { n8n: { default: { apiKey: 'k', database: 'postgres://postgres@db:5432/n8n' } } },
    ],
    [{ DB_POSTGRESDB_HOST: 'db' }, {}],
    [{ N8N_HOST: 'n8n.example', N8N_URL: 'http://n8n:1' }, { n8n: { default: { url: 'http://n8n:1' } } }],
    [{ N8N_HOST: 'n8n.example' }, { n8n: { default: { url: 'http://n8n.example:5678' } } }],
    [
      { N8N_HOST: 'n8n.example', N8N_PROTOCOL: 'https', N8N_PORT: '443' },
      { n8n: { default: { url: 'https://n8n.example:443' } } },
    ],
  ])('%j', (env, tree) => {
    expect(fillFromEnvironment({}, env)).toEqual({ tree, problems: [] });
  });

  test('MCP_N8N_BACKEND_TIMEOUT is the default of every server and preset, for start and calls', () => {
    const tree = {
      mcpServers: { a: { command: 'x' }, b: { command: 'x', timeout: 5 } },
      presets: { p: {}, off: false },
    };
    expect(fillFromEnvironment(tree, { MCP_N8N_BACKEND_TIMEOUT: '45' }).tree).toEqual({
      mcpServers: {
        a: { command: 'x', timeout: '45000ms', callTimeout: '45000ms' },
        b: { command: 'x', timeout: 5, callTimeout: '45000ms' },
      },
      presets: { p: { timeout: '45000ms', callTimeout: '45000ms' }, off: false },
    });
  });

  test('the file wins, and then a bad variable does not matter', () => {
    const tree = {
      server: { port: 1, allowedOrigins: [] },
      logLevel: 'info',
      n8n: { default: { url: 'http://file:1', apiKey: 'file' } },
      events: { webhook: { url: 'http://file:2' } },
    };
    const env = {
      PORT: 'tcp://10.0.0.1:80',
      ALLOWED_ORIGINS: 'https://a.example',
      LOG_LEVEL: 'loud',
      N8N_URL: 'nonsense',
      N8N_API_KEY: 'env',
      N8N_EVENT_WEBHOOK_URL: 'nonsense',
    };
    expect(fillFromEnvironment(tree, env)).toEqual({ tree, problems: [] });
  });

  test.each([
    { bridge: { poll: '10s' } },
    { bridge: { discovery: { refreshInterval: '10s' } } },
    { bridge: { discovery: 'hook' } },
  ])('an interval of the bridge in the file wins: %j', (tree) => {
    expect(fillFromEnvironment(tree, { SLUICE_BRIDGE_POLL: '1m' }).tree).toEqual(tree);
  });

  test('a key is not sent to an instance that it does not belong to', () => {
    const tree = { n8n: { default: { url: 'http://mine:5678' } } };
    const apiKey = (env: Record<string, string>) => fillFromEnvironment(tree, { N8N_API_KEY: 'k', ...env }).tree;
    expect(apiKey({})).toEqual({ n8n: { default: { url: 'http://mine:5678', apiKey: 'k' } } });
    expect(apiKey({ N8N_URL: 'http://mine:5678/' })).toEqual({
      n8n: { default: { url: 'http://mine:5678', apiKey: 'k' } },
    });
    expect(apiKey({ N8N_URL: 'http://other:5678' })).toEqual(tree);
  });

  test('leaves values that the schema will refuse unchanged', () => {
    expect(fillFromEnvironment({ server: 'here', mcpServers: [] }, { PORT: '1' })).toEqual({
      tree: { server: 'here', mcpServers: [] },
      problems: [],
    });
  });

  test.each([
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '65536' }, 'PORT'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ MCP_N8N_LOG_LEVEL: 'loud' }, 'MCP_N8N_LOG_LEVEL'],
    [{ SLUICE_PUBLIC_URL: 'sluice' }, 'SLUICE_PUBLIC_URL'],
    [{ SLUICE_PEER_URL: '10.0.0.5:3500' }, 'SLUICE_PEER_URL'],
    [{ POD_IP: 'pod-1' }, 'POD_IP'],
    [{ SLUICE_TRUST_PROXY: 'yes' }, 'SLUICE_TRUST_PROXY'],
    [{ SLUICE_TRUST_PROXY: '-1' }, 'SLUICE_TRUST_PROXY'],
    [{ SLUICE_TRUST_PROXY: '10.0.0.0/8' }, 'SLUICE_TRUST_PROXY'],
    [{ SLUICE_BRIDGE_APPLY: 'yes' }, 'SLUICE_BRIDGE_APPLY'],
    [{ SLUICE_BRIDGE_DISCOVERY: 'magic' }, 'SLUICE_BRIDGE_DISCOVERY'],
    [{ SLUICE_BRIDGE_POLL: 'often' }, 'SLUICE_BRIDGE_POLL'],
    [{ SLUICE_BRIDGE_POLL: '48h' }, 'SLUICE_BRIDGE_POLL'],
    [{ SLUICE_BRIDGE_POLL: '0s', SLUICE_BRIDGE_DISCOVERY: 'api' }, 'SLUICE_BRIDGE_POLL'],
    [{ N8N_OWNER_EMAIL: 'me@example.com' }, 'N8N_OWNER_EMAIL'],
    [{ N8N_OWNER_PASSWORD: 'p' }, 'N8N_OWNER_PASSWORD'],
    [{ N8N_URL: 'n8n' }, 'N8N_URL'],
    [{ N8N_HOST: 'ftp://n8n' }, 'N8N_HOST'],
    [{ N8N_EVENT_WEBHOOK_URL: 'hook' }, 'N8N_EVENT_WEBHOOK_URL'],
  ])('%j is a problem', (env, path) => {
    expect(fillFromEnvironment({}, env).problems).toEqual([
      { path, message: expect.any(String), fix: expect.any(String) },
    ]);
  });
});

describe('variables that other programs use too', () => {
  test('fill their keys, and leave the rest alone', () => {
    const env = {
      MCP_AUTH_TOKEN: 'a-token-of-some-length',
      MCP_TRANSPORT: 'SSE',
      TOOLS_SHARED_PATH: 'shared',
      LOG_FORMAT: 'Pretty',
      DB_HOST: 'postgres',
    };
    expect(fillFromEnvironment({}, env)).toEqual({
      tree: {
        auth: { mode: 'none', token: 'a-token-of-some-length' },
        bridge: { sharedFile: '/here/shared' },
        logFormat: 'text',
      },
      problems: [],
    });
  });

  test('a token is added to any auth section', () => {
    const { tree } = fillFromEnvironment({ auth: { mode: 'keys' } }, { MCP_AUTH_TOKEN: 'a-token-of-some-length' });
    expect(tree).toEqual({ auth: { mode: 'keys', token: 'a-token-of-some-length' } });
  });

  test.each(['stdio', 'http', 'streamable-http', 'sse'])('MCP_TRANSPORT=%s', (given) => {
    expect(fillFromEnvironment({}, { MCP_TRANSPORT: given }).problems).toEqual([]);
  });

  test.each([
    [{ MCP_TRANSPORT: 'carrier pigeon' }, 'MCP_TRANSPORT'],
    [{ MCP_N8N_BACKEND_TIMEOUT: 'soon' }, 'MCP_N8N_BACKEND_TIMEOUT'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT'],
    [{ MCP_N8N_BACKEND_TIMEOUT: '0' }, 'MCP_N8N_BACKEND_TIMEOUT'],
  ])('%j is a problem', (env, path) => {
    expect(fillFromEnvironment({}, env).problems).toMatchObject([{ path }]);
  });

  test('a bare MCP_N8N_BACKEND_TIMEOUT is seconds, however large', () => {
    expect(serverTimeout({ MCP_N8N_BACKEND_TIMEOUT: '3600' })).toBe(3_600_000);
    expect(serverTimeout({ MCP_N8N_BACKEND_TIMEOUT: '2m' })).toBe(120_000);
  });
});
