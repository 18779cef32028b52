/** What the image has to do, run by the real Docker Compose as compose.yaml describes it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { buildImage, type Image } from './build.ts';
import { checkout, compose, composeIsMissing } from './compose.ts';
import { openWorkshop, type Workshop, workshopIsMissing } from './workshop.ts';

const run = promisify(execFile);
const START_MS = 60_000;
const token = 'a-token-of-some-length';

/** A server that npx starts, without a registry. */
const server = {
  'package.json': JSON.stringify({ name: 'greeter', version: '1.0.0', type: 'module', bin: 'greeter.js' }),
  'greeter.js': `#!/usr/bin/env node
import { createInterface } from 'node:readline';
const greet = { name: 'greet', description: 'Greets', inputSchema: { type: 'object' } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'greeter', version: '1' } }),
  'tools/list': () => ({ tools: [greet] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello from uid ' + process.getuid() }] }),
  ping: () => ({}),
};
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
}
`,
};

/** For `describe.skipIf`. */
export const imageIsMissing: string | undefined = workshopIsMissing ?? composeIsMissing();

interface Options {
  readonly sources: boolean;
  readonly buildMs: number;
}

/** Call it in a `describe` that is skipped if `imageIsMissing`. Returns what the suite made, for more tests. */
export function imageContract({ sources, buildMs }: Options): () => Made {
  const stack = new AsyncDisposableStack();
  let workshop: Workshop;
  let image: Image;
  let port: number;
  let url: string;
  let up: () => Promise<void>;
  let container: string;

  beforeAll(async () => {
    workshop = await openWorkshop();
    image = stack.use(await buildImage(workshop, { sources }));
    const folder = await mkdtemp(join(tmpdir(), 'sluice-compose-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = join(folder, 'config');
    await mkdir(join(folder, 'greeter'));
    for (const [name, text] of Object.entries(server)) await writeFile(join(folder, 'greeter', name), text);
    await mkdir(config);
    await run('npm', ['pack', '--pack-destination', config], { cwd: join(folder, 'greeter') });
    const args = ['--offline', '--yes', '--package=file:/config/greeter-1.0.0.tgz', 'greeter'];
    const greeter = { command: 'npx', args };
    // JSON is YAML. The catalogue of n8n's nodes would be built by way of the network.
    const file = { mcpServers: { greeter }, nodes: { build: 'manual' }, gateway: { expose: 'flat' } };
    await writeFile(join(config, 'sluice.yaml'), JSON.stringify(file));
    // Containers here share the network of the machine.
    const here = { image: image.name, network_mode: 'host' };
    const at = { PORT: String(port), SLUICE_HOST: '127.0.0.1' };
    const override = ['services:'];
    for (const name of ['sluice', 'hook'])
      override.push(
        `  ${name}:`,
        ...Object.entries(here).map(([key, value]) => `    ${key}: ${value}`),
        '    build: !reset null',
        `    environment: ${JSON.stringify(at)}`,
        ...(name === 'sluice' ? ['    ports: !reset []'] : []),
      );
    await writeFile(join(folder, 'here.yaml'), `${override.join('\n')}\n`);

    const socket = join(folder, 'docker.sock');
    stack.use(await workshop.serve(socket));
    const project = `sluice-test-${randomUUID().slice(0, 8)}`;
    container = `${project}-sluice-1`;
    const env = {
      DOCKER_HOST: `unix://${socket}`,
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_FILE: `${join(checkout, 'compose.yaml')}:${join(folder, 'here.yaml')}`,
      SLUICE_CONFIG: config,
      MCP_AUTH_TOKEN: token,
      N8N_OWNER_EMAIL: 'owner@example.com',
      N8N_OWNER_PASSWORD: 'Owner-passw0rd',
      N8N_ENCRYPTION_KEY: 'for-this-test-only',
      SLUICE_SECRET_KEY: 'for-this-test-only-and-no-other-test',
      POSTGRES_PASSWORD: 'unused',
    };
    up = async () => {
      const { code, output } = await compose(['up', '--detach', 'sluice'], env);
      if (code !== 0) throw new Error(output);
      for (const until = Date.now() + START_MS; !(await isReady(url)); await delay(50))
        if (Date.now() > until) throw new Error(await workshop.podman('logs', container));
    };
    stack.defer(async () => void (await compose(['down', '--volumes', '--timeout', '5'], env)));
    await up();
  }, buildMs);
  afterAll(() => stack.disposeAsync(), 120_000);

  const inside = (script: string) => workshop.podman('exec', container, 'sh', '-c', script);

  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ name: 'agent', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  test('runs as nobody special, behind an init, and writes nowhere but where it may', async () => {
    expect(await inside('cat /proc/1/comm; id -u; id -g')).toBe('tini\n1000\n1000');
    const status = await inside('cat /proc/1/status');
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    const asked = [
      '/',
      '/app',
      '/app/bin',
      '/config',
      '/home/node',
      '/usr/local',
      '/var/lib',
      '/data',
      '/tmp',
      '/tools',
    ];
    const tried = await inside(
      `for d in ${asked.join(' ')}; do touch "$d/x" 2>/dev/null && rm "$d/x" && echo "$d"; done`,
    );
    expect(tried.split('\n')).toEqual(['/data', '/tmp', '/tools']);
  });

  test('has what it needs, and no tools to build with', async () => {
    expect(await inside('ls /app | tr "\\n" " "')).not.toMatch(/\btest\b/);
    const found = await inside(
      'for p in sluice node npx gcc g++ make python3 git yarn corepack curl; do command -v $p; done; true',
    );
    expect(found.split('\n')).toEqual(['/usr/local/bin/sluice', '/usr/local/bin/node', '/usr/local/bin/npx']);
    expect(await inside('find /app/node_modules -maxdepth 1 -name "node" -o -maxdepth 1 -name "*typescript*"')).toBe(
      '',
    );
    expect(await inside('sluice status --json')).toContain('"state"');
  });

  test('is healthy where it listens, and says where it looked if not', async () => {
    expect(await workshop.attempt('healthcheck', 'run', container)).toMatchObject({ code: 0 });
    const elsewhere = await workshop.attempt('exec', '--env', 'PORT=1', container, 'node', '/app/health.js');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.output).toContain('http://127.0.0.1:1/health');
  });

  test('wrote the file for n8n before it started, for its owner only', async () => {
    expect(await inside('stat -c "%a %u" /tools/sluice-hook.js')).toBe('600 1000');
    expect(await inside('grep -c sluice:3500 /tools/sluice-hook.js')).not.toBe('0');
  });

  test('lists and calls tools, also of a server that npx starts', async () => {
    await withClient(async (client) => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['greeter__greet', 'memory_store']));
      const { content } = await client.callTool({ name: 'greeter__greet', arguments: {} });
      expect(content).toEqual([{ type: 'text', text: 'hello from uid 1000' }]);
    });
  });

  test('stops within ten seconds, and has its data when it starts again', async () => {
    const text = `Remembered at ${randomUUID()}`;
    await withClient((client) => client.callTool({ name: 'memory_store', arguments: { text } }));
    const before = await inside('cat /data/sluice.key');
    const began = Date.now();
    await workshop.podman('stop', '--time', '30', container);
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(await workshop.podman('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
    await up();
    expect(await inside('cat /data/sluice.key')).toBe(before);
    const found = await withClient((client) => client.callTool({ name: 'memory_search', arguments: { query: text } }));
    expect(JSON.stringify(found.structuredContent)).toContain(text);
  });

  describe('says what to do', () => {
    const once = (...args: string[]) =>
      workshop.attempt(
        'run',
        '--rm',
        '--read-only',
        '--cap-drop',
        'all',
        '--env',
        `PORT=${port + 1}`,
        ...args,
        image.name,
      );

    test('without a token', async () => {
      const { code, output } = await once();
      expect(code).toBe(1);
      expect(output).toContain('Refusing to serve 0.0.0.0 without authentication');
      expect(output).toContain('Set MCP_AUTH_TOKEN');
    });

    test('with a volume of somebody else', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluice-of-root-'));
      const { code, output } = await once('--env', `MCP_AUTH_TOKEN=${token}`, '--volume', `${folder}:/data`);
      await rm(folder, { recursive: true });
      expect(code).not.toBe(0);
      expect(output).toContain('a directory that this user (1000:1000) can write to');
    });
  });

  return () => ({ workshop, image });
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

interface Made {
  readonly workshop: Workshop;
  readonly image: Image;
}
