import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, formatProblems, type LoadOptions } from './load.ts';
import { configSchema, load as loadConfig } from '../../runtime.ts';

let cwd: string;
let home: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'sluice-load-'));
  cwd = join(root, 'project');
  home = join(root, 'home');
  await mkdir(cwd);
  await mkdir(home);
});

afterEach(() => rm(join(cwd, '..'), { recursive: true }));

const write = (name: string, text: string, directory = cwd) => writeFile(join(directory, name), text);
const load = (env: LoadOptions['env'] = {}, file?: string) =>
  loadConfig({ cwd, home, env, ...(file !== undefined && { file }) });

async function refused(env: LoadOptions['env'] = {}, file?: string): Promise<ConfigError> {
  const error: unknown = await load(env, file).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError)) throw new Error('was not refused', { cause: error });
  return error;
}

describe('finding the file', () => {
  test('none is fine', async () => {
    const { config, file, paths } = await load();
    expect(config.server.port).toBe(3500);
    expect(file).toBeUndefined();
    expect(paths).toEqual(['sluice.yaml', '.env', 'external-mcp.json'].map((name) => join(cwd, name)));
  });

  test('the working directory overrides the home, yaml overrides json', async () => {
    await write('sluice.yml', 'server: { port: 4 }', home);
    expect(await load()).toMatchObject({ file: join(home, 'sluice.yml'), config: { server: { port: 4 } } });
    await write('sluice.json', '{ "server": { "port": 2, }, } // mine');
    expect(await load()).toMatchObject({ file: join(cwd, 'sluice.json'), config: { server: { port: 2 } } });
    await write('sluice.yaml', 'server: { port: 1 }');
    expect(await load()).toMatchObject({ file: join(cwd, 'sluice.yaml'), config: { server: { port: 1 } } });
  });

  test('--config names another, relative to the working directory', async () => {
    await write('other.yaml', 'server: { port: 9 }');
    expect(await load({}, 'other.yaml')).toMatchObject({
      file: join(cwd, 'other.yaml'),
      config: { server: { port: 9 } },
    });
  });

  test('--config must exist and be a file', async () => {
    expect((await refused({}, 'nope.yaml')).problems).toMatchObject([{ message: 'does not exist' }]);
    expect((await refused({}, '.')).problems).toMatchObject([{ message: 'is a directory, not a file' }]);
  });
});

