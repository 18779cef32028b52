import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import {
  type AnyClient,
  callTool,
  connectV2,
  type Json,
  startGateway,
  type TestGateway,
  textOf,
} from '../../integration/harness.ts';

const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202E${'😈'.repeat(200)}`;

describe.skipIf(browserIsMissing)(`the console's approvals ${needsBrowser}`, () => {
  let server: ScriptedServer;
  let gateway: TestGateway;
  let client: AnyClient & AsyncDisposable;
  let blueprints: BlueprintCalls;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  const ran = () =>
    server.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params.arguments);

  beforeAll(async () => {
    const inputSchema = { type: 'object', properties: { id: {}, pin: { type: 'string', format: 'password' } } };
    server = await startScripted('modern', {
      'tools/list': () => ({ tools: [{ name: 'wipe', inputSchema }] }),
      'tools/call': () => ({ resultType: 'complete', content: [{ type: 'text', text: 'wiped' }] }),
    });
    gateway = await startGateway({
      gateway: { allowInternalUrls: true },
      mcpServers: {
        easy: { ...server.entry, confirm: ['wipe'] },
        strict: { ...server.entry, confirm: 'human' },
      },
    });
    client = await connectV2(gateway, { era: 'modern', capabilities: {} });
    blueprints = await blueprintCalls(gateway);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await blueprints?.[Symbol.asyncDispose]();
    await client?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  afterEach(() => {
    (server.received as unknown[]).length = 0;
  });

  async function ask(name: string, args: Json): Promise<string> {
    const result = await callTool(client, name, args);
    expect(result.isError).toBe(true);
    return ((result._meta as Json)['sluice/error'] as { confirm: string }).confirm;
  }

  const card = (page: ConsolePage, text: string) => page.view.getByRole('listitem').filter({ hasText: text });

  async function decide(page: ConsolePage, text: string, answer: 'Approve' | 'Refuse', note = ''): Promise<void> {
    await card(page, text).getByRole('button', { name: answer }).click();
    const dialog = page.view.getByRole('dialog');
    await dialog.getByRole('textbox').fill(note);
    await dialog.getByRole('button', { name: answer }).click();
    await card(page, text).waitFor({ state: 'detached' });
  }

  it('says that nothing waits', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/approvals');
    await page.view.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    expect(await page.view.title()).toBe('Approvals – Sluice');
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
    await page.shot('empty');
  });

  it('a call that needs a person waits until somebody approves it', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/approvals');
    const confirm = await ask('strict__wipe', { id: 'orders', pin: '1234' });
    await page.view.getByRole('heading', { name: 'May local call strict__wipe?' }).waitFor();
    await expect.poll(() => page.view.title()).toBe('(1) Approvals – Sluice');
    await card(page, 'strict__wipe').getByText('Arguments').click();
    await card(page, 'strict__wipe').getByText('orders', { exact: true }).waitFor();
    expect(await page.view.content()).not.toContain('1234');
    await page.shot('one');
    await card(page, 'strict__wipe').getByRole('button', { name: 'Approve' }).click();
    await page.view.getByRole('dialog').getByRole('textbox').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('dialog');
    await page.view.keyboard.press('Escape');
    expect(ran()).toEqual([]);
    await decide(page, 'strict__wipe', 'Approve');
    await page.view.getByText('You approved strict__wipe. It runs when local repeats the call.').waitFor();
    await expect.poll(() => page.view.title()).toBe('Approvals – Sluice');
    expect(textOf(await callTool(client, 'strict__wipe', { id: 'orders', pin: '1234', confirm }))).toBe('wiped');
    expect(ran()).toEqual([{ id: 'orders', pin: '1234' }]);
    expect(page.troubles()).toEqual([]);
  });

  it('a refused call is void, and the caller is told why', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/approvals');
    for (const tool of ['strict__wipe', 'easy__wipe']) {
      const confirm = await ask(tool, { id: 1 });
      await decide(page, tool, 'Refuse', 'Not on a Friday');
      const result = await callTool(client, tool, { id: 1, confirm });
      expect(textOf(result)).toBe(`A person refused ${tool}: Not on a Friday. Nothing was done.`);
    }
    expect(ran()).toEqual([]);
  });

  it('an ordinary call leaves the list when its user confirms it elsewhere, even while somebody decides', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/approvals');
    const late = await ask('easy__wipe', { id: 3 });
    await card(page, 'easy__wipe').getByRole('button', { name: 'Refuse' }).click();
    await callTool(client, 'easy__wipe', { id: 3, confirm: late });
    await page.view.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
    await page.view.getByText('This call does not wait any more').waitFor();
    const confirm = await ask('easy__wipe', { id: 2 });
    await card(page, 'easy__wipe').waitFor();
    expect(textOf(await callTool(client, 'easy__wipe', { id: 2, confirm }))).toBe('wiped');
    await card(page, 'easy__wipe').waitFor({ state: 'detached' });
  });

  it('a step of a blueprint waits here, too, and what one page decides the other notices', async () => {
    await blueprints.call('blueprint_save', {
      text: 'name: release\nsteps: [{ id: go, approval: "Go live for everybody?", timeout: 7d }]',
    });
    const { run } = await blueprints.confirmed<{ run: string }>('blueprint_deploy', { name: 'release' });
    const first = await browser.page(gateway.url);
    const second = await browser.page(gateway.url);
    await first.open('console/approvals');
    await second.open('console/approvals');
    await card(second, 'Go live for everybody?').getByText('Blueprint release, step go').waitFor();
    expect(await card(second, 'Go live').getByRole('link', { name: 'See more' }).getAttribute('href')).toBe(
      `console/blueprints/runs/${run}`,
    );
    await decide(first, 'Go live for everybody?', 'Approve', 'Tested');
    await card(second, 'Go live for everybody?').waitFor({ state: 'detached' });
    const { state } = await blueprints.call<{ state: string }>('blueprint_status', { run, wait_seconds: 20 });
    expect(state).toBe('succeeded');
    expect([...first.troubles(), ...second.troubles()]).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 360],
  ] as const)('shows hostile texts as texts (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await ask('strict__wipe', { id: HOSTILE, [HOSTILE]: HOSTILE.repeat(500) });
    await ask('easy__wipe', { id: 4 });
    await page.open('console/approvals');
    await card(page, 'strict__wipe').getByText('Arguments').click();
    await card(page, 'strict__wipe').locator('.tree').getByText('<script>').first().waitFor();
    expect(await page.violations()).toEqual([]);
    const isWide = await page.view.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWide).toBe(false);
    await page.shot(`hostile-${colorScheme}-${width}`);
    await decide(page, 'strict__wipe', 'Refuse', HOSTILE);
    await decide(page, 'easy__wipe', 'Refuse');
    await expect.poll(() => page.view.title()).toBe('Approvals – Sluice');
    expect(page.troubles()).toEqual([]);
  });

  it('notifies whoever wants it of what is new, while nobody looks', async () => {
    const page = await browser.page(gateway.url);
    await page.view.clock.install();
    await page.view.addInitScript(`
      window.shown = [];
      class Recorded extends EventTarget {
        static permission = sessionStorage.getItem('permission') ?? 'default';
        static async requestPermission() {
          sessionStorage.setItem('permission', 'granted');
          return (Recorded.permission = 'granted');
        }
        constructor(title, options) {
          super();
          window.shown.push({ title, ...options, at: this });
        }
        close() {}
      }
      window.Notification = Recorded;
      window.hide = (hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      };
    `);
    const bodies = () => page.view.evaluate('shown.map(({ body }) => body)');
    await page.open('console/approvals');
    await page.view.getByRole('button', { name: 'Notify me' }).click();
    await page.view.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    await ask('easy__wipe', { id: 5 });
    await card(page, 'easy__wipe').waitFor();
    expect(await bodies()).toEqual([]);
    await page.view.getByRole('link', { name: 'Overview' }).click();
    await page.view.evaluate('hide(true)');
    await ask('strict__wipe', { id: 6 });
    // A page that is hidden asks every half minute.
    await page.view.clock.fastForward(31_000);
    await expect.poll(bodies).toEqual(['May local call strict__wipe?']);
    await page.view.evaluate('hide(false); shown[0].at.dispatchEvent(new Event("click"))');
    await card(page, 'strict__wipe').waitFor();
    await decide(page, 'strict__wipe', 'Refuse');
    await decide(page, 'easy__wipe', 'Refuse');
    await page.view.reload();
    await page.view.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    await page.view.evaluate(`sessionStorage.setItem('permission', 'denied')`);
    await page.view.reload();
    await page.view.getByText('Your browser blocks notifications').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('with authentication, one who asked cannot approve it; another one can', async () => {
    await using guarded = await startGateway({
      auth: { mode: 'keys' },
      mcpServers: { strict: { ...server.entry, confirm: 'human' } },
    });
    const signedIn = async (name: string, scopes: string[]) => {
      const grant = { name, scopes, createdBy: 'test', createdAt: new Date().toISOString() };
      const { key } = await createKey(guarded.runtime.store.keys, grant);
      const headers = { authorization: `Bearer ${key}` };
      const page = await browser.page(guarded.url);
      const answer = await page.view.context().request.post(`${guarded.url}/api/v1/session`, { headers });
      expect(answer.status()).toBe(200);
      await page.open('console/approvals');
      return { page, headers };
    };
    const asker = await signedIn('claude', ['tools:execute']);
    const admin = await signedIn('anna', ['admin']);
    await using calling = await connectV2(guarded, { headers: asker.headers, capabilities: {} });
    const first = await callTool(calling, 'strict__wipe', { id: 1 });
    const { confirm } = (first._meta as Json)['sluice/error'] as { confirm: string };
    await card(asker.page, 'strict__wipe').getByText('the key that asks for it').waitFor();
    expect(await card(asker.page, 'strict__wipe').getByRole('button').allTextContents()).toEqual(['Refuse']);
    await asker.page.shot('own');
    await decide(admin.page, 'May claude call strict__wipe?', 'Approve', 'Go ahead');
    await card(asker.page, 'strict__wipe').waitFor({ state: 'detached' });
    expect(textOf(await callTool(calling, 'strict__wipe', { id: 1, confirm }))).toBe('wiped');
  });

  it('says that the gateway went away, and keeps what was there', async () => {
    const own = await startGateway({ mcpServers: { easy: { ...server.entry, confirm: ['wipe'] } } });
    const page = await browser.page(own.url);
    {
      await using calling = await connectV2(own, { capabilities: {} });
      await callTool(calling, 'easy__wipe', { id: 1 });
    }
    await page.open('console/approvals');
    await card(page, 'easy__wipe').waitFor();
    await own[Symbol.asyncDispose]();
    await page.view.getByText('The gateway stopped answering').waitFor();
    expect(await card(page, 'easy__wipe').count()).toBe(1);
  });
});
