import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findClientConfigs, importServers, renderConfig } from './clients.ts';
import { load as loadConfig } from '../../runtime.ts';

let root: string;
let home: string;
let cwd: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-clients-'));
  home = join(root, 'home');
  cwd = join(root, 'project');
  await mkdir(home);
  await mkdir(cwd);
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: unknown): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Loads a rendered configuration. */
async function loaded(servers: Record<string, unknown>, env: Record<string, string> = {}) {
  await writeFile(join(cwd, 'sluice.yaml'), renderConfig(servers, { taken: ['n8n'] }));
  return (await loadConfig({ cwd, home, env })).config;
}

describe('finding', () => {
  test.each([
    ['darwin', 'Library/Application Support'],
    ['linux', '.config'],
    ['win32', 'AppData/Roaming'],
  ] as const)('%s', async (platform, applications) => {
    const paths = [
      join(home, applications, 'Claude/claude_desktop_config.json'),
      join(home, '.claude.json'),
      join(cwd, '.mcp.json'),
      join(home, '.cursor/mcp.json'),
      join(cwd, '.cursor/mcp.json'),
      join(home, applications, 'Code/User/mcp.json'),
      join(cwd, '.vscode/mcp.json'),
      join(home, '.codeium/windsurf/mcp_config.json'),
      join(cwd, 'external-mcp.json'),
    ];
    expect(await findClientConfigs({ home, platform, cwd })).toEqual([]);
    for (const path of paths) await write(path, {});
    expect((await findClientConfigs({ home, platform, cwd })).map(({ path }) => path)).toEqual(paths);
  });
});