describe('problems', () => {
  test('are all reported at once, each with path, line and fix', async () => {
    await write(
      'sluice.yaml',
      `server:
  prot: 3600
  trustProxy: maybe
mcpServers:
  remote:
    ur: https://example.com/mcp
  local:
    command: npx
    replicas: 100
    isolation: sesion
    tools:
      inclde: [a]
  my server:
    command: x
  both: { command: x, url: "https://example.com" }
  secret:
    url: https://example.com
    headers:
      Authorization: Bearer \${NOPE}
  unset: { url: \${URL_NOT_SET} }
colour: red
servers: {}
logLevel: warning
gateway:
  routes:
    - tool: a
      to: lokal
    - tool: [b]
      to: local
presets:
  mine: { comand: x, when: { env: A } }
`,
    );
    const { problems } = await refused();
    expect(problems.map(({ path, line, message, fix }) => [line, path, `${message}. ${fix}`])).toEqual([
      [2, 'server.prot', '"prot" is not a known key. Did you mean "port"?'],
      [
        3,
        'server.trustProxy',
        'must be true, false, or the number of proxies, from 0 to 10. Correct this value; a text was given.',
      ],
      [6, 'mcpServers.remote.ur', '"ur" is not a known key. Did you mean "url"?'],
      [9, 'mcpServers.local.replicas', 'must be a whole number from 1 to 64. Correct this value.'],
      [10, 'mcpServers.local.isolation', 'must be one of shared, session, principal. Did you mean "session"?'],
      [12, 'mcpServers.local.tools.inclde', '"inclde" is not a known key. Did you mean "include"?'],
      [
        13,
        'mcpServers.my server',
        '"my server" is not a valid name: use 1 to 40 letters, digits, "_" and "-". Rename it, for example to "my-server".',
      ],
      [
        15,
        'mcpServers.both',
        'has both a command and a URL. Keep command for a program, or url for a server elsewhere.',
      ],
      [
        19,
        'mcpServers.secret.headers.Authorization',
        'missing secret: NOPE is not set. Set NOPE in the environment or in a .env beside the file. If it may be empty, write ${NOPE:-}.',
      ],
      [
        20,
        'mcpServers.unset.url',
        'missing secret: URL_NOT_SET is not set. Set URL_NOT_SET in the environment or in a .env beside the file. If it may be empty, write ${URL_NOT_SET:-}.',
      ],
      [
        21,
        'colour',
        `"colour" is not a known key. Remove it. Known keys: ${Object.keys(configSchema.shape).join(', ')}.`,
      ],
      [22, 'servers', '"servers" is not a known key. Call it "mcpServers".'],
      [23, 'logLevel', 'must be one of debug, info, warn, error. Did you mean "warn"?'],
      [27, 'gateway.routes.0.to', 'names no server. Did you mean "local"?'],
      [28, 'gateway.routes.1.tool', 'must be a text, not a list. Write a text here.'],
      [31, 'presets.mine.comand', '"comand" is not a known key. Did you mean "command"?'],
    ]);
  });

  test('JSON has line numbers too', async () => {
    await write('sluice.json', '{\n  // mine\n  "server": {\n    "port": "high"\n  }\n}\n');
    expect((await refused()).problems).toMatchObject([{ line: 4, path: 'server.port' }]);
  });

  test('the terminal shows where, what and how to fix it', async () => {
    await write('sluice.yaml', 'server:\n  prot: 1\nauth: { mod: keys }\n');
    const file = join(cwd, 'sluice.yaml');
    expect(formatProblems(await refused())).toBe(`${file} has 3 problems:

  line 2, server.prot
    "prot" is not a known key
    Did you mean "port"?

  line 3, auth.mode
    must be none, keys, oauth or [keys, oauth]
    Correct this value; nothing was given.

  line 3, auth.mod
    "mod" is not a known key
    Did you mean "mode"?
`);
  });

  test('a syntax error has its line', async () => {
    await write('sluice.yaml', 'server:\n  port: 1\n port: 2\n');
    expect((await refused()).problems).toMatchObject([{ line: 3, message: expect.stringContaining('cannot be read') }]);
  });

  test('no problem contains the value that caused it', async () => {
    await write(
      'sluice.yaml',
      'store: ${S}\nlogLevel: ${S}\nserver: { port: "${S}" }\nmcpServers: { a: { url: "${S}" } }\n',
    );
    const error = await refused({ S: 'hunter2-hunter2' });
    expect(error.problems).toHaveLength(4);
    expect(error.message + formatProblems(error)).not.toContain('hunter2');
  });

  test('an empty section counts as absent', async () => {
    await write('sluice.yaml', 'mcpServers:\n#  a: { command: x }\nserver:\n');
    expect((await load()).config.mcpServers).toEqual({});
  });
});

