import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SLUICE = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-start-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs the shipped command until it exits. */
function serve(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: directory, SLUICE_HOME: join(directory, 'home') };
  return new Promise((resolve) => {
    execFile(process.execPath, [SLUICE, 'serve', ...args], { cwd: directory, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

const config = (text: string) => writeFile(join(directory, 'sluice.yaml'), text);

/** A server that would leave a trace if it were started. */
const tracer = () => `traced: { command: touch, args: ["${join(directory, 'started')}"] }`;

async function expectNothingStarted(): Promise<void> {
  expect(existsSync(join(directory, 'started'))).toBe(false);
  expect(await readdir(directory)).toEqual(['sluice.yaml']);
}

test('unknown keys are reported with path, line and fix, all at once; nothing starts', async () => {
  await config(
    `server: { prot: 3501 }\nmcpServers:\n  ${tracer()}\n  docs:\n    url: https://example.com/mcp\n    timeoutt: 5s\ntoolset: {}\n`,
  );
  const { code, stdout, stderr } = await serve('--port', '0');
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('sluice.yaml has 3 problems:');
  expect(stderr).toMatch(/line 1, server\.prot\n.*\n.*port/);
  expect(stderr).toMatch(/line 6, mcpServers\.docs\.timeoutt\n.*\n.*timeout/);
  expect(stderr).toMatch(/line 7, toolset\n.*\n.*toolsets/);
  await expectNothingStarted();
});

test('a missing secret is reported with the variable and where to set it; nothing starts', async () => {
  await config(
    `mcpServers:\n  ${tracer()}\n  remote:\n    url: https://example.com/mcp\n    headers: { Authorization: "Bearer \${NO_SUCH_TOKEN}" }\n`,
  );
  const { code, stdout, stderr } = await serve('--port', '0');
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/line 5, mcpServers\.remote\.headers\.Authorization\n.*NO_SUCH_TOKEN.*\n.*\.env/);
  await expectNothingStarted();
});

test.each([
  ['a wrong type', 'server: { port: lots }', /line 1, server\.port\n.*\n/],
  ['broken YAML', 'mcpServers: {\n  a: [', /line \d+/],
  [
    'no server at all in an entry',
    'mcpServers:\n  empty: {}',
    /line 2, mcpServers\.empty\n.*neither a command nor a URL.*\n.*Add command/,
  ],
  [
    'two sources with the same name',
    'mcpServers:\n  n8n: { url: "http://127.0.0.1:1/mcp" }',
    /Sluice's own "n8n" tools/,
  ],
  [
    'a store without a database',
    'store: postgres://someone:hidden@127.0.0.1:5432',
    /line 1, store\n.*names no database.*\n.*postgres:\/\/user:password@host:5432\/database/,
  ],
  ['a Redis without replicas', 'redis: redis://127.0.0.1', /line 1, redis\n.*need PostgreSQL.*\n.*Remove it/],
  [
    'a module with a wrong URL',
    'modules:\n  redis: { url: "http://127.0.0.1" }',
    /line 2, modules\.redis\.url\n.*\n.*redis:\/\//,
  ],
  ['a module that does not exist', 'modules: { reddis: {} }', /line 1, modules\.reddis\n.*\n.*Did you mean redis\?/],
])('%s is reported too', async (_, text, words) => {
  await config(text);
  const { code, stderr } = await serve('--port', '0');
  expect(code).toBe(1);
  expect(stderr).toMatch(words);
  await expectNothingStarted();
});

async function withTaken(use: (port: number) => Promise<void>): Promise<void> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  await use((other.address() as AddressInfo).port);
  other.close();
}

test('a port in use is reported with a remedy; nothing starts', async () => {
  await config(`mcpServers:\n  ${tracer()}\n`);
  await withTaken(async (port) => {
    const { code, stdout, stderr } = await serve('--port', String(port));
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port: --port`,
    );
  });
  await expectNothingStarted();
});

test('so is a port in use for the internal listener', async () => {
  await withTaken(async (port) => {
    await config(`server: { internal: { host: 127.0.0.1, port: ${port} } }\nmcpServers:\n  ${tracer()}\n`);
    const { code, stderr } = await serve('--port', '0');
    expect(code).toBe(3);
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('Change server.internal.');
  });
  await expectNothingStarted();
});

test('an address that this machine does not have is reported; nothing starts', async () => {
  await config(`auth: { mode: keys }\nmcpServers:\n  ${tracer()}\n`);
  const { code, stderr } = await serve('--port', '0', '--host', '192.0.2.1');
  expect(code).toBe(3);
  expect(stderr).toMatch(/Cannot listen on 192\.0\.2\.1:0.*--host/);
  await expectNothingStarted();
});

test.each<[string, string, string[], () => Promise<unknown>, RegExp, number]>([
  [
    'a configuration that is missing',
    '',
    ['--config', 'no.yaml'],
    async () => {},
    /no\.yaml has a problem:\n\n.*\n +does not exist/,
    1,
  ],
  [
    'a directory for a configuration',
    '',
    ['--config', 'd'],
    () => mkdir(join(directory, 'd')),
    /\n +is a directory, not a file\n/,
    1,
  ],
  // Docker creates a directory when the file to mount is missing.
  [
    'a directory where the file is looked for',
    '',
    [],
    () => mkdir(join(directory, 'sluice.yml')),
    /sluice\.yml has a problem:\n\n.*\n +is a directory/,
    1,
  ],
  [
    'a data directory that is a file',
    'server: {}',
    [],
    () => writeFile(join(directory, 'home'), ''),
    /The data directory .*home is a file, not a directory\./,
    1,
  ],
  [
    'a key that is a directory',
    'server: {}',
    [],
    () => mkdir(join(directory, 'home', 'sluice.key'), { recursive: true }),
    /sluice\.key, is a directory, not a file/,
    3,
  ],
  [
    'the directory of a socket',
    'server: { internal: { socket: ./no/s.sock } }',
    [],
    async () => {},
    /The directory .*no does not exist\. Create it, or change server\.internal\.socket/,
    1,
  ],
])('%s is reported', async (_, text, args, make, words, exitCode) => {
  if (text !== '') await config(text);
  await make();
  const { code, stderr } = await serve('--port', '0', ...args);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/\n +at /);
  expect(code).toBe(exitCode);
});

test.each([
  ['by option', ['--host', '0.0.0.0'], ''],
  ['by the file', [], 'server: { host: 0.0.0.0 }'],
  ['on all of IPv6', ['--host', '::'], ''],
])('the network is not served without authentication (%s)', async (_, args, text) => {
  await config(`${text}\nmcpServers:\n  ${tracer()}\n`);
  const { code, stdout, stderr } = await serve('--port', '0', ...args);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('without authentication');
  await expectNothingStarted();
});

test.each([
  [['--port', '99999'], '--port must be a number from 0 to 65535, not 99999'],
  [['--expose', 'everything'], '--expose must be flat, compact or search, not everything'],
  [['--nonsense'], "Unknown option '--nonsense'"],
])('wrong usage %j prints the error and the usage', async (args, words) => {
  const { code, stderr } = await serve(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).toContain('Usage: sluice serve');
});