describe('importing', () => {
  test('Claude Desktop', async () => {
    const path = await write(join(home, 'claude_desktop_config.json'), {
      globalShortcut: '',
      mcpServers: {
        filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop'] },
        'brave-search': { command: 'npx', args: ['-y', 'brave'], env: { BRAVE_API_KEY: 'literal' } },
      },
    });
    const { mcpServers } = await loaded(await importServers(path));
    expect(mcpServers).toMatchObject({
      filesystem: {
        transport: { kind: 'stdio', args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop'] },
      },
      'brave-search': { transport: { env: { BRAVE_API_KEY: 'literal' } } },
    });
  });

  test.each([
    ['by name', { docs: { url: 'https://docs.example/mcp' } }],
    ['in a list', [{ name: 'docs', url: 'https://docs.example/mcp' }]],
    ['in a list of servers', { servers: [{ name: 'docs', url: 'https://docs.example/mcp' }] }],
    ['as clients have them', { mcpServers: { docs: { url: 'https://docs.example/mcp' } } }],
  ])('external-mcp.json, servers %s: each behind docs_list and docs_call', async (_, content) => {
    const path = await write(join(cwd, 'external-mcp.json'), content);
    const { mcpServers } = await loaded(await importServers(path));
    expect(mcpServers).toMatchObject({
      docs: { transport: { kind: 'http', url: 'https://docs.example/mcp' }, expose: 'compact' },
    });
    expect(Object.keys(mcpServers)).toEqual(['docs']);
  });

  test('Claude Code: the user, the project, and what the user keeps for the project', async () => {
    const path = await write(join(home, '.claude.json'), {
      numStartups: 34,
      mcpServers: { notion: { type: 'http', url: 'https://mcp.notion.com/mcp' } },
      projects: {
        [cwd]: { allowedTools: [], mcpServers: { asana: { type: 'sse', url: 'https://mcp.asana.com/events' } } },
        '/elsewhere': { mcpServers: { other: { command: 'x' } } },
      },
    });
    expect(Object.keys(await importServers(path))).toEqual(['notion']);
    const { mcpServers } = await loaded(await importServers(path, cwd));
    expect(mcpServers).toMatchObject({
      notion: { transport: { kind: 'http' } },
      asana: { transport: { kind: 'sse' } },
    });
    expect(mcpServers).not.toHaveProperty('other');

    const project = await write(join(cwd, '.mcp.json'), {
      mcpServers: {
        api: {
          type: 'http',
          url: '${API_BASE:-https://api.example.com}/mcp',
          headers: { Authorization: 'Bearer ${API_KEY}' },
        },
      },
    });
    expect((await loaded(await importServers(project), { API_KEY: 'k' })).mcpServers.api?.transport).toEqual({
      kind: 'http',
      url: 'https://api.example.com/mcp',
      headers: { Authorization: 'Bearer k' },
    });
  });

  test('Cursor', async () => {
    const path = await write(join(home, '.cursor/mcp.json'), {
      mcpServers: {
        github: { url: 'https://api.githubcopilot.com/mcp/', headers: { Authorization: 'Bearer ${env:GITHUB_TOKEN}' } },
        local: { type: 'stdio', command: 'uvx', args: ['thing'], envFile: '${workspaceFolder}/.env.local' },
      },
    });
    const servers = await importServers(path);
    expect(renderConfig(servers)).toContain('# not imported: envFile\n');
    expect((await loaded(servers, { GITHUB_TOKEN: 't' })).mcpServers).toMatchObject({
      github: { transport: { headers: { Authorization: 'Bearer t' } } },
      local: { transport: { command: 'uvx' } },
    });
  });

  test('VS Code: servers, inputs and comments', async () => {
    const path = await write(
      join(cwd, '.vscode/mcp.json'),
      `{
  // asked once
  "inputs": [{ "type": "promptString", "id": "perplexity-key", "password": true }],
  "servers": {
    /* the official one */
    "Perplexity Ask": {
      "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask", "\${workspaceFolder}"],
      "env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" },
      "gallery": true,
    },
  },
}`,
    );
    const servers = await importServers(path);
    expect(renderConfig(servers)).toContain('# was called "Perplexity Ask"');
    const { mcpServers } = await loaded(servers, { PERPLEXITY_KEY: 'k' });
    expect(mcpServers['Perplexity-Ask']?.transport).toMatchObject({
      args: ['-y', 'server-perplexity-ask', cwd],
      env: { PERPLEXITY_API_KEY: 'k' },
    });
  });

  test('VS Code settings.json, where servers used to live', async () => {
    const path = await write(join(home, 'settings.json'), { mcp: { servers: { a: { command: 'x' } } } });
    expect(await importServers(path)).toEqual({ a: { command: 'x' } });
  });

  test('Windsurf: what was switched off stays off', async () => {
    const path = await write(join(home, '.codeium/windsurf/mcp_config.json'), {
      mcpServers: {
        figma: { serverUrl: 'https://mcp.figma.com/mcp', disabledTools: ['delete_file'], alwaysAllow: ['get'] },
        old: { command: 'x', disabled: true },
      },
    });
    expect((await loaded(await importServers(path))).mcpServers).toMatchObject({
      figma: {
        transport: { kind: 'http', url: 'https://mcp.figma.com/mcp' },
        enabled: true,
        tools: { include: [], exclude: ['delete_file'] },
      },
      old: { enabled: false },
    });
  });

  test('Gemini CLI and Cline', async () => {
    const path = await write(join(home, 'settings.json'), {
      mcpServers: {
        gemini: { httpUrl: 'https://example.com/mcp', timeout: 600_000, trust: false, includeTools: ['a'] },
        cline: {
          type: 'streamableHttp',
          url: 'https://example.com/x',
          autoApprove: ['b'],
          timeout: 60,
          disabled: false,
        },
      },
    });
    expect((await loaded(await importServers(path))).mcpServers).toMatchObject({
      gemini: { timeout: 600_000, tools: { include: ['a'] } },
      cline: { timeout: 60_000, enabled: true, transport: { kind: 'http' } },
    });
  });

  test('Sluice itself is left out', async () => {
    const path = await write(join(cwd, '.mcp.json'), {
      mcpServers: {
        a: { command: 'sluice', args: ['stdio'] },
        b: { command: 'npx', args: ['-y', 'sluice@latest', 'stdio'] },
        c: { command: 'node', args: ['/opt/gateway/bin/sluice.js', 'stdio'] },
        d: { command: 'npx', args: ['sluice-gate-sensor'] },
        sluice: { type: 'http', url: 'http://127.0.0.1:3500/mcp' },
      },
    });
    expect(Object.keys(await importServers(path))).toEqual(['d']);
  });

  test.each(['', '{}', '{"mcpServers": []}', '[]', '{"mcpServers": {"a": "x"}}'])('%j has no servers', async (text) => {
    expect(await importServers(await write(join(cwd, 'x.json'), text))).toEqual({});
  });

  test('the error about broken JSON names the file, but does not quote it', async () => {
    const path = await write(join(cwd, 'x.json'), '{ "mcpServers": { "TOKEN": hunter2 } }');
    const error: unknown = await importServers(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(path) });
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('the file that is written', () => {
  test('is tidy', () => {
    const servers = {
      everything: { command: 'npx', args: ['-y', '@scope/server'], env: { TOKEN: '${TOKEN}' } },
      remote: { url: 'https://example.com/mcp', gallery: true },
    };
    expect(renderConfig(servers)).toContain(`
mcpServers:
  everything:
    command: npx
    args: [-y, "@scope/server"]
    env:
      TOKEN: \${TOKEN}
  # not imported: gallery
  remote:
    url: https://example.com/mcp
`);
  });

  test('loads without any server too', async () => {
    expect((await loaded({})).mcpServers).toEqual({});
  });

  test('gives every server its own name', async () => {
    const { mcpServers } = await loaded({
      n8n: { command: 'x' },
      'a.b': { command: 'x' },
      'a-b': { command: 'x' },
      A_B: { command: 'x' },
    });
    expect(Object.keys(mcpServers)).toEqual(['n8n-mcp', 'a-b', 'a-b-mcp', 'A_B-2']);
  });

  test('keeps awkward values', async () => {
    const args = ['a: b', '# c', '${TOKEN}', "it's", '"q"', 'line\nbreak', '', '{x}', '[y]', '*', '007', 'true'];
    expect((await loaded({ x: { command: 'x', args } }, { TOKEN: 't' })).mcpServers.x?.transport).toMatchObject({
      args: args.map((arg) => (arg === '${TOKEN}' ? 't' : arg)),
    });
  });
});
