import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Json,
  type LocalReference,
  startGateway,
  startReference,
  type TestGateway,
} from '../integration/harness.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);
const INSPECTOR = require.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

let reference: LocalReference;
let gateway: TestGateway;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-inspector-'));
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: {
      ref: reference.entry,
      packed: { ...reference.entry, expose: 'compact' },
      found: { ...reference.entry, expose: 'search' },
    },
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

interface Inspected {
  code: number;
  output: Json;
  stderr: string;
}

/** Runs MCP Inspector's command line, a client we did not write. */
function inspect(target: string[], method: string, ...flags: string[]): Promise<Inspected> {
  // Some flags take everything up to the next flag, so the target comes last.
  const args = ['--cli', ...flags, '--method', method, '--format', 'json', ...target];
  const env = { PATH: process.env.PATH, HOME: home, MCP_STORAGE_DIR: join(home, 'storage') };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [INSPECTOR, ...args],
      { env, cwd: home, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const output = JSON.parse(stdout === '' ? '{}' : stdout) as Json;
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, stderr });
      },
    );
  });
}

async function result(target: string[], method: string, ...flags: string[]): Promise<Json> {
  const { code, output, stderr } = await inspect(target, method, ...flags);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return output.result as Json;
}

function call(target: string[], name: string, args: Json): Promise<Json> {
  return result(target, 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));
}

const era = (name: 'legacy' | 'modern') => ['--protocol-era', name];
const modern = () => [gateway.mcp, '--transport', 'http', ...era('modern')];
const ways: [string, () => string[]][] = [
  ['http, 2026', modern],
  ['http, 2025', () => [gateway.mcp, '--transport', 'http', ...era('legacy')]],
  ['http, as it finds out', () => [gateway.mcp, '--transport', 'http', '--protocol-era', 'auto']],
  ['sse', () => [gateway.sse, '--transport', 'sse']],
  [
    'stdio, 2026',
    () => [
      '-e',
      `SLUICE_HOME=${gateway.home}`,
      '--transport',
      'stdio',
      ...era('modern'),
      process.execPath,
      here('../../bin/sluice.js'),
      'stdio',
    ],
  ],
  [
    'stdio, 2025',
    () => [
      '-e',
      `SLUICE_HOME=${gateway.home}`,
      '--transport',
      'stdio',
      ...era('legacy'),
      process.execPath,
      here('../../bin/sluice.js'),
      'stdio',
    ],
  ],
];

describe.each(ways)('MCP Inspector over %s', (_, target) => {
  test('lists the tools, and its strict check finds no fault', async () => {
    const { code, output, stderr } = await inspect(target(), 'tools/list', '--strict');
    expect(stderr).not.toMatch(/^Error/m);
    expect(code).toBe(0);
    const names = (output.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'gateway_status',
        'ref__echo',
        'packed_list',
        'packed_call',
        'packed_read',
        'find_tools',
        'describe_tools',
        'call_tool',
      ]),
    );
    // It may warn about what a server wrote, but not about our own tools and the wrappers.
    const warned = [...stderr.matchAll(/^(?:Warning|Error): tool "([^"]+)"/gm)].map(([, name]) => name);
    expect(warned.filter((name) => !name?.startsWith('ref__'))).toEqual([]);
  });

  test('calls a tool, and lists resources and prompts', async () => {
    const [called, resources, prompts] = await Promise.all([
      call(target(), 'ref__echo', { text: 'hi' }),
      result(target(), 'resources/list'),
      result(target(), 'prompts/list'),
    ]);
    expect(called.content).toEqual([{ type: 'text', text: 'hi' }]);
    expect(resources.resources).toContainEqual(expect.objectContaining({ uri: 'test://static-text' }));
    expect(prompts.prompts).toContainEqual(expect.objectContaining({ name: 'ref__test_simple_prompt' }));
  });
});

test('it calls our own tools, and others through the wrappers', async () => {
  const [status, packed, found] = await Promise.all([
    call(modern(), 'gateway_status', {}),
    call(modern(), 'packed_call', { tool: 'echo', params: { text: 'packed' } }),
    call(modern(), 'call_tool', { name: 'found__echo', arguments: { text: 'found' } }),
  ]);
  const backends = [{ name: 'ref', state: 'RUNNING' }, { name: 'packed' }, { name: 'found' }];
  expect(status.structuredContent).toMatchObject({ backends });
  expect(packed.content).toEqual([{ type: 'text', text: 'packed' }]);
  expect(found.content).toEqual([{ type: 'text', text: 'found' }]);
});

test('it reads a resource, lists templates, and gets a prompt', async () => {
  const prompt = ['--prompt-name', 'ref__test_prompt_with_arguments', '--prompt-args', 'arg1=first', 'arg2=second'];
  const [templates, read, got] = await Promise.all([
    result(modern(), 'resources/templates/list'),
    result(modern(), 'resources/read', '--uri', 'test://static-text'),
    result(modern(), 'prompts/get', ...prompt),
  ]);
  const template = expect.objectContaining({ uriTemplate: 'test://template/{id}/data' }) as unknown;
  expect(templates.resourceTemplates).toContainEqual(template);
  expect(read.contents).toMatchObject([{ uri: 'test://static-text', mimeType: 'text/plain' }]);
  expect(JSON.stringify(got.messages)).toMatch(/first.*second/);
});

test('failures have an exit code and a message', async () => {
  const [missing, failing] = await Promise.all([
    inspect(modern(), 'tools/call', '--tool-name', 'nope', '-q'),
    inspect(modern(), 'tools/call', '--tool-name', 'ref__fail', '--tool-args-json', '{"kind":"isError"}', '-q'),
  ]);
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain('nope');
  expect(failing.code).not.toBe(0);
  expect(JSON.stringify([failing.output, failing.stderr])).toContain('failed on request');
});
