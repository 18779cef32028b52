import { describe, expect, test } from 'vitest';
import type { BackendSettings as ServerConfig } from '../../gateway/settings.ts';
import { configSchema } from '../../runtime.ts';

function server(entry: unknown): ServerConfig {
  const parsed = configSchema.parse({ mcpServers: { it: entry } }).mcpServers.it;
  if (!parsed) throw new Error('no server came out');
  return parsed;
}

function refusal(entry: unknown, name = 'it'): { path: string; message: string } {
  const result = configSchema.safeParse({ mcpServers: { [name]: entry } });
  const issue = result.error?.issues[0];
  if (!issue) throw new Error('was accepted');
  return { path: issue.path.join('.'), message: issue.message };
}

describe('defaults', () => {
  test('an empty file is a complete configuration', () => {
    expect(configSchema.parse({})).toEqual({
      server: {
        host: '127.0.0.1',
        port: 3500,
        allowedHosts: [],
        allowedOrigins: [],
        trustProxy: false,
        internal: false,
      },
      auth: { mode: 'none' },
      n8n: {},
      mcpServers: {},
      backups: { keep: 10, maxSize: 10_240, layout: 'versions' },
      templates: { public: true, url: 'https://api.n8n.io/api/', refresh: 86_400_000, libraries: {} },
      nodes: { build: 'auto' },
      validation: { onSave: 'strict', rules: {} },
      bridge: {
        enabled: true,
        apply: 'ask',
        workflows: { tag: 'mcp', include: [], exclude: [], availableInMCP: true, outputSchema: 'none' },
        tools: { tag: '', workflows: [], include: [], exclude: [] },
        projects: { include: [], exclude: [] },
        discovery: { method: 'poll', refreshInterval: undefined },
        poll: 30_000,
        timeout: 60_000,
        timeouts: {},
        instances: {},
      },
      modules: {},
      graph: { quota: 128 },
      memory: { embedder: { kind: 'packaged' }, halfLife: 90, quota: 256, projects: {} },
      blueprints: {
        folders: ['blueprints'],
        atOnce: 50,
        takeover: 20_000,
        keepDays: 90,
        progressTtl: 86_400_000,
      },
      recipes: true,
      projects: true,
      toolsets: {},
      events: { keep: 30 * 86_400_000, max: 1_000_000, maxSize: 2048, calls: true, arguments: false },
      store: { kind: 'sqlite' },
      gateway: { allowCommands: false, allowInternalUrls: false, startConcurrency: 8, readOnly: false, routes: [] },
      limits: { tools: {}, sessions: 1000, streams: 1000, requests: 1000, connections: 50 },
      presets: {},
      metrics: { enabled: true, public: false, maxTools: 500 },
      logLevel: 'info',
    });
  });

  test('a server needs only its command', () => {
    expect(server({ command: 'npx' })).toEqual({
      transport: { kind: 'stdio', command: 'npx', args: [], env: {} },
      isolation: 'shared',
      replicas: 1,
      timeout: 30_000,
      callTimeout: 300_000,
      enabled: true,
      tags: [],
      tools: { include: [], exclude: [], rename: {}, describe: {} },
      confirm: [],
      onChange: 'allow',
      allowInternal: true,
      redactErrors: true,
    });
  });
});

describe('transports', () => {
  const url = 'https://example.com/mcp';
  const http = { kind: 'http', url, headers: {} };

  test.each([
    [{ url }, http],
    [{ url, type: 'http' }, http],
    [{ url, type: 'streamable-http' }, http],
    [{ url, type: 'streamableHttp' }, http],
    [{ url, transport: 'http', type: 'streamableHttp' }, http],
    [{ serverUrl: url }, http],
    [{ httpUrl: url }, http],
    [{ url, serverUrl: url }, http],
    [
      { url, type: 'sse' },
      { ...http, kind: 'sse' },
    ],
    [
      { url, transport: 'sse' },
      { ...http, kind: 'sse' },
    ],
    [{ url: 'https://example.com/sse' }, { kind: 'sse', url: 'https://example.com/sse', headers: {} }],
    [
      { url: 'https://example.com/sse', type: 'http' },
      { kind: 'http', url: 'https://example.com/sse', headers: {} },
    ],
    [
      { url, headers: { Retries: 3 } },
      { ...http, headers: { Retries: '3' } },
    ],
    [
      { type: 'stdio', command: 'run', args: ['-p', 3000], env: { DEBUG: true }, cwd: '/tmp' },
      { kind: 'stdio', command: 'run', args: ['-p', '3000'], env: { DEBUG: 'true' }, cwd: '/tmp' },
    ],
  ])('%j', (entry, transport) => {
    expect(server(entry).transport).toEqual(transport);
  });

  test.each([
    [{}, 'mcpServers.it', /neither a command nor a URL/],
    [{ command: 'a', url }, 'mcpServers.it', /both a command and a URL/],
    [{ command: 'a', type: 'sse' }, 'mcpServers.it.type', /there is a command/],
    [{ url, transport: 'stdio' }, 'mcpServers.it.transport', /there is a URL/],
    [{ url, transport: 'sse', type: 'http' }, 'mcpServers.it.type', /transport says sse/],
    [{ url, httpUrl: 'https://example.com/other' }, 'mcpServers.it.httpUrl', /different addresses/],
    [{ url: 'ftp://example.com' }, 'mcpServers.it.url', /not an http or https URL/],
    [{ url: 'example.com/mcp' }, 'mcpServers.it.url', /not an http or https URL/],
    [{ command: '' }, 'mcpServers.it.command', /empty/],
  ])('%j is refused', (entry, path, message) => {
    expect(refusal(entry)).toEqual({ path, message: expect.stringMatching(message) });
  });
});

