import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptedTerminal } from '../../../test/fixtures/scripted-terminal.ts';
import { findClientConfigs } from '../../gateway/import/clients.ts';
import { placeOf } from '../../place.ts';
import { load as loadConfig } from '../../runtime.ts';
import { initCommand } from './init.ts';

let root: string;
let home: string;
let cwd: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-init-'));
  home = join(root, 'home');
  cwd = join(root, 'project');
  await mkdir(join(home, '.cursor'), { recursive: true });
  await mkdir(cwd);
  const mcpServers = {
    github: { command: 'github-mcp', env: { GITHUB_TOKEN: 'ghp-hunter2' } },
    memory: { command: 'memory-mcp' },
  };
  await writeFile(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
});
afterEach(() => rm(root, { recursive: true }));

async function init(
  answers: (string | undefined)[],
  values: Record<string, boolean | string> = {},
  interactive = true,
) {
  const scripted = scriptedTerminal(answers, interactive);
  const place = placeOf({ SLUICE_HOME: home }, scripted.terminal, cwd);
  const find = () => findClientConfigs({ home, platform: 'linux', cwd });
  const code = await initCommand(place, find).run({ values, positionals: [] });
  return { code, ...scripted, text: await readFile(join(cwd, 'sluice.yaml'), 'utf8') };
}

const config = async () => (await loadConfig({ cwd, home, env: {} })).config;

describe('with a person', () => {
  test('all servers by default; secrets are in .env, which the configuration refers to', async () => {
    const { code, said, text, unused } = await init(['', 'n']);
    expect(code).toBe(0);
    expect(unused).toEqual([]);
    expect(said.join('\n')).toMatch(/1 {2}github {2}github-mcp {2}Cursor\n {2}2 {2}memory/);
    expect(text).toContain('GITHUB_TOKEN: ${GITHUB_TOKEN}');
    expect(await readFile(join(cwd, '.env'), 'utf8')).toBe('GITHUB_TOKEN=ghp-hunter2\n');
    expect((await config()).mcpServers).toMatchObject({
      github: { transport: { kind: 'stdio', env: { GITHUB_TOKEN: 'ghp-hunter2' } } },
      memory: { transport: { command: 'memory-mcp' } },
    });
    expect([text, ...said].join('\n')).not.toContain('hunter2');
  });

  test('some of them, after a slip', async () => {
    const { said } = await init(['7', 'memory', 'n']);
    expect(said).toContain('7 is not within 1 to 2.');
    expect(Object.keys((await config()).mcpServers)).toEqual(['memory']);
    await expect(stat(join(cwd, '.env'))).rejects.toThrow('ENOENT');
  });

  test('n8n: the key is asked for unseen and goes to .env', async () => {
    const { asked, text, said } = await init(['none', 'y', 'nonsense', 'http://n8n.local:5678', 'n8n-hunter2']);
    expect(asked.at(-1)).toMatchObject({ hidden: true });
    expect(text).toContain('apiKey: ${N8N_API_KEY}\n');
    expect([text, ...said].join('\n')).not.toContain('hunter2');
    expect((await config()).n8n.default).toMatchObject({ url: 'http://n8n.local:5678', apiKey: 'n8n-hunter2' });
  });

  test('n8n without a key yet: it starts all the same, and where to put the key is said', async () => {
    const { said } = await init(['none', 'yes', '', '']);
    expect((await config()).n8n.default).toMatchObject({ url: 'http://127.0.0.1:5678' });
    expect(said.join('\n')).toContain('Put N8N_API_KEY=… into');
  });

  test('a file that is there is overwritten only after a yes', async () => {
    await writeFile(join(cwd, 'sluice.yaml'), '# mine\n');
    await expect(init([''])).rejects.toThrow('Nothing was written.');
    expect(await readFile(join(cwd, 'sluice.yaml'), 'utf8')).toBe('# mine\n');
    expect((await init(['y', 'none', 'n'])).text).not.toContain('# mine');
  });

  test('an old sluice.json is not passed over in silence', async () => {
    await writeFile(join(cwd, 'sluice.json'), '{}');
    const { asked } = await init(['y', 'none', 'n']);
    expect(asked[0]?.question).toContain('sluice.json already exists');
  });
});

describe('without questions', () => {
  test('--yes imports everything and asks nothing', async () => {
    const { code, asked } = await init([], { yes: true }, false);
    expect(code).toBe(0);
    expect(asked).toEqual([]);
    expect(Object.keys((await config()).mcpServers)).toEqual(['github', 'memory']);
  });

  test('nothing found is a file to start from', async () => {
    await rm(join(home, '.cursor'), { recursive: true });
    expect((await init([], { yes: true }, false)).said[0]).toBe('Found no servers of other clients.');
    expect((await config()).mcpServers).toEqual({});
  });

  test('--from reads that file alone', async () => {
    const file = join(root, 'theirs.json');
    await writeFile(file, JSON.stringify({ servers: { docs: { url: 'https://example.com/mcp' } } }));
    await init([], { yes: true, from: file }, false);
    expect(Object.keys((await config()).mcpServers)).toEqual(['docs']);
  });

  test('--from a file that is not there, or is no JSON', async () => {
    const missing = join(root, 'none.json');
    await expect(init([], { yes: true, from: missing }, false)).rejects.toThrow(`${missing} does not exist`);
    await writeFile(missing, '{"a": hunter2}');
    await expect(init([], { yes: true, from: missing }, false)).rejects.toThrow(`${missing} is not valid JSON`);
  });

  test('one broken configuration does not cost the others', async () => {
    await writeFile(join(cwd, '.mcp.json'), '{');
    const { said } = await init([], { yes: true }, false);
    expect(said[0]).toMatch(/^Skipped: .*\.mcp\.json is not valid JSON/);
    expect(Object.keys((await config()).mcpServers)).toEqual(['github', 'memory']);
  });

  test('a file that is there needs --force', async () => {
    await writeFile(join(cwd, 'sluice.yaml'), '# mine\n');
    await expect(init([], { yes: true }, false)).rejects.toThrow('--force');
    expect(await readFile(join(cwd, 'sluice.yaml'), 'utf8')).toBe('# mine\n');
    expect((await init([], { yes: true, force: true }, false)).text).toContain('github:');
  });

  test('neither a terminal nor --yes is wrong usage', async () => {
    await expect(init([], {}, false)).rejects.toThrow('Add --yes');
  });

  test('what is still missing is said', async () => {
    const file = join(root, 'theirs.json');
    await writeFile(file, JSON.stringify({ mcpServers: { docs: { url: '${DOCS_URL}' } } }));
    const { said } = await init([], { yes: true, from: file }, false);
    expect(said.join('\n')).toMatch(/Fix this before you start it:\n.*sluice\.yaml has a problem:[^]*DOCS_URL/);
  });
});
