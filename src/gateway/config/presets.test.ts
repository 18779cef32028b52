import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tree } from '../../host/config/tree.ts';
import type { AnyPart } from '../../host/part.ts';
import { parts } from '../../parts.ts';
import { applyPresets } from './presets.ts';
import { load as loadConfig, configSchema } from '../../runtime.ts';

let bin: string;
const cwd = '/project';

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'sluice-presets-'));
});
afterEach(() => rm(bin, { recursive: true }));

async function install(command: string): Promise<void> {
  await writeFile(join(bin, command), '#!/bin/sh\n');
  await chmod(join(bin, command), 0o755);
}

const claims = (file: object) =>
  Object.values<AnyPart>(parts)
    .toReversed()
    .flatMap((part) => part.claims?.(file as Tree) ?? []);

async function apply(file: object, env: Record<string, string>) {
  const { servers, ...rest } = await applyPresets(configSchema.parse(file), {
    claims: claims(file),
    env: { PATH: `/nowhere:${bin}`, ...env },
    cwd,
  });
  return { ...rest, config: { mcpServers: servers } };
}

test('chora: on if its key is set, with its output restricted to the working directory', async () => {
  await install('chora-compose');
  const { config, unavailable } = await apply({}, { ANTHROPIC_API_KEY: 'sk-1', MCP_N8N_BACKEND_TIMEOUT: '10' });
  expect(unavailable).toEqual([]);
  expect(config.mcpServers).toMatchObject({
    chora: {
      transport: { kind: 'stdio', command: 'chora-compose', args: [], env: { ANTHROPIC_API_KEY: 'sk-1' } },
      prefix: 'chora',
      timeout: 10_000,
      callTimeout: 10_000,
      allowedPaths: [{ tool: 'assemble_artifact', argument: 'output_path', directories: [cwd] }],
    },
  });
  expect(config.mcpServers.chora).not.toHaveProperty('when');
});

test('chora: its telemetry file is watched and may be missing, and its memory has the events', async () => {
  await install('chora-compose');
  const places = async (config: object, env: Record<string, string>) => (await apply(config, env)).events;
  const key = { ANTHROPIC_API_KEY: 'sk-1' };
  const path = `${cwd}/var/telemetry/events.jsonl`;
  const jsonl = `${cwd}/.chora/memory/events`;
  expect(await places({}, key)).toEqual({ watch: [{ path, from: 'end', optional: true }], jsonl });
  expect(await places({}, {})).toEqual({ watch: [] });
  expect(await places({ presets: { chora: false } }, key)).toEqual({ watch: [] });
});

test('a built-in preset can be changed in part', async () => {
  await install('chora-compose');
  const load = async (presets: string, given: Record<string, string>) => {
    await writeFile(join(bin, 'sluice.yaml'), `presets:\n  chora: ${presets}\n`);
    const { config, env, claims: taken } = await loadConfig({ cwd: bin, home: bin, env: { PATH: bin, ...given } });
    const { servers, events } = await applyPresets(config, { claims: taken, env, cwd: bin });
    return { mcpServers: servers, watch: events.watch };
  };
  const allowed = '{ allowedPaths: [{ tool: assemble_artifact, argument: output_path, directories: [., /srv/docs] }] }';
  const config = await load(allowed, { ANTHROPIC_API_KEY: 'sk-1' });
  expect(config.mcpServers.chora).toMatchObject({
    transport: { command: 'chora-compose', env: { ANTHROPIC_API_KEY: 'sk-1' } },
    allowedPaths: [{ directories: [bin, '/srv/docs'] }],
  });
  expect(config.watch).toHaveLength(1);
  expect(await load('{ timeout: 60 }', { ANTHROPIC_API_KEY: 'sk-1' })).toMatchObject({
    mcpServers: { chora: { timeout: 60_000, allowedPaths: [{ directories: [bin] }] } },
  });
  expect((await load(allowed, {})).mcpServers).toEqual({});
});

