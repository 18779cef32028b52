/** Servers of others as modules: a real Chromium behind Playwright's own server, and one that the user describes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isMissing } from '../../support/daemon.ts';
import { callTool, type CallResult, connectV2, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';
import { programs } from '../../e2e/foreign-servers.ts';

const CHROMIUM = '/usr/bin/chromium';
const PAGE = `<!doctype html><title>Sluice test page</title><h1>Hello</h1>
<button onclick="document.querySelector('h1').textContent = 'Pressed'">Press me</button>`;

async function listening(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

interface Browser extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly names: readonly string[];
  list(asked?: Json): Promise<string>;
  call(tool: string, params?: Json): Promise<CallResult>;
}

async function withBrowser(section: Json): Promise<Browser> {
  await using stack = new AsyncDisposableStack();
  const playwright = { executable: CHROMIUM, noSandbox: true, ...section };
  const gateway = stack.use(
    await startGateway({ memory: false, graph: false, blueprints: false, projects: false, modules: { playwright } }),
  );
  const client = stack.use(await connectV2(gateway, { era: 'modern' }));
  const { tools } = await client.listTools();
  const owned = stack.move();
  return {
    gateway,
    names: tools.map(({ name }) => name).filter((name) => name.startsWith('playwright')),
    list: async (asked = {}) => textOf(await callTool(client, 'playwright_list', asked)),
    call: (tool, params = {}) => callTool(client, 'playwright_call', { tool, params }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.skipIf(isMissing(CHROMIUM))('playwright', { timeout: 60_000 }, () => {
  /** Asked for by the page of the first, and by a redirect of it. */
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>');
  });
  let elsewhere: string;
  let otherPort: string;
  const beside = createServer((request, response) => {
    asked.push(`beside ${request.url}`);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Another service of this machine</h1>');
  });
  const web = createServer((request, response) => {
    if (request.url === '/away') return void response.writeHead(302, { location: `${elsewhere}/redirected` }).end();
    if (request.url === '/beside') return void response.writeHead(302, { location: otherPort }).end();
    const more = request.url === '/picture' ? `<img src="${elsewhere}/picture.png">` : '';
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE + more);
  });
  let url: string;

  beforeAll(async () => {
    url = await listening(web, 'localhost');
    elsewhere = await listening(other, '127.0.0.1');
    otherPort = await listening(beside, 'localhost');
  });

  afterAll(() => {
    for (const server of [web, other, beside]) {
      server.closeAllConnections();
      server.close();
    }
  });

  describe('read-only', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await withBrowser({ origins: [url] });
    }, 60_000);
    afterAll(() => browser[Symbol.asyncDispose]());

    test('is compact, and offers no tool that changes a page or runs code', async () => {
      expect(browser.names).toEqual(['playwright_list', 'playwright_call', 'playwright_read']);
      const tools = await browser.list();
      expect(tools).toContain('browser_snapshot(');
      for (const absent of ['click', 'type', 'fill_form', 'evaluate', 'run_code_unsafe', 'file_upload', 'drop'])
        expect(tools).not.toContain(`browser_${absent}(`);
    });

    test('shows no argument with which every call is refused', async () => {
      expect(await browser.list()).toMatch(/browser_take_screenshot\((?!.*filename).*fullPage/);
      for (const tool of ['browser_take_screenshot', 'browser_snapshot', 'browser_network_request']) {
        const { inputSchema } = JSON.parse(await browser.list({ tool })) as { inputSchema: { properties: Json } };
        expect(Object.keys(inputSchema.properties), tool).not.toContain('filename');
      }
    });

    test('opens a page, reads it and takes a picture', async () => {
      expect(textOf(await browser.call('browser_navigate', { url }))).toContain('Sluice test page');
      expect(textOf(await browser.call('browser_snapshot'))).toContain('heading "Hello"');
      const shot = await browser.call('browser_take_screenshot', { scale: 'css' });
      const image = shot.content?.find(({ type }) => type === 'image') as { data?: string } | undefined;
      expect(Buffer.from(image?.data ?? '', 'base64').length).toBeGreaterThan(1000);
    });

    test('refuses an address that is not allowed, and says where the list is', async () => {
      const refused = await browser.call('browser_navigate', { url: `${elsewhere}/asked` });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain(`modules.playwright.origins in sluice.yaml allows ${url}`);
      const file = await browser.call('browser_navigate', { url: 'file:///etc/passwd' });
      expect(textOf(file)).toContain('out of reach');
    });

    test('loads nothing from elsewhere, not even after a redirect', async () => {
      await browser.call('browser_navigate', { url: `${url}/picture` });
      const away = await browser.call('browser_navigate', { url: `${url}/away` });
      expect(away.isError).toBe(true);
      expect((await browser.call('browser_navigate', { url: `${url}/beside` })).isError).toBe(true);
      expect(asked).toEqual([]);
    });

    test('refuses tools that are off', async () => {
      for (const tool of ['browser_evaluate', 'browser_run_code_unsafe', 'browser_file_upload', 'browser_click']) {
        const refused = await browser.call(tool, { function: '() => 1', code: '1', paths: [], target: 'e1' });
        expect(refused.isError, tool).toBe(true);
        expect(textOf(refused)).toMatch(/no tool|not .*tool|unknown/i);
      }
    });

    test('keeps its files in a folder of its own', async () => {
      const folder = join(browser.gateway.home, 'modules', 'playwright');
      expect(await readdir(folder)).toContain('config.json');
      expect(await readFile(join(folder, 'config.json'), 'utf8')).toContain('MAP localhost:');
    });

    test('writes no file of a name that the caller chooses, such as the rules for the next browser', async () => {
      await browser.call('browser_navigate', { url });
      const refused = await browser.call('browser_network_request', {
        index: 1,
        part: 'response-body',
        filename: 'config.json',
      });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain('Leave filename out');
      const folder = join(browser.gateway.home, 'modules', 'playwright');
      expect(await readFile(join(folder, 'config.json'), 'utf8')).toContain('MAP localhost:');
    });

    test('writes nothing into the folders that a client names as its own', async () => {
      const root = await mkdtemp(join(tmpdir(), 'sluice-root-'));
      try {
        await using gateway = await startGateway({
          memory: false,
          graph: false,
          modules: { playwright: { executable: CHROMIUM, noSandbox: true, origins: [url] } },
        });
        const answer = async () => ({ roots: [{ uri: pathToFileURL(root).href }] });
        await using client = await connectV2(gateway, { era: 'legacy', capabilities: { roots: {} }, answer });
        const call = (tool: string, params: Json) => callTool(client, 'playwright_call', { tool, params });
        expect(textOf(await call('browser_navigate', { url }))).toContain('Sluice test page');
        expect((await call('browser_take_screenshot', {})).isError).toBeUndefined();
        await call('browser_network_request', { index: 1, filename: join(root, 'written') });
        expect(await readdir(root)).toEqual([]);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    });
  });

  test('read-write clicks; the unsafe tools stay off', async () => {
    await using browser = await withBrowser({ origins: ['http://localhost:*'], mode: 'read-write' });
    await browser.call('browser_navigate', { url });
    const target = /button "Press me".*?\[ref=([^\]]+)\]/.exec(textOf(await browser.call('browser_snapshot')))?.[1];
    expect((await browser.call('browser_click', { element: 'Press me', target })).isError).toBeUndefined();
    expect(textOf(await browser.call('browser_snapshot'))).toContain('heading "Pressed"');
    const tools = await browser.list();
    expect(tools).toContain('browser_click(');
    for (const absent of ['evaluate', 'run_code_unsafe', 'file_upload', 'drop'])
      expect(tools).not.toContain(`browser_${absent}(`);
  });
});