describe('external-mcp.json beside the configuration', () => {
  const external = (content: unknown, directory = cwd) =>
    write('external-mcp.json', typeof content === 'string' ? content : JSON.stringify(content), directory);

  test('adds its servers, with the variables, secrets and timeouts of every server', async () => {
    await external(`{ // comments are fine
      "servers": { "docs": {
        "url": "https://docs.example/mcp", "description": "the handbook", "enabled": true, "transport": "http",
        "auth": { "type": "bearer", "token": "\${DOCS_TOKEN}" },
      } } }`);
    const { config, secrets } = await load({ DOCS_TOKEN: 'sesame-9Zk', MCP_N8N_BACKEND_TIMEOUT: '7' });
    expect(config.mcpServers.docs).toMatchObject({
      transport: { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer sesame-9Zk' } },
      description: 'the handbook',
      expose: 'compact',
      timeout: 7000,
    });
    expect(secrets).toContain('sesame-9Zk');
  });

  test('is beside the file, and the file wins', async () => {
    await write('sluice.yaml', 'mcpServers:\n  Docs: { command: mine, enabled: false }\n', home);
    await external({ elsewhere: { command: 'x' } });
    await external({ docs: { command: 'theirs' }, more: { command: 'more', expose: 'flat' } }, home);
    const { mcpServers } = (await load()).config;
    expect(mcpServers).toMatchObject({
      Docs: { transport: { command: 'mine' }, enabled: false },
      more: { transport: { command: 'more' }, expose: 'flat' },
    });
    expect(Object.keys(mcpServers)).toEqual(['Docs', 'more']);
  });

  test('a name that is ours gets the one that sluice init would give it', async () => {
    await external({ n8n: { command: 'x' }, 'my docs': { command: 'y' }, memory: { command: 'z' } });
    expect(Object.keys((await load()).config.mcpServers)).toEqual(['n8n-mcp', 'my-docs', 'memory']);
    await write('sluice.yaml', 'mcpServers:\n  n8n-mcp: { command: imported }\n');
    const { mcpServers } = (await load()).config;
    expect(mcpServers['n8n-mcp']).toMatchObject({ transport: { command: 'imported' } });
    expect(Object.keys(mcpServers)).toEqual(['n8n-mcp', 'my-docs', 'memory']);
  });

  test.each([
    ['{ "docs": { "url": "ftp://x" } }', 'external-mcp.json: mcpServers.docs.url', /not an http or https URL/],
    [
      '{ "docs": { "command": "x", "rights": 1 } }',
      'external-mcp.json: mcpServers.docs.rights',
      /^"rights" is not a known key$/,
    ],
    ['{ "docs": { "url": "${NOT_SET}" } }', 'external-mcp.json: mcpServers.docs.url', /NOT_SET is not set/],
    [
      '{ "docs": { "url": "http://x", "auth": { "type": "basic" } } }',
      'external-mcp.json: mcpServers.docs.auth',
      /^"auth" is not a known key$/,
    ],
    ['{ "token": "secret-3Fq" ', 'external-mcp.json', /^is not valid JSON$/],
  ])('%s is a problem of that file', async (content, path, message) => {
    await write('sluice.yaml', 'mcpServers:\n  local: { command: x }\n');
    await external(content);
    const { problems, paths } = await refused();
    expect(problems).toEqual([{ path, message: expect.stringMatching(message), fix: expect.any(String) }]);
    expect(JSON.stringify(problems)).not.toContain('secret-3Fq');
    expect(paths).toContain(join(cwd, 'external-mcp.json'));
  });

  test('with nothing to say, it adds nothing', async () => {
    for (const content of ['', '[]', 'null', '{ "version": 1, "servers": {} }']) {
      await external(content);
      expect((await load()).config.mcpServers).toEqual({});
    }
  });
});

describe('names share one namespace', () => {
  test.each([
    ['a: { command: x }\n  A: { command: x }', 'mcpServers.A', /"A" and the server "a" \(mcpServers\.a\)/, '"A-mcp"'],
    ['a_b: { command: x }\n  a-b: { command: x }', 'mcpServers.a-b', /"a-b" and the server "a_b"/, '"a-b-mcp"'],
    ['a: { command: x, prefix: b }\n  b: { command: x }', 'mcpServers.b', /\(mcpServers\.a\.prefix\)/, '"b-mcp"'],
    ['b: { command: x }\n  a: { command: x, prefix: b }', 'mcpServers.a.prefix', /the prefix "b" of/, '"b-mcp"'],
    ['b: { command: x }\n  a: { command: x, namespace: b }', 'mcpServers.a.namespace', /the prefix "b" of/, '"b-mcp"'],
    ['prefix: { command: x }\n  Prefix: { command: x }', 'mcpServers.Prefix', /^the server "Prefix" and/, 'the server'],
    ['n8n: { command: x }', 'mcpServers.n8n', /Sluice's own "n8n" tools/, '"n8n-mcp"'],
    ['x: { command: x, prefix: gateway }', 'mcpServers.x.prefix', /own "gateway" tools/, '"gateway-mcp"'],
  ])('%s', async (servers, path, message, rename) => {
    await write('sluice.yaml', `mcpServers:\n  ${servers}\n`);
    expect((await refused()).problems).toEqual([
      {
        path,
        line: expect.any(Number),
        message: expect.stringMatching(message),
        fix: expect.stringContaining(rename),
      },
    ]);
  });

  test.each([
    'memory: { command: x }',
    'n8n: { command: x, enabled: false }',
    'n8n: { command: x, disabled: true }',
    'a: { command: x, prefix: "" }\n  b: { command: x, prefix: "" }',
    'a: { command: x, prefix: A }',
  ])('%s is not a clash', async (servers) => {
    await write('sluice.yaml', `mcpServers:\n  ${servers}\n`);
    await expect(load()).resolves.toBeDefined();
  });

  test('__proto__ is not a valid name', async () => {
    await write('sluice.yaml', 'mcpServers:\n  __proto__: { command: x }\n');
    expect((await refused()).problems).toMatchObject([{ path: 'mcpServers.__proto__', line: 2 }]);
  });
});

describe('references', () => {
  test('read the environment, then the .env beside the file', async () => {
    await write('.env', 'A=from-file\nB=from-file\n');
    await write('sluice.yaml', 'mcpServers: { x: { command: ${A}, args: [${B}, "${C:-default}"] } }');
    const { config, env } = await load({ A: 'from-environment' });
    expect(config.mcpServers.x?.transport).toMatchObject({
      command: 'from-environment',
      args: ['from-file', 'default'],
    });
    expect(env).toMatchObject({ A: 'from-environment', B: 'from-file' });
  });

  test('the .env belongs to the file, not to the working directory', async () => {
    await write('.env', 'A=wrong\n');
    await write('.env', 'A=right\n', home);
    await write('sluice.yaml', 'logLevel: info\nserver: { host: ${A} }', home);
    expect((await load()).config.server.host).toBe('right');
  });

  test('without a file the .env of the working directory counts', async () => {
    await write('.env', 'PORT=4000\n');
    expect((await load()).config.server.port).toBe(4000);
  });

  test('a directory named .env is ignored', async () => {
    await mkdir(join(cwd, '.env'));
    await expect(load()).resolves.toBeDefined();
  });

  test('the variables of VS Code', async () => {
    await write('sluice.yaml', 'mcpServers: { x: { command: run, args: ["${workspaceFolder}/a", "${userHome}"] } }');
    const { config } = await load({ HOME: '/home/me' });
    expect(config.mcpServers.x?.transport).toMatchObject({ args: [join(cwd, 'a'), '/home/me'] });
  });

  test('disabled servers may lack their secrets', async () => {
    await write(
      'sluice.yaml',
      `mcpServers:
  off: { url: \${NOPE}, disabled: true }
  also: { url: https://example.com, enabled: false }
presets:
  mine: { command: x, env: { KEY: \${MINE_KEY} }, when: { env: MINE_KEY } }
`,
    );
    const { config } = await load();
    expect(config.mcpServers).toEqual({ also: expect.objectContaining({ enabled: false }) });
    expect(config.presets).toEqual({ off: false, mine: false });
    expect((await load({ MINE_KEY: 'k' })).config.presets).toMatchObject({
      mine: { transport: { env: { KEY: 'k' } }, when: { env: 'MINE_KEY' } },
    });
  });

  test('relative paths are relative to the file', async () => {
    await write(
      'sluice.yaml',
      `server: { internal: { socket: run/s } }
mcpServers:
  x: { command: ./run, cwd: sub, allowedPaths: [{ tool: t, argument: a, directories: [out, /abs] }] }
`,
      home,
    );
    const { config } = await load();
    expect(config.server.internal).toMatchObject({ socket: join(home, 'run/s') });
    expect(config.mcpServers.x).toMatchObject({
      transport: { command: './run', cwd: join(home, 'sub') },
      allowedPaths: [{ directories: [join(home, 'out'), '/abs'] }],
    });
  });
});

test('secrets: values from references and .env, and values whose name sounds like one', async () => {
  await write('.env', 'FROM_DOTENV=dot\n');
  await write(
    'sluice.yaml',
    `mcpServers:
  x:
    url: https://user:pass%20word@example.com
    headers: { Authorization: Bearer literal-token, Accept: application/json }
  y: { command: run, env: { TOKEN: \${REFERENCE}, MODE: production } }
`,
  );
  const { secrets } = await load({
    REFERENCE: 'ref',
    SOME_API_KEY: 'environment-key',
    SHORT_KEY: 'no',
    LANG: 'en_GB.UTF-8',
  });
  expect(new Set(secrets)).toEqual(
    new Set(['dot', 'ref', 'environment-key', 'Bearer literal-token', 'literal-token', 'pass%20word', 'pass word']),
  );
  expect(secrets).toEqual([...secrets].sort((a, b) => b.length - a.length));
});

test('the example of the documentation loads', async () => {
  await write(
    'sluice.yaml',
    `server:
  host: 127.0.0.1
  port: 3500
  publicUrl: https://sluice.example.com   # metadata URLs
  allowedHosts: []
  allowedOrigins: []
  trustProxy: false
  internal: false
auth:      { mode: none }            # none | keys | oauth | both: [keys, oauth]
n8n:
  default: { url: http://127.0.0.1:5678, apiKey: \${N8N_API_KEY} }   # more names = more instances
mcpServers:
  everything: { command: npx, args: [-y, "@modelcontextprotocol/server-everything"] }
  remote:     { url: "https://example.com/mcp", headers: { Authorization: "Bearer \${TOKEN}" } }
bridge:    { workflows: { tag: mcp } }
toolsets:  { ops: { include: ["redis_*", "docker_*"], expose: search } }
events:    { webhook: { url: https://example.com/hook, secret: s }, watch: [var/telemetry/events.jsonl] }
store:     sqlite
gateway:   { allowCommands: false }
`,
  );
  const { config } = await load({ N8N_API_KEY: 'key', TOKEN: 'tok' });
  expect(config).toMatchObject({
    server: { publicUrl: 'https://sluice.example.com' },
    n8n: { default: { url: 'http://127.0.0.1:5678', apiKey: 'key' } },
    mcpServers: {
      everything: { transport: { args: ['-y', '@modelcontextprotocol/server-everything'] } },
      remote: { transport: { kind: 'http', headers: { Authorization: 'Bearer tok' } } },
    },
  });
});
