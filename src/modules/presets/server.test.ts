import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallContext } from '../../kernel/source.ts';
import { presets } from './built-in.ts';
import { type ReadPreset, readSection } from './section.ts';
import { placeOf, presetSecrets, serverOf } from './server.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-presets-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

function read(name: string, section: object): ReadPreset {
  const result = readSection(name, presets.get(name), section as Record<string, unknown>);
  if ('findings' in result) throw new Error(JSON.stringify(result.findings));
  return result;
}

describe('mongodb-mcp', () => {
  const url = 'mongodb://ann:hidden@db.test';

  test('is a pinned package with a read-only variable, without telemetry', async () => {
    const { transport, tools, expose, confirm } = await serverOf('mongodb-mcp', read('mongodb-mcp', { url }), home);
    expect(transport).toMatchObject({
      kind: 'stdio',
      command: 'npx',
      args: ['--yes', 'mongodb-mcp-server@3.0.4'],
      env: { MDB_MCP_CONNECTION_STRING: url, MDB_MCP_READ_ONLY: 'true', MDB_MCP_TELEMETRY: 'disabled' },
      cwd: join(home, 'modules/mongodb-mcp'),
    });
    expect({ tools, expose, confirm }).toMatchObject({
      tools: { exclude: expect.arrayContaining(['connect']) },
      expose: 'compact',
      confirm: ['drop-*', 'delete-*'],
    });
    expect((await stat(join(home, 'modules/mongodb-mcp'))).mode & 0o777).toBe(0o700);
  });

  test('writes only if the section says so', async () => {
    const { transport } = await serverOf('mongodb-mcp', read('mongodb-mcp', { url, mode: 'read-write' }), home);
    expect(transport).not.toHaveProperty('env.MDB_MCP_READ_ONLY');
  });

  test('has a secret', () => {
    expect(presetSecrets(read('mongodb-mcp', { url }))).toEqual([url]);
  });
});

test('github-mcp sends its token and asks for reading; changed tools are held', async () => {
  const { transport, onChange } = await serverOf(
    'github-mcp',
    read('github-mcp', { token: 'abc', toolsets: ['repos', 'issues'] }),
    home,
  );
  expect(transport).toMatchObject({
    kind: 'http',
    headers: { Authorization: 'Bearer abc', 'X-MCP-Readonly': 'true', 'X-MCP-Toolsets': 'repos,issues' },
  });
  expect(onChange).toBe('hold');
});

test('github-mcp may be elsewhere', async () => {
  const section = { token: 'abc', url: 'https://copilot-api.acme.ghe.com/mcp' };
  const { transport } = await serverOf('github-mcp', read('github-mcp', section), home);
  expect(JSON.stringify(transport)).toContain('copilot-api.acme.ghe.com');
});

test('what is said about where a server is has none of its keys', () => {
  const given = { server: { url: 'https://ann:hidden@mcp.test/mcp?apiKey=also-hidden#x', reads: ['*'] } };
  expect(placeOf(read('other', given))).toBe('https://mcp.test/mcp');
});

test('grafana is a pinned package of PyPI', async () => {
  const section = { url: 'http://127.0.0.1:3000', token: 'abc', env: { GRAFANA_ORG_ID: '2' } };
  const { transport } = await serverOf('grafana', read('grafana', section), home);
  expect(transport).toMatchObject({
    command: 'uvx',
    args: ['mcp-grafana@1.1.0', '--disable-write'],
    env: { GRAFANA_URL: 'http://127.0.0.1:3000', GRAFANA_SERVICE_ACCOUNT_TOKEN: 'abc', GRAFANA_ORG_ID: '2' },
  });
});

describe('playwright', () => {
  const allowed = ['https://example.com', 'http://localhost:*'];

  test('is the installed program if the version is the same, else npx', async () => {
    const installed = await serverOf('playwright', read('playwright', { origins: allowed }), home);
    const other = await serverOf('playwright', read('playwright', { origins: allowed, version: '0.0.1' }), home);
    expect(installed.transport).toMatchObject({ command: process.execPath });
    expect(other.transport).toMatchObject({ command: 'npx' });
  });

  test('lets Chromium find only the hosts of the allow-list', async () => {
    const { transport } = await serverOf('playwright', read('playwright', { origins: allowed }), home);
    const args = (transport as { args: string[] }).args;
    expect(args.join(' ')).toContain('--allowed-origins https://example.com;http://localhost:*');
    const config = await readFile(args[args.indexOf('--config') + 1] ?? '', 'utf8');
    expect(config).toContain('MAP example.com:443 example.com:443 , EXCLUDE localhost , MAP * ~NOTFOUND');
  });

  test('needs no rules if everything is allowed', async () => {
    const { transport } = await serverOf('playwright', read('playwright', { origins: ['*'] }), home);
    expect((transport as { args: string[] }).args).not.toContain('--config');
  });

  test('refuses other addresses with a reason', async () => {
    const { enter } = await serverOf('playwright', read('playwright', { origins: allowed }), home);
    const go = (tool: string, url: string) => () =>
      enter?.(tool, {} as CallContext, { name: tool, arguments: { url } })?.[Symbol.dispose]();
    const refused = 'out of reach: modules.playwright.origins in sluice.yaml allows https://example.com';
    expect(go('browser_navigate', 'https://evil.test/')).toThrow(refused);
    expect(go('browser_tabs', 'https://evil.test/')).toThrow(refused);
    expect(go('browser_navigate', 'https://example.com/')).not.toThrow();
    expect(go('browser_wait_for', 'https://evil.test/')).not.toThrow();
  });
});