describe('a server of the file', () => {
  const everything = { command: process.execPath, args: [programs.everything, 'stdio'] };
  const section = {
    server: { ...everything, description: 'A server with everything', reads: ['echo', 'get-*'], never: ['get-env'] },
  };

  test('offers what it may, and follows the file', { timeout: 60_000 }, async () => {
    await using gateway = await startGateway({
      memory: false,
      graph: false,
      blueprints: false,
      projects: false,
      modules: { demo: section },
    });
    await using client = await connectV2(gateway, { era: 'modern' });
    const list = async () => textOf(await callTool(client, 'demo_list'));
    expect(await list()).toContain('echo(');
    expect(await list()).not.toContain('get-env(');
    expect(await list()).not.toContain('toggle-');
    const said = await callTool(client, 'demo_call', { tool: 'echo', params: { message: 'hello' } });
    expect(textOf(said)).toContain('hello');

    await gateway.reload({
      memory: false,
      graph: false,
      blueprints: false,
      projects: false,
      modules: { demo: { ...section, mode: 'read-write' } },
    });
    await vi.waitFor(async () => expect(await list()).toContain('toggle-'), { timeout: 20_000 });
    await gateway.reload({ memory: false, graph: false, blueprints: false, projects: false, modules: {} });
    await vi.waitFor(
      async () => expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('demo_list'),
      { timeout: 20_000 },
    );
  });
});

describe('what a section needs', () => {
  test.each<[string, Json, Record<string, string>, string]>([
    [
      'origins',
      {},
      { SLUICE_MODULES: 'playwright' },
      'modules.playwright.origins: is missing. Add it, for example origins: ["https://example.com"]. Or set PLAYWRIGHT_MCP_ALLOWED_ORIGINS.',
    ],
    ['a URL', {}, { SLUICE_MODULES: 'redis' }, 'modules.redis.url: is missing. Add it: a text. Or set REDIS_URL.'],
    // The variable is about the first of a kind.
    ['a URL of a second', { modules: { cache: { type: 'redis' } } }, {}, 'is missing. Add it: a text.'],
  ])('%s is named with an example, and with the variable that sets it', async (_, config, env, problem) => {
    const refused = await startGateway(config, { env }).then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    );
    expect(refused.endsWith(problem), refused).toBe(true);
  });

  test('comes from the variable', { timeout: 60_000 }, async () => {
    const env = { SLUICE_MODULES: 'playwright', PLAYWRIGHT_MCP_ALLOWED_ORIGINS: 'https://a.test;http://localhost:*' };
    await using gateway = await startGateway({}, { env });
    await using client = await connectV2(gateway, { era: 'modern' });
    expect(textOf(await callTool(client, 'playwright_list'))).toContain('browser_navigate(');
    const refused = await callTool(client, 'playwright_call', {
      tool: 'browser_navigate',
      params: { url: 'https://b.test' },
    });
    expect(textOf(refused)).toContain('allows https://a.test, http://localhost:*.');
  });
});