test('coda: the folder is passed only if it is set', async () => {
  await install('coda-mcp');
  const env = async (given: Record<string, string>) =>
    (await apply({}, { CODA_API_KEY: 'k', ...given })).config.mcpServers.coda?.transport;
  expect(await env({})).toEqual({ kind: 'stdio', command: 'coda-mcp', args: [], env: { CODA_API_KEY: 'k' } });
  expect(await env({ CODA_FOLDER_ID: 'f' })).toMatchObject({ env: { CODA_API_KEY: 'k', CODA_FOLDER_ID: 'f' } });
});

test('without their variables no preset is active', async () => {
  await install('chora-compose');
  await install('coda-mcp');
  expect(await apply({}, { CODA_API_KEY: '' })).toMatchObject({ config: { mcpServers: {} }, unavailable: [] });
});

test('a command that is missing, not a file or not executable is reported, not started', async () => {
  await mkdir(join(bin, 'chora-compose'));
  await writeFile(join(bin, 'coda-mcp'), '');
  const { config, unavailable } = await apply({}, { ANTHROPIC_API_KEY: 'sk-1', CODA_API_KEY: 'k' });
  expect(config.mcpServers).toEqual({});
  expect(unavailable).toEqual([
    { name: 'chora', reason: 'The command chora-compose is not installed (not found on PATH).' },
    { name: 'coda', reason: 'The command coda-mcp is not installed (not found on PATH).' },
  ]);
});

test("the user's own server or preset overrides a built-in one, and false switches it off", async () => {
  await install('chora-compose');
  await install('coda-mcp');
  await install('mine');
  const env = { ANTHROPIC_API_KEY: 'sk-1', CODA_API_KEY: 'k', MINE: '1' };
  const own = {
    mcpServers: { chora: { command: 'other' } },
    presets: { coda: { command: 'mine', when: { env: 'MINE' } } },
  };
  expect((await apply(own, env)).config.mcpServers).toMatchObject({
    chora: { transport: { command: 'other' } },
    coda: { transport: { command: 'mine' } },
  });
  expect((await apply({ presets: { chora: false, coda: false } }, env)).config.mcpServers).toEqual({});
});

test("a user's preset: by command or by URL", async () => {
  const presets = {
    remote: { url: 'https://example.com/mcp', when: { env: 'REMOTE' } },
    path: { command: join(bin, 'tool'), when: { env: 'REMOTE' } },
    off: { url: 'https://example.com/mcp', when: { env: 'NOT_SET' } },
  };
  await install('tool');
  const { config } = await apply({ presets }, { REMOTE: 'yes' });
  expect(Object.keys(config.mcpServers)).toEqual(['remote', 'path']);
});

test('a preset whose name is taken is left out, with a reason', async () => {
  await install('coda-mcp');
  const { config, unavailable } = await apply(
    { mcpServers: { x: { command: 'y', prefix: 'Coda' } } },
    { CODA_API_KEY: 'k' },
  );
  expect(Object.keys(config.mcpServers)).toEqual(['x']);
  expect(unavailable).toMatchObject([{ name: 'coda', reason: expect.stringContaining('the server "x"') }]);
});

test('a server or preset that is off because its secret is missing still hides the built-in one', async () => {
  await install('chora-compose');
  await install('coda-mcp');
  await writeFile(
    join(bin, 'sluice.yaml'),
    `mcpServers:
  chora: { command: chora-compose, env: { KEY: \${NOT_SET} }, enabled: false }
presets:
  coda: { command: coda-mcp, env: { KEY: \${NOT_SET} }, when: { env: NOT_SET } }
`,
  );
  const given = { PATH: bin, ANTHROPIC_API_KEY: 'sk-1', CODA_API_KEY: 'k' };
  const { config, env, claims: taken } = await loadConfig({ cwd: bin, home: bin, env: given });
  const applied = await applyPresets(config, { claims: taken, env, cwd: bin });
  expect(applied).toMatchObject({ servers: {}, unavailable: [] });
});