describe('a server', () => {
  const command = 'run';

  test.each([
    [30, 30_000],
    [0.5, 500],
    [999, 999_000],
    [1000, 1000],
    [60_000, 60_000],
    ['45', 45_000],
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1.5s', 1500],
  ])('timeout %j is %i ms', (timeout, ms) => {
    expect(server({ command, timeout, callTimeout: timeout })).toMatchObject({ timeout: ms, callTimeout: ms });
  });

  test.each([0, -1, '25h', 'soon', '', '30 parsecs'])('timeout %j is refused', (timeout) => {
    expect(refusal({ command, timeout }).path).toBe('mcpServers.it.timeout');
  });

  test('is off when either spelling says so', () => {
    expect(server({ command, disabled: true }).enabled).toBe(false);
    expect(server({ command, enabled: false }).enabled).toBe(false);
    expect(server({ command, disabled: false }).enabled).toBe(true);
  });

  test('accepts the approval settings of other clients without acting on them', () => {
    expect(server({ command, autoApprove: ['x'], alwaysAllow: [] })).toEqual(server({ command }));
  });

  test('namespace is prefix, and capabilities are tags', () => {
    expect(server({ command, namespace: 'chora', capabilities: ['artifacts'] })).toEqual(
      server({ command, prefix: 'chora', tags: ['artifacts'] }),
    );
    expect(server({ command, tags: ['a', 'b'], capabilities: ['b', 'c'] }).tags).toEqual(['a', 'b', 'c']);
    expect(server({ command, prefix: 'one', namespace: 'one' }).prefix).toBe('one');
    expect(refusal({ command, prefix: 'one', namespace: 'two' })).toMatchObject({
      path: 'mcpServers.it.namespace',
      message: expect.stringContaining('is another name for prefix, which says "one"') as string,
    });
  });

  test('distinguishes an empty prefix from none', () => {
    expect(server({ command, prefix: '' }).prefix).toBe('');
    expect(server({ command })).not.toHaveProperty('prefix');
    expect(refusal({ command, prefix: 'a b' }).path).toBe('mcpServers.it.prefix');
  });

  test('confirm is a list, one glob, or a person', () => {
    expect(server({ command, confirm: ['delete_*'] })).toMatchObject({ confirm: ['delete_*'] });
    expect(server({ command, confirm: 'delete_*' })).toMatchObject({ confirm: ['delete_*'] });
    expect(server({ command, confirm: 'human' })).toMatchObject({ confirm: ['*'], confirmBy: 'human' });
    expect(server({ command, confirm: ['a'], confirmBy: 'human' })).toMatchObject({
      confirm: ['a'],
      confirmBy: 'human',
    });
  });

  test.each([0, 65, 1.5])('%j replicas are refused', (replicas) => {
    expect(refusal({ command, replicas })).toMatchObject({
      path: 'mcpServers.it.replicas',
      message: 'must be a whole number from 1 to 64',
    });
  });

  test.each(['my server', 'a.b', 'x'.repeat(41), ''])('the name %j is refused', (name) => {
    expect(refusal({ command }, name).path).toBe(`mcpServers.${name}`);
  });
});

