/** The package that npm publishes: packed in a clone, installed in an empty folder on Node 24, and used from there. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../src/kernel/errors.ts';
import { version } from '../../src/version.ts';
import { callTool } from '../integration/harness.ts';
import { unpack } from '../support/bundle.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { follow } from '../support/command-line.ts';
import { olderNode } from '../support/older-node.ts';
import { installPacked, type Installed, packInClone, type Packed } from '../support/packed.ts';
import { alive } from '../support/processes.ts';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let directory: Awaited<ReturnType<typeof mkdtempDisposable>>;
let packed: Packed;

beforeAll(async () => {
  directory = await mkdtempDisposable(join(tmpdir(), 'sluice-npm-'));
  packed = await packInClone(directory.path);
}, 300_000);
afterAll(() => directory[Symbol.asyncDispose]());

describe('the package', () => {
  test('has what it needs to run, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(new Set(paths.map((path) => path.split('/')[0]))).toEqual(
      new Set([
        'bin',
        'dist',
        'n8n-workflows',
        'shipped-blueprints',
        'package.json',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
      ]),
    );
    expect(paths.filter((path) => /\.(?:test|contract)\.|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([]);
    for (const worker of [
      'embedder/embedder',
      'store/sqlite/tables',
      'store/sqlite/events',
      'blueprints/expressions/evaluation',
    ])
      expect(paths).toContain(`dist/${worker}-worker.js`);
    for (const part of ['manifest.json', 'overview-'])
      expect(paths.some((path) => path.startsWith(`dist/browser/${part}`))).toBe(true);
    expect(packed.size).toBeLessThan(4_000_000);
    expect(packed.unpackedSize).toBeLessThan(14_000_000);
  });

  test('says which Node it needs, and has the name by which the MCP registry knows it', async () => {
    const { engines, mcpName } = JSON.parse(await readFile(here('../../package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(engines).toEqual({ node: '>=24' });
    expect(mcpName).toBe((JSON.parse(await readFile(here('../../server.json'), 'utf8')) as { name: string }).name);
  });
});

describe('installed in an empty folder', () => {
  let installed: Installed;
  let problem: string | undefined;
  beforeAll(async () => {
    try {
      installed = await installPacked(packed, directory.path);
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      problem = `npm cannot install it here: ${messageOf(error)}`;
    }
  }, 300_000);

  /** A home of its own. */
  async function home(name: string): Promise<Record<string, string>> {
    const path = join(directory.path, name);
    await mkdir(path, { mode: 0o700 });
    await writeFile(join(path, 'sluice.json'), JSON.stringify({ nodes: withoutCatalogue }));
    return { ...installed.env, SLUICE_HOME: path };
  }

  test('imports nothing that npm does not install with it, and names no file of the clone', async ({ skip }) => {
    if (problem) skip(problem);
    const folder = join(installed.folder, 'node_modules/sluice');
    const { dependencies, optionalDependencies } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    ) as Record<string, object>;
    const installs = new Set(['sluice', ...Object.keys({ ...dependencies, ...optionalDependencies })]);
    const foreign = new Set<string>();
    for (const file of await readdir(folder, { recursive: true })) {
      if (!/\.(?:js|d\.ts|json|yaml)$/.test(file)) continue;
      const text = await readFile(join(folder, file), 'utf8');
      expect(text, file).not.toContain(here('../../'));
      expect(text, file).not.toContain(directory.path);
      if (!/\.(?:js|ts)$/.test(file)) continue;
      for (const [, name = ''] of text.matchAll(
        /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)';$|\bimport\('([^']+)'\)/gm,
      )) {
        const wanted = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
        if (!/^(?:\.|$)/.test(name) && !isBuiltin(name) && !installs.has(wanted)) foreign.add(`${file}: ${name}`);
      }
    }
    // Makes the console's bundle from sources, which the package does not have: it has the bundle.
    expect([...foreign]).toEqual(['dist/console/bundling.js: esbuild']);
  });

  test('runs by npx', async ({ skip }) => {
    if (problem) skip(problem);
    const { stdout } = await run('npx', ['--no-install', 'sluice', '--version'], {
      cwd: installed.folder,
      env: installed.env,
    });
    expect(stdout).toBe(`${version}\n`);
  });

  test('serves, and stops with npm', async ({ skip }) => {
    if (problem) skip(problem);
    const child = spawn('npx', ['--no-install', 'sluice', 'serve', '--port', '0'], {
      cwd: installed.folder,
      env: await home('serves'),
    });
    const started = follow(child);
    await started.printed('Ready:');
    await using server = await serverBelow(child.pid as number);
    const url = await urlIn(join(directory.path, 'serves'), installed);
    const client = new Client({ name: 'somebody', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('memory_call');
    const page = await (await fetch(new URL('/', url), { headers: { accept: 'text/html' } })).text();
    const script = /src="(console\/assets\/[^"]+)"/.exec(page)?.[1];
    expect((await fetch(new URL(`/${script}`, url))).headers.get('content-type')).toContain('text/javascript');
    // Through every worker: the tables', the model's, the events' and that of expressions.
    await callTool(client, 'memory_call', { tool: 'store', params: { text: 'The ferry leaves at nine.' } });
    const found = await callTool(client, 'memory_call', {
      tool: 'search',
      params: { query: 'when does the boat depart' },
    });
    expect(found.structuredContent).toMatchObject({ results: [{ text: 'The ferry leaves at nine.' }] });
    const events = await callTool(client, 'get_events', { tool: 'memory_store' });
    expect(events.structuredContent).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ event_type: 'tool.call_completed' })]) as object,
    });
    await client.close();
    child.kill('SIGTERM');
    await started.finished;
    await expect.poll(() => alive([server.pid])).toEqual([]);
  });

  test('is a stdio server by npx', async ({ skip }) => {
    if (problem) skip(problem);
    const transport = new StdioClientTransport({
      command: 'npx',
      args: ['--no-install', 'sluice', 'stdio'],
      cwd: installed.folder,
      env: await home('stdio'),
      stderr: 'ignore',
    });
    const client = new Client({ name: 'somebody', version: '1' });
    await client.connect(transport);
    await using server = await serverBelow(transport.pid as number);
    const status = await callTool(client, 'gateway_status', {});
    expect(status.structuredContent).toMatchObject({ version });
    await client.close();
    await expect.poll(() => alive([server.pid])).toEqual([]);
  });

  test('is what a bundle for other machines starts', async ({ skip }) => {
    if (problem) skip(problem);
    const env = await home('bundle');
    const bundle = join(directory.path, 'others.mcpb');
    await run('npx', ['--no-install', 'sluice', 'export', 'mcpb', '--npx', '--out', bundle], {
      cwd: installed.folder,
      env,
    });
    const { start } = await unpack(bundle, join(directory.path, 'unpacked'));
    const how = await start();
    if (how === undefined) throw new Error('The client would not start it.');
    // In the folder where npm has this version, so that it need not be published.
    const client = new Client({ name: 'claude-ai', version: '1' });
    const transport = new StdioClientTransport({
      ...how,
      env: { ...env, ...how.env },
      cwd: installed.folder,
      stderr: 'ignore',
    });
    await client.connect(transport);
    await using server = await serverBelow(transport.pid as number);
    const { structuredContent: status } = await callTool(client, 'gateway_status', {});
    expect(status).toMatchObject({ version });
    expect(JSON.stringify(status)).not.toContain('N8N_URL is');
    await client.close();
    await expect.poll(() => alive([server.pid])).toEqual([]);
  });

  test('has the types of sluice/module', async ({ skip }) => {
    if (problem) skip(problem);
    await run('npx', ['--no-install', 'sluice', 'modules', 'new', 'shop'], {
      cwd: installed.folder,
      // Without a configuration, the module is written to the working directory.
      env: { ...installed.env, SLUICE_HOME: join(directory.path, 'types') },
    });
    const wrong = `import { addressOf } from 'sluice/module';\nexport const address: number = addressOf('http://127.0.0.1');\n`;
    await writeFile(join(installed.folder, 'modules/wrong.ts'), wrong);
    const tsc = here('../../node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'esnext'];
    const node = ['--typeRoots', here('../../node_modules/@types'), '--types', 'node', '--skipLibCheck'];
    const check = (file: string) =>
      run(process.execPath, [tsc, ...options, ...node, `modules/${file}`], { cwd: installed.folder });
    await check('shop.ts');
    await expect(check('wrong.ts')).rejects.toMatchObject({
      stdout: expect.stringContaining("Type 'Address'") as string,
    });
  });

  test.skipIf('missing' in olderNode)('says on an older Node what it needs', async ({ skip }) => {
    if (problem) skip(problem);
    const { node } = olderNode as { node: string };
    const bin = join(installed.folder, 'node_modules/sluice/bin/sluice.js');
    await expect(run(node, [bin, 'serve'], { env: installed.env })).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^sluice needs Node 24 or newer; this is v2\d\.[\d.]+\.\nInstall Node 24/,
      ) as string,
    });
  });
});

/** The gateway that npm started. It ends with the test, also when that fails. */
async function serverBelow(npm: number): Promise<{ pid: number } & AsyncDisposable> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const rows = stdout.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const below = new Set([npm]);
  // A child has a higher id than its parent, or comes after it once the ids start again: look often enough for both.
  for (const _ of [1, 2, 3]) for (const [, pid, parent] of rows) if (below.has(Number(parent))) below.add(Number(pid));
  const server = rows.find(([, pid, , args = '']) => below.has(Number(pid)) && /\/sluice (?:serve|stdio)/.test(args));
  if (server === undefined) throw new Error(`npm started no gateway:\n${stdout}`);
  const pid = Number(server[1]);
  return {
    pid,
    async [Symbol.asyncDispose]() {
      for (const left of await alive([pid])) process.kill(left, 'SIGKILL');
    },
  };
}

async function urlIn(home: string, { folder, env }: Installed): Promise<string> {
  const { stdout } = await run('npx', ['--no-install', 'sluice', 'status', '--json'], {
    cwd: folder,
    env: { ...env, SLUICE_HOME: home },
  });
  return (JSON.parse(stdout) as { url: string }).url;
}
