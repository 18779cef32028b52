import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import type { Node } from '../../../src/n8n/client/shapes.ts';
import { openBreakingProxy, type BreakingProxy } from '../../support/breaking-proxy.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';
import { hook, node } from '../../support/workflows.ts';

const prefix = `c${crypto.randomUUID().slice(0, 5)}`;
const HOSTILE = `<img src=x onerror="document.title='owned'">`;
const ORDERS = `${prefix} orders ${HOSTILE}`;

const at = (x: number, y: number, one: Node): Node => ({ ...one, position: [x, y] });

/** A webhook, a branch that fails, one that does not, sub-nodes of an agent, a note and a cycle. */
const orders = () => ({
  name: ORDERS,
  nodes: [
    at(0, 0, hook(`${prefix}-orders`)),
    at(
      220,
      0,
      node('Large?', 'if', 2.2, {
        conditions: {
          combinator: 'and',
          conditions: [
            {
              id: 'c',
              leftValue: '={{ $json.body.total }}',
              rightValue: 10,
              operator: { type: 'number', operation: 'gt' },
            },
          ],
          options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
        },
        options: {},
      }),
    ),
    at(
      460,
      -100,
      node(`Check ${HOSTILE}`, 'code', 2, { jsCode: `throw new Error(${JSON.stringify(`no stock ${HOSTILE}`)})` }),
    ),
    at(460, 100, node('Later', 'noOp', 1, {}, { disabled: true, notes: HOSTILE })),
    at(700, 0, node('Ask', '@n8n/n8n-nodes-langchain.agent', 2, { promptType: 'define', text: 'hi', options: {} })),
    at(700, 200, node('Count', '@n8n/n8n-nodes-langchain.toolCalculator', 1)),
    at(
      0,
      220,
      node('Note', 'stickyNote', 1, { content: `Orders come from the shop. ${HOSTILE}`, width: 320, height: 120 }),
    ),
  ],
  connections: {
    Hook: { main: [[{ node: 'Large?', type: 'main', index: 0 }]] },
    'Large?': {
      main: [[{ node: `Check ${HOSTILE}`, type: 'main', index: 0 }], [{ node: 'Later', type: 'main', index: 0 }]],
    },
    Later: { main: [[{ node: 'Large?', type: 'main', index: 0 }]] },
    Count: { ai_tool: [[{ node: 'Ask', type: 'ai_tool', index: 0 }]] },
  },
  settings: { executionOrder: 'v1' },
});