describe('sections', () => {
  test('numbers and flags may be text, as references insert them', () => {
    const { server } = configSchema.parse({ server: { port: '8080', trustProxy: 'true' } });
    expect(server).toMatchObject({ port: 8080, trustProxy: true });
    for (const [given, trustProxy] of [
      [2, 2],
      ['2', 2],
      [true, true],
    ])
      expect(configSchema.parse({ server: { trustProxy: given } }).server).toMatchObject({ trustProxy });
  });

  test.each([
    ['none', 'none'],
    ['keys', 'keys'],
    ['oauth', 'oauth'],
    ['both', 'both'],
    [['keys', 'oauth'], 'both'],
    [['oauth'], 'oauth'],
  ])('auth mode %j is %s', (mode, expected) => {
    const auth = { mode, oauth: { issuer: 'https://id.example.com' } };
    expect(configSchema.parse({ auth }).auth.mode).toBe(expected);
  });

  test('an auth section without a mode is refused: "none" was surely not meant', () => {
    expect(configSchema.safeParse({ auth: { mod: 'keys' } }).success).toBe(false);
    expect(configSchema.safeParse({ auth: { mode: 'token' } }).success).toBe(false);
    expect(configSchema.safeParse({ auth: { mode: [] } }).success).toBe(false);
  });

  test('the internal listener is a socket or a stated address', () => {
    const internal = (given: unknown) => configSchema.parse({ server: { internal: given } }).server.internal;
    expect(internal(false)).toBe(false);
    expect(internal({ socket: '/run/s' })).toEqual({ socket: '/run/s', scopes: ['tools:read'] });
    expect(internal({ host: '127.0.0.1', port: 1, scopes: ['redis:read'] })).toEqual({
      host: '127.0.0.1',
      port: 1,
      scopes: ['redis:read'],
    });
    const misspelt = { socket: '/run/s', scopes: ['tools:exec'] };
    for (const bad of [true, {}, { host: 'a' }, { port: 1 }, { socket: '/run/s', port: 1 }, misspelt]) {
      expect(configSchema.safeParse({ server: { internal: bad } }).success).toBe(false);
    }
  });

  test.each<[unknown, object]>([
    ['sqlite', { kind: 'sqlite' }],
    ['postgres://u:p@h/db', { kind: 'postgres', url: 'postgres://u:p@h/db', connections: 6 }],
    [
      { url: 'postgresql://u:p@h/db', connections: 3 },
      { kind: 'postgres', url: 'postgresql://u:p@h/db', connections: 3 },
    ],
  ])('store: %j', (store, parsed) => expect(configSchema.parse({ store }).store).toEqual(parsed));

  test.each<[object, string]>([
    [{ store: 'postgres://u:hidden@h' }, 'names no database'],
    [{ store: 'postgresql://h/db' }, 'names no user'],
    [{ store: 'postgres://u:hidden@h/db?ssl=1' }, 'has an unknown parameter ssl'],
    [{ store: 'mysql://h' }, 'is not a store that Sluice knows'],
    [{ redis: 'http://127.0.0.1' }, 'is not the URL of a Redis'],
    [{ modules: { redis: 'here' } }, 'Invalid input: expected record, received string'],
  ])('%j is refused, not ignored', (config, message) => {
    const { error } = configSchema.safeParse(config);
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
    expect(JSON.stringify(error?.issues)).not.toContain('hidden');
  });

  test.each([{ store: 'sqlite3' }, { logLevel: 'loud' }, { prot: 1 }])('%j is refused', (config) => {
    expect(configSchema.safeParse(config).success).toBe(false);
  });

  test('routes, toolsets and presets', () => {
    const config = configSchema.parse({
      n8n: { default: { apiKey: 'k' } },
      bridge: { workflows: { tag: 'mcp' } },
      toolsets: { ops: { include: ['redis_*'], expose: 'search' } },
      events: { webhook: { url: 'https://example.com/hook', secret: 's' }, watch: ['events.jsonl'], keep: '30d' },
      gateway: { routes: [{ tool: 'a__*', when: { 'target.region': 'eu-*', dry: false }, to: 'eu' }] },
      presets: { mine: { command: 'x', when: { env: 'MINE' } }, chora: false },
    });
    expect(config).toMatchObject({
      n8n: { default: { url: 'http://127.0.0.1:5678', apiKey: 'k' } },
      toolsets: { ops: { include: ['redis_*'], exclude: [], expose: 'search' } },
      events: { keep: 30 * 86_400_000 },
      gateway: { routes: [{ tool: 'a__*', when: { 'target.region': 'eu-*', dry: false }, to: 'eu' }] },
      presets: { mine: { transport: { kind: 'stdio', command: 'x' }, when: { env: 'MINE' } }, chora: false },
    });
  });
});
