/** `sluice export mcpb`: what the official tool says about the bundle, and what happens when Claude Desktop starts it. */
import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { callTool, textOf } from '../integration/harness.ts';
import { mcpb, unpack } from '../support/bundle.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, reference } from '../support/command-line.ts';
import { alive } from '../support/processes.ts';

/** As a desktop program has it: nothing of a shell. */
const desktop = { PATH: '/usr/bin:/bin' };

/** The client of Claude Desktop, with what it starts. */
async function connect(start: { command: string; args: string[]; env: Record<string, string> } | undefined) {
  if (start === undefined) throw new Error('The client would not start it.');
  const transport = new StdioClientTransport({
    ...start,
    env: { ...desktop, ...start.env },
    cwd: '/',
    stderr: 'ignore',
  });
  const client = new Client({ name: 'claude-ai', version: '0.1.0' });
  await client.connect(transport);
  const pid = transport.pid as number;
  return Object.assign(client, { pid, [Symbol.asyncDispose]: () => client.close() });
}

test('starts the Sluice of this machine with its configuration, and asks for what only the shell has', async () => {
  await using place = await createPlace({
    mcpServers: { ref: { ...reference, env: { TOKEN: '${REF_TOKEN}', KNOWN: '${BESIDE}' } } },
  });
  await writeFile(join(place.project, '.env'), 'BESIDE=in the file\n', { mode: 0o600 });
  const env = { REF_TOKEN: 'hidden-token', N8N_API_KEY: 'hidden-key' };
  const made = await place.run(['export', 'mcpb', '--out', 'mine.mcpb'], { env });
  const bundle = join(place.project, 'mine.mcpb');
  expect(made).toMatchObject({ code: 0, stdout: `${bundle}\n` });
  expect(made.stderr).toContain('asks for N8N_API_KEY, REF_TOKEN');

  expect(await mcpb('info', bundle)).toMatch(/mine\.mcpb/);
  const folder = join(place.project, 'unpacked');
  const { manifest, start } = await unpack(bundle, folder);
  expect(manifest).toMatchObject({ manifest_version: '0.3', name: 'sluice', version });
  expect(
    Object.entries(manifest.user_config ?? {}).map(([key, { sensitive, required }]) => [key, sensitive, required]),
  ).toEqual([
    ['n8n_api_key', true, true],
    ['ref_token', true, true],
  ]);
  for (const file of await readdir(folder, { recursive: true }))
    if ((await stat(join(folder, file))).isFile())
      expect(await readFile(join(folder, file), 'utf8')).not.toMatch(/hidden-|in the file/);
  expect((await stat(join(folder, 'server/start.sh'))).mode & 0o777).toBe(0o755);

  expect(await start()).toBeUndefined();
  const client = await connect(await start({ ref_token: 'typed by the user', n8n_api_key: 'typed' }));
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain('ref__echo');
  expect(textOf(await callTool(client, 'ref__echo', { text: 'hi' }))).toContain('hi');
  await client.close();
  await expect.poll(() => alive([client.pid])).toEqual([]);
});

test('uses the gateway that runs', async () => {
  await using place = await createPlace({ mcpServers: { ref: reference }, nodes: withoutCatalogue });
  await using gateway = await place.serve();
  await place.run(['export', 'mcpb']);
  const { start } = await unpack(join(place.project, 'sluice.mcpb'), join(place.project, 'unpacked'));
  await using client = await connect(await start());
  const status = await callTool(client, 'gateway_status', {});
  expect(status.structuredContent).toMatchObject({ url: expect.stringContaining('http://127.0.0.1:') as string });
  expect(gateway.child.exitCode).toBeNull();
});

test('the same configuration gives the same bundle, and a newer one takes its place', async () => {
  await using place = await createPlace({});
  const bundle = join(place.project, 'sluice.mcpb');
  await place.run(['export', 'mcpb']);
  const first = await readFile(bundle);
  await place.run(['export', 'mcpb']);
  expect((await readFile(bundle)).equals(first)).toBe(true);
  expect(await readdir(place.project)).toEqual(['sluice.json', 'sluice.mcpb']);
});

test('says in the log of the client that Sluice has gone, and takes the Node of the PATH if only Node has', async () => {
  await using place = await createPlace({});
  await place.run(['export', 'mcpb']);
  const { start } = await unpack(join(place.project, 'sluice.mcpb'), join(place.project, 'unpacked'));
  const { command, args: [script = '', node = '', sluice = ''] = [] } = (await start()) ?? { command: '' };
  const run = (...args: string[]) =>
    promisify(execFile)(command, [script, ...args, '--version'], {
      env: { PATH: `${join(node, '..')}:${desktop.PATH}` },
    });
  await expect(run(node, '/nowhere/sluice.js')).rejects.toMatchObject({
    code: 1,
    stderr: "Sluice is no longer at /nowhere/sluice.js. Run 'sluice export mcpb' again and open the new bundle.\n",
  });
  expect((await run('/nowhere/node', sluice)).stdout).toBe(`${version}\n`);
});

test('for other machines it lets npm install this version, and asks for an n8n', async () => {
  await using place = await createPlace({});
  const made = await place.run(['export', 'mcpb', '--npx', '--out', 'others.mcpb'], { env: { N8N_API_KEY: 'hidden' } });
  expect(made.stderr).toContain('needs Node 24');
  const { manifest, start } = await unpack(join(place.project, 'others.mcpb'), join(place.project, 'unpacked'));
  expect(JSON.stringify(manifest)).not.toMatch(new RegExp(`hidden|${place.user}|${place.home}`));
  expect(manifest.compatibility).toEqual({ platforms: ['darwin', 'linux'], runtimes: { node: '>=24' } });
  expect(await start()).toEqual({
    command: 'npx',
    args: ['-y', `--package=sluice@${version}`, 'sluice', 'stdio'],
    env: { N8N_URL: '', N8N_API_KEY: '' },
  });
  expect(await start({ n8n_url: 'http://n8n:5678', n8n_api_key: 'typed' })).toMatchObject({
    env: { N8N_URL: 'http://n8n:5678', N8N_API_KEY: 'typed' },
  });
});

test.each([
  [['--out', 'sluice.zip'], 2, /--out ends with \.mcpb/],
  [['--npx', '--config', 'sluice.json'], 2, /use --npx or --config, not both/],
  [['--out', 'nowhere/sluice.mcpb'], 1, /nowhere does not exist.*--out/],
  [['--config', 'missing.yaml'], 1, /missing\.yaml/],
] as const)('%j is refused', async (args, code, words) => {
  await using place = await createPlace({});
  const refused = await place.run(['export', 'mcpb', ...args]);
  expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) as string });
  expect(await readdir(place.project)).toEqual(['sluice.json']);
});