/** 300 nodes in a row. */
const large = () => {
  const names = Array.from({ length: 300 }, (_, index) => `Step ${index}`);
  return {
    name: `${prefix} large`,
    nodes: names.map((name, index) => at((index % 20) * 220, Math.floor(index / 20) * 160, node(name, 'noOp', 1))),
    connections: Object.fromEntries(
      names
        .slice(1)
        .map((name, index) => [names[index] as string, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
    ),
    settings: {},
  };
};

describe.skipIf(browserIsMissing || n8nIsMissing)(`the console's page n8n ${needsBrowser}`, () => {
  const held = new AsyncDisposableStack();
  let reached: TestN8n;
  let n8n: N8nClient;
  let proxy: BreakingProxy;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let [id, largeId, failedRun] = ['', '', ''];

  beforeAll(async () => {
    reached = await startN8n();
    const { url, apiKey, owner } = reached;
    n8n = createN8nClient('default', { url, apiKey, timeoutMs: 60_000 });
    proxy = held.use(await openBreakingProxy(url));
    const directory = await mkdtemp(join(tmpdir(), 'sluice-console-n8n-'));
    held.defer(() => rm(directory, { recursive: true, force: true }));
    const entry = { url: proxy.url, apiKey, login: owner };
    gateway = held.use(await serve(directory, { n8n: { default: entry } }, { env: sharedCache }));
    await gateway.ready();
    ({ id } = await n8n.workflows.create(orders()));
    held.defer(() => n8n.workflows.delete(id));
    ({ id: largeId } = await n8n.workflows.create(large()));
    held.defer(() => n8n.workflows.delete(largeId));
    await vi.waitFor(() => call('n8n_validate_workflow', { id }), { timeout: 120_000, interval: 200 });
    await call('n8n_publish_workflow', { id, validate: 'off' });
    const ran = await call<{ execution: string }>('n8n_execute_workflow', { id, data: { total: 12 } });
    failedRun = ran.execution;
    browser = held.use(await openBrowser());
  }, N8N_START_MS);

  afterAll(() => held.disposeAsync(), 60_000);

  async function call<T>(name: string, args: object): Promise<T> {
    const response = await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: args }),
    });
    const text = await response.text();
    const { result } = JSON.parse(text) as { result?: { structuredContent?: T; isError?: boolean } };
    if (!result?.structuredContent || result.isError) throw new Error(text);
    return result.structuredContent;
  }

  /** What is wrong with what the page shows now. */
  async function wrongIn(page: ConsolePage): Promise<string[]> {
    const owned = (await page.view.title()).includes('owned') ? ['a script of a text ran'] : [];
    return [...(await page.violations()), ...page.troubles(), ...owned];
  }

  const inN8n = (path: string) => `console/n8n/default/${path}`;

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('says how n8n is doing and leads to what fails (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/n8n');
    await page.view.getByText('Look at this first').waitFor();
    await page.view
      .getByRole('link', { name: /failed once at/ })
      .first()
      .waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot(`n8n-overview-${colorScheme}`);
    await page.view.getByRole('button', { name: 'Failures' }).click();
    const group = page.view.locator('.n8n-failure', { hasText: ORDERS });
    await group.getByText('The code of the node failed').waitFor();
    await group.getByRole('button', { name: 'Details' }).click();
    await group.getByText('Its input').waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot(`n8n-failures-${colorScheme}`);
    await group.getByRole('link', { name: ORDERS }).click();
    await page.view.getByRole('heading', { level: 1, name: ORDERS }).waitFor();
    expect(new URL(page.view.url()).searchParams.get('run')).toBe(failedRun);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('finds workflows and executions (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/n8n?view=workflows');
    await page.view.getByRole('list', { name: 'Workflows' }).waitFor();
    await page.view.keyboard.press('/');
    await page.view.keyboard.type(`${prefix} ord`);
    await page.view.getByText(/^1 of/).waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot(`n8n-workflows-${colorScheme}`);
    await page.view.getByRole('button', { name: 'Executions' }).click();
    const row = page.view.getByRole('listitem').filter({ hasText: ORDERS }).first();
    await row.getByText('error', { exact: true }).waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot(`n8n-executions-${colorScheme}`);
    await row.getByRole('link').click();
    await page.view.getByText(`no stock ${HOSTILE}`).first().waitFor();
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)(
    'draws a workflow with what ran, what failed and what is wrong (%s, %i wide)',
    async (colorScheme, width) => {
      const page = await browser.page(gateway.url, { colorScheme, width });
      await page.open(inN8n(`workflow/${id}`));
      const { view } = page;
      await view.getByRole('button', { name: `Check ${HOSTILE}, Code, failed` }).waitFor();
      await view.getByText('true · 1 item').waitFor();
      await view.locator('.note text', { hasText: 'Orders come from' }).waitFor();
      await view.getByRole('heading', { name: 'Findings' }).waitFor();
      await view.getByLabel('Findings').getByRole('button', { name: 'Ask' }).first().waitFor();
      expect(await wrongIn(page)).toEqual([]);
      await page.shot(`n8n-drawing-${colorScheme}`);
      await view.getByLabel('Findings').getByRole('button', { name: 'Ask' }).first().click();
      await view.getByRole('heading', { name: 'Ask' }).waitFor();
      await view.getByRole('button', { name: `Check ${HOSTILE}, Code, failed` }).focus();
      await view.keyboard.press('Enter');
      const panel = view.getByLabel('The chosen node');
      await panel.getByText(`no stock ${HOSTILE}`).first().waitFor();
      await panel.getByRole('button', { name: 'Input' }).click();
      await panel.getByText('1 item', { exact: true }).waitFor();
      expect(await wrongIn(page)).toEqual([]);
      await page.shot(`n8n-node-${colorScheme}`);
      await view.reload();
      await panel.getByText(`no stock ${HOSTILE}`).first().waitFor();
      await view.getByLabel('Execution to lay over it').selectOption('none');
      await view.getByRole('button', { name: /^Ask, AI Agent, 2 warnings/ }).waitFor();
      await page.shot(`n8n-findings-${colorScheme}`);
    },
  );

  it('draws 300 nodes', async () => {
    const page = await browser.page(gateway.url);
    await page.open(inN8n(`workflow/${largeId}`));
    await page.view.getByRole('button', { name: /^Step 299/ }).waitFor();
    expect(await page.view.locator('.graph .node').count()).toBe(300);
    expect(page.troubles()).toEqual([]);
    await page.shot('n8n-large');
  });

  it('is walked with the keyboard: one stop of Tab, then arrow keys, and what has the focus is in view', async () => {
    const page = await browser.page(gateway.url);
    const { view } = page;
    await page.open(inN8n(`workflow/${largeId}`));
    await view.getByRole('button', { name: /^Step 0,/ }).waitFor();
    expect(await view.locator('.graph .node[tabindex="0"]').count()).toBe(1);
    const canvas = view.getByRole('group', { name: /^The workflow/ });
    await canvas.focus();
    await view.keyboard.press('Tab');
    const focused = view.locator('.graph .node:focus');
    await vi.waitFor(async () => expect(await focused.getAttribute('data-id')).toBe('Step 0'));
    for (const _ of Array(8)) await view.keyboard.press('ArrowRight');
    await view.keyboard.press('ArrowDown');
    expect(await focused.getAttribute('data-id')).toBe('Step 28');
    const [inside, around] = await Promise.all([focused.boundingBox(), canvas.boundingBox()]);
    if (!inside || !around) throw new Error('Nothing has the focus.');
    expect(inside.x).toBeGreaterThanOrEqual(around.x);
    expect(inside.x + inside.width).toBeLessThanOrEqual(around.x + around.width);
    await view.keyboard.press('Enter');
    const panel = view.getByLabel('The chosen node');
    await panel.getByRole('heading', { name: 'Goes to' }).waitFor();
    await panel.getByRole('button', { name: 'Step 29' }).click();
    await panel.getByRole('heading', { name: 'Step 29' }).waitFor();
    expect(await view.evaluate('document.activeElement.tagName')).toBe('ASIDE');
  });

  it('keeps an execution on the drawing while it is read again, and says if executions cannot be read', async () => {
    const page = await browser.page(gateway.url);
    const { view } = page;
    let [reads, isRefused] = [0, false];
    await view.route('**/api/v1/mcp/invoke', async (route) => {
      if (route.request().postDataJSON().name !== 'n8n_list_executions') return route.fallback();
      if (isRefused) {
        const content = [{ type: 'text', text: 'This key may not list executions.' }];
        return route.fulfill({ json: { result: { content, isError: true } } });
      }
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"status":"error"', '"status":"running"');
      return route.fulfill({ response, body: text });
    });
    await view.route('**/executions/*/drawing', async (route) => {
      // The first is answered; the others stay open.
      if (++reads === 1) await route.fallback();
    });
    await page.open(inN8n(`workflow/${id}`));
    const failed = view.getByRole('button', { name: `Check ${HOSTILE}, Code, failed` });
    await failed.waitFor();
    await vi.waitFor(() => expect(reads).toBeGreaterThan(1), { timeout: 10_000 });
    expect(await failed.isVisible()).toBe(true);
    isRefused = true;
    await view.reload();
    await view.getByRole('alert').filter({ hasText: 'may not list executions' }).waitFor();
    expect(await view.getByText('n8n has no executions of it').count()).toBe(0);
  });

  it('compares versions and backups in words and side by side, and restores one', async () => {
    const page = await browser.page(gateway.url);
    const { view } = page;
    await page.open(inN8n(`workflow/${id}?view=versions`));
    const list = view.getByRole('table', { name: 'Versions and backups' });
    await view.getByRole('button', { name: 'Back up now' }).click();
    await view.getByText('Backed up.').waitFor();
    await call('n8n_edit_workflow', {
      id,
      operations: [{ op: 'rename_node', node: 'Later', to: 'Much later' }],
      validate: 'off',
    });
    await view.reload();
    const backup = list.getByRole('row', { name: /Backup asked for/ }).first();
    await backup.getByRole('button', { name: 'Compare with the draft' }).click();
    await view
      .getByText(/Later.*Much later/)
      .first()
      .waitFor();
    await view.getByRole('table', { name: 'Both sides' }).waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('n8n-versions');
    await backup.getByRole('button', { name: 'Restore …' }).click();
    const dialog = view.getByRole('dialog');
    await dialog.getByText('A backup of the draft is taken first').waitFor();
    await dialog
      .getByText(/Much later/)
      .first()
      .waitFor();
    await page.shot('n8n-restore');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await view.getByText('Restored as the draft').waitFor();
    expect((await n8n.workflows.get(id)).nodes.map(({ name }) => name)).toContain('Later');
    const version = list.getByRole('row', { name: /Version in n8n/ }).first();
    await version.getByRole('button', { name: 'Restore …' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await vi.waitFor(
      async () => expect((await n8n.workflows.get(id)).nodes.map(({ name }) => name)).toContain('Much later'),
      { timeout: 10_000, interval: 200 },
    );
    expect(page.troubles()).toEqual([]);
  });

  it('backs up the whole n8n, shows what is in it, and brings a deleted workflow back', async () => {
    const { id: gone } = await n8n.workflows.create({
      ...orders(),
      name: `${prefix} gone`,
      nodes: [],
      connections: {},
    });
    const page = await browser.page(gateway.url, { width: 360 });
    const { view } = page;
    await page.open('console/n8n?view=backups');
    await view.getByRole('button', { name: 'Back up this n8n now' }).click();
    await view.getByText(/Backed up \d+ workflows/).waitFor();
    await n8n.workflows.delete(gone);
    await view
      .getByRole('button', { name: /ago|just now/ })
      .first()
      .click();
    const item = view
      .getByRole('listitem')
      .filter({ hasText: `${prefix} gone` })
      .last();
    await item.getByText('now deleted').waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('n8n-backups');
    await item.getByRole('button', { name: 'Restore …' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await view.getByText('is restored').waitFor();
    expect((await n8n.workflows.get(gone)).name).toBe(`${prefix} gone`);
    await n8n.workflows.delete(gone);
  });

  it('compares the backups of a deleted workflow, and brings it back', async () => {
    const made = await n8n.workflows.create({ ...orders(), name: `${prefix} deleted`, nodes: [], connections: {} });
    for (const name of ['Once', 'Twice']) {
      await n8n.workflows.update(
        made.id,
        { ...orders(), name: `${prefix} deleted`, nodes: [node(name, 'noOp', 1)], connections: {} },
        false,
      );
      await call('n8n_backup_workflow', { id: made.id });
    }
    await n8n.workflows.delete(made.id);
    const page = await browser.page(gateway.url);
    const { view } = page;
    await page.open(inN8n(`workflow/${made.id}?view=versions`));
    const list = view.getByRole('table', { name: 'Versions and backups' });
    await list.waitFor();
    expect(await view.getByRole('option', { name: 'The draft' }).count()).toBe(0);
    await view.getByLabel('Compare').selectOption({ index: 2 });
    await view.getByRole('table', { name: 'Both sides' }).waitFor();
    await list.getByRole('button', { name: 'Restore …' }).first().click();
    const dialog = view.getByRole('dialog');
    await dialog.getByText('is not in n8n any more').waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await view.getByText('is back').waitFor();
    expect((await n8n.workflows.get(made.id)).nodes.map(({ name }) => name)).toEqual(['Twice']);
    await n8n.workflows.delete(made.id);
  });

  it('offers nothing that a key may not do', async () => {
    const page = await browser.page(gateway.url);
    await page.view.route('**/api/v1/session', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), scopes: ['n8n:read'] } });
    });
    await page.open(inN8n(`workflow/${id}?view=versions`));
    await page.view.getByRole('button', { name: 'Compare with the draft' }).first().waitFor();
    expect(await page.view.getByRole('button', { name: /Restore|Back up|ublish/ }).count()).toBe(0);
  });

  it('says that n8n is gone, keeps what it knows, and goes on when n8n is back', async () => {
    const page = await browser.page(gateway.url);
    const { view } = page;
    await page.open(inN8n(`workflow/${id}`));
    await view.getByRole('button', { name: /^Large\?/ }).waitFor();
    proxy.spoil(1, 'gone');
    await fetch(proxy.url, { method: 'POST' }).catch(() => {});
    await call('n8n_list_workflows', {}).catch(() => {});
    await view.getByText('n8n does not answer', { exact: true }).waitFor({ timeout: 30_000 });
    await view.getByRole('button', { name: /^Large\?/ }).waitFor();
    expect(await wrongIn(page)).toEqual([]);
    await page.shot('n8n-away');
    await page.open('console/n8n?view=backups');
    await view.getByRole('link', { name: ORDERS }).waitFor();
    await page.open('console/n8n');
    await view.getByText('Nothing is known yet').waitFor();
    proxy.heal();
    await view.getByText('Look at this first').waitFor({ timeout: 45_000 });
    expect(page.troubles()).toEqual([]);
  }, 90_000);
});

describe.skipIf(browserIsMissing)(`the console's page n8n with several that do not work ${needsBrowser}`, () => {
  it('says of each what is wrong, also of one whose address leads to something else', async () => {
    await using held = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'sluice-console-n8n-'));
    held.defer(() => rm(directory, { recursive: true, force: true }));
    const odd = createServer((_, response) => response.setHeader('content-type', 'text/html').end(HOSTILE));
    await new Promise<void>((listening) => odd.listen(0, '127.0.0.1', listening));
    held.defer(() => void odd.close());
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const gateway = held.use(
      await serve(directory, {
        n8n: { default: { url: 'http://127.0.0.1:1', apiKey: 'none' }, odd: { url, apiKey: 'none' } },
      }),
    );
    const browser = held.use(await openBrowser());
    const page = await browser.page(gateway.url, { width: 360 });
    await page.open('console/n8n');
    await vi.waitFor(async () => expect(await page.view.getByText('n8n does not answer').count()).toBe(2), {
      timeout: 15_000,
    });
    await page.shot('n8n-several');
    for (const view of ['overview', 'workflows', 'executions', 'failures', 'backups']) {
      await page.open(`console/n8n/odd?view=${view}`);
      await page.view.getByText('n8n does not answer').first().waitFor();
    }
    await page.open('console/n8n/odd/workflow/nothing');
    await page.view.getByText('n8n does not answer').first().waitFor();
    expect(await page.view.title()).not.toContain('owned');
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
    await page.shot('n8n-odd');
  });
});

describe.skipIf(browserIsMissing)(`the console's page n8n without an n8n ${needsBrowser}`, () => {
  it('says how to connect one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-console-n8n-'));
    await using gateway = await serve(directory, {});
    await using browser = await openBrowser();
    const page = await browser.page(gateway.url, { width: 360 });
    await page.open('console/n8n');
    await page.view.getByText('npm start -- --with-n8n').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('n8n-none');
    await rm(directory, { recursive: true, force: true });
  });
});
