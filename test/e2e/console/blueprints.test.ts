import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { openStore } from '../../../src/store/open.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { browserIsMissing, type ConsolePage, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';

const thing = (id: string, more = '') =>
  `  - { id: ${id}, tool: steps__put, arguments: { name: ${id} }, undo: { tool: steps__drop, arguments: { name: ${id} } }${more} }\n`;

const files: Record<string, string> = {
  shop: `name: shop
description: ${JSON.stringify(`Sets up a shop ${HOSTILE}`)}
inputs:
  team: { type: string, description: Who owns it }
  size: { type: integer, default: 2 }
  tier: { enum: [free, paid], default: free }
  live: { type: boolean, default: false }
  tags: { type: array, items: { type: string }, default: [] }
  token: { type: string, secret: true, default: "" }
  extra: { type: object, default: {} }
  owner: { type: object, properties: { name: { type: string }, address: { type: object, properties: { city: { type: string } } } }, required: [name], default: { name: nobody } }
steps:
  - { id: database, tool: steps__put, arguments: { name: "\${inputs.team}", value: "\${inputs.token}" }, undo: { tool: steps__drop, arguments: { name: "\${inputs.team}" } } }
${thing('billing', `, when: "\${inputs.tier == 'paid'}"`)}${thing('pages', ', for_each: [a, b, c]')}  - { id: go, approval: "Open the shop of \${inputs.team}?" }
${thing('open')}outputs: { shop: "\${inputs.team}" }
`,
  risky: `name: risky\non_failure: keep\nsteps:\n${thing('first')}  - { id: act, tool: steps__act, arguments: { name: danger } }\n${thing('last')}`,
  fragile: `name: fragile\non_failure: keep\nsteps:\n${thing('base')}${thing('weak')}`,
  many: `name: many\nsteps:\n  - { id: each, for_each: [${Array.from({ length: 300 }, (_, n) => n).join(', ')}], parallel: 20, tool: steps__look, arguments: { name: "\${string(item)}" } }\n`,
  broken: 'name: broken\nsteps:\n  - { id: a, tool: steps__none, arguments: {} }\n',
};

describe.skipIf(browserIsMissing)(`the page of blueprints ${needsBrowser}`, () => {
  let directory: string;
  let server: StepServer;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  const keys = new Map<string, string>();

  const config = () => ({
    auth: { mode: 'keys' },
    blueprints: { folders: ['blueprints'], takeover: '3s' },
    mcpServers: { steps: { ...server.entry, confirm: ['act'] } },
  });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    server = await startStepServer();
    const home = join(directory, 'home');
    await mkdir(join(home, 'blueprints'), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, 'blueprints', `${name}.yaml`), text);
    await using store = await openStore({ home, version: '0', settings: { kind: 'sqlite' }, env: {} });
    for (const [name, scopes] of Object.entries({ ops: ['admin'], boss: ['admin'], reader: ['blueprint:read'] })) {
      const grant = { name, scopes, createdBy: 'test', createdAt: new Date().toISOString() };
      keys.set(name, (await createKey(store.keys, grant)).key);
    }
    gateway = await serve(directory, config());
    await gateway.ready();
    browser = await openBrowser();
  });

  beforeEach(() => {
    server.before = () => {};
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const as = (name: string, options: Parameters<typeof browser.page>[1] = {}) =>
    browser.page(gateway.url, { extraHTTPHeaders: { 'x-api-key': keys.get(name) ?? '' }, ...options });

  const press = (page: ConsolePage, name: string) => page.view.getByRole('button', { name, exact: true }).click();
  const agree = (page: ConsolePage, name: string) =>
    page.view.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const isRun = (page: ConsolePage, state: string) =>
    page.view.locator('header .state', { hasText: new RegExp(`^${state}$`) }).waitFor();
  const clean = async (page: ConsolePage) => {
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  };

  async function deploy(page: ConsolePage, name: string): Promise<void> {
    await page.open(`console/blueprints/${name}`);
    await press(page, 'Deploy …');
    await agree(page, 'Deploy it');
    await page.view.waitForURL(/blueprints\/runs\//);
  }

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('lists what can be deployed (%s, %i wide)', async (colorScheme, width) => {
    const page = await as('ops', { colorScheme, width });
    await page.open('console/blueprints');
    const row = (name: string) => page.view.getByRole('row').filter({ hasText: name });
    await row('shop').getByText(HOSTILE).waitFor();
    await row('broken').getByText('1 error').waitFor();
    // What comes with Sluice is not broken: there is just no n8n here.
    await row('nightly-backup').getByText('needs set-up').waitFor();
    await page.shot(`blueprints-list-${colorScheme}`);
    await clean(page);
    await page.view.keyboard.press('/');
    await page.view.keyboard.type('fragile');
    await row('shop').waitFor({ state: 'detached' });
    await page.view.waitForURL(/q=fragile$/);
    for (const [tab, words] of [
      ['Runs', 'Nothing ran yet'],
      ['Schedules', 'Nothing is scheduled'],
      ['Projects', 'No projects yet'],
    ] as const) {
      await press(page, tab);
      await page.view.getByText(words).waitFor();
    }
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('says what is wrong with a definition, and does not deploy it', async () => {
    const page = await as('ops');
    await page.open('console/blueprints/broken');
    await page.view.getByText('Line 3').first().waitFor();
    expect(await page.view.getByRole('button', { name: 'Deploy …' }).isDisabled()).toBe(true);
    await clean(page);
  });

  it('plans with the inputs of a form, deploys, waits for another person, and undoes', async () => {
    const page = await as('ops');
    await page.open('console/blueprints/shop');
    await page.view.getByRole('button', { name: /^billing/ }).waitFor();
    await page.view.getByRole('textbox', { name: /^team/ }).fill(HOSTILE);
    await page.view.getByRole('textbox', { name: /^size/ }).fill('x');
    await press(page, 'Plan');
    await page.view.getByText('This is not a number.').waitFor();
    await page.view.getByRole('textbox', { name: /^size/ }).fill('3');
    await page.view.getByLabel(/^token/).fill('hidden-away');
    const owner = page.view.getByRole('group', { name: 'owner' });
    expect(await owner.getByLabel(/^name/).inputValue()).toBe('nobody');
    await owner.getByLabel(/^name/).fill(`Ann ${HOSTILE}`);
    await owner.getByText('address').click();
    await owner.getByLabel(/^city/).fill('Bonn');
    await press(page, 'Plan');
    await page.view.getByText('5 steps, of which 1 is skipped').waitFor();
    await page.view.getByRole('button', { name: /^billing.*skipped/ }).click();
    await page.view.getByText('it does not hold for these inputs').waitFor();
    await page.shot('blueprints-plan');
    await clean(page);

    await press(page, 'Deploy …');
    await page.view.getByRole('dialog').getByText('It stops until a person decides at: go').waitFor();
    await agree(page, 'Deploy it');
    await page.view.getByText(`go waits for a person: Open the shop of ${HOSTILE}?`).waitFor();
    await page.view.getByText('You deployed this run with this key').waitFor();
    expect(await page.view.getByRole('button', { name: 'Approve …' }).count()).toBe(0);
    expect(await page.view.content()).not.toContain('hidden-away');
    const inputs = page.view.locator('.tree').filter({ hasText: 'tier' });
    await inputs.getByText(`Ann ${HOSTILE}`).waitFor();
    await inputs.getByText('address').click();
    await inputs.getByText('Bonn').waitFor();
    await page.shot('blueprints-waiting');
    await clean(page);

    const boss = await as('boss', { colorScheme: 'dark', width: 360 });
    await boss.open(new URL(page.view.url()).pathname.slice(1));
    await press(boss, 'Approve …');
    await boss.view.getByLabel('Note (optional)').fill(`Fine ${HOSTILE}`);
    await agree(boss, 'Approve');
    await isRun(boss, 'succeeded');
    await boss.shot('blueprints-run-phone');
    await clean(boss);

    // The other page sees it by itself.
    await isRun(page, 'succeeded');
    await page.view.getByRole('list', { name: 'Timeline' }).getByRole('button', { name: /^go/ }).click();
    await page.view.getByText(`Approved by boss`).first().waitFor();
    await page.view
      .getByRole('list', { name: 'Timeline' })
      .getByRole('button', { name: /^database/ })
      .click();
    await press(page, 'Values');
    await page.view.getByText('Came of it').waitFor();
    expect(await page.view.content()).not.toContain('hidden-away');
    await page.shot('blueprints-run');
    await clean(page);

    await press(page, 'Undo …');
    await agree(page, 'Undo it');
    await isRun(page, 'undone');
    await page.view.getByText('undone').first().waitFor();
    expect(server.things.size).toBe(0);
    await page.shot('blueprints-undone');
    await clean(page);
  });

  it('resumes a failed run, which goes on where it was', async () => {
    const page = await as('ops');
    server.before = ({ name }) => {
      if (name === 'weak') throw new Error(`No ${HOSTILE}`);
    };
    const list = await as('ops');
    await list.open('console/blueprints?tab=runs');
    await list.view.getByRole('combobox', { name: 'State' }).waitFor();
    await deploy(page, 'fragile');
    await isRun(page, 'failed');
    // The list that was open before shows it by itself: at the latest when somebody looks again.
    await list.view.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const row = list.view.getByRole('row').filter({ hasText: 'fragile' }).first();
    await row.getByText('failed', { exact: true }).waitFor();
    await row.getByText('ops', { exact: true }).waitFor();
    await page.view.getByText(`No ${HOSTILE}`).first().waitFor();
    await clean(page);
    server.before = () => {};
    await press(page, 'Resume …');
    await agree(page, 'Resume');
    await isRun(page, 'succeeded');
    expect(server.calls.filter(({ name }) => name === 'base')).toHaveLength(1);
  });

  it('shows three hundred items, and stays quick', async () => {
    const page = await as('ops');
    await deploy(page, 'many');
    await isRun(page, 'succeeded');
    await page.view.getByText('300 done').waitFor();
    await page.view.getByRole('list', { name: 'Timeline' }).getByRole('button', { name: /^each/ }).click();
    await page.view
      .getByRole('list', { name: 'What was done' })
      .getByText('item 1', { exact: false })
      .first()
      .waitFor();
    expect(await page.view.getByRole('list', { name: 'What was done' }).getByRole('listitem').count()).toBeLessThan(60);
    await clean(page);
  });

  it('goes on after the gateway was killed, and asks whether a step took effect', async () => {
    const page = await as('ops');
    let began = () => {};
    const calling = new Promise<void>((resolve) => (began = resolve));
    const never = Promise.withResolvers<void>();
    server.before = async ({ tool }) => {
      if (tool !== 'act') return;
      began();
      await never.promise;
    };
    await page.open('console/blueprints/risky');
    await press(page, 'Deploy …');
    await page.view.getByRole('dialog').getByText('act (steps__act)').waitFor();
    await agree(page, 'Deploy it');
    await calling;
    await gateway.end('SIGKILL');
    await page.view.getByText('The gateway stopped answering').waitFor();
    never.resolve();
    server.before = () => {};
    gateway = await serve(directory, config(), { port: Number(new URL(gateway.url).port) });
    await isRun(page, 'unknown');
    await page.view.getByText('Nobody knows whether act took effect').waitFor();
    await page.shot('blueprints-unknown');
    await clean(page);
    await press(page, 'It took effect: go on …');
    await agree(page, 'It took effect, go on');
    await isRun(page, 'succeeded');
    expect(server.calls.filter(({ tool }) => tool === 'act')).toHaveLength(1);
    expect(page.troubles()).toEqual([]);
  });

  it('cancels a run and undoes it', async () => {
    const page = await as('ops');
    await page.open('console/blueprints/shop');
    await page.view.getByRole('textbox', { name: /^team/ }).fill('blue');
    await press(page, 'Deploy …');
    await agree(page, 'Deploy it');
    await isRun(page, 'waiting');
    await press(page, 'Cancel and undo …');
    await agree(page, 'Cancel and undo');
    await isRun(page, 'undone');
    expect(server.things.has('blue')).toBe(false);
    // Nothing waits in it any more.
    await page.view
      .getByRole('button', { name: /^go.*cancelled/ })
      .first()
      .waitFor();
  });

  it('writes a definition, schedules it, and deletes both; the run stays', async () => {
    const page = await as('ops');
    await page.open('console/blueprints?new=1');
    const text = page.view.getByLabel('Definition in YAML');
    await text.fill('name: written\nsteps:\n  - { id: a, tool: steps__nothing, arguments: {} }\n');
    await press(page, 'Line 3');
    expect(await page.view.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await page.shot('blueprints-editor');
    await clean(page);
    await text.fill('name: written\nsteps:\n  - { id: a, tool: steps__look, arguments: { name: a } }\n');
    await page.view.getByText('Nothing is wrong with it.').waitFor();
    await press(page, 'Save');
    await page.view.getByRole('heading', { name: 'written' }).waitFor();

    await press(page, 'Schedule …');
    await page.view.getByLabel(/^Cron/).fill('0 2 * * *');
    await agree(page, 'Schedule it');
    await page.view.getByRole('cell').filter({ hasText: '0 2 * * *' }).waitFor();
    // By key: a notice may lie over it.
    await page.view.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await agree(page, 'Remove it');
    await page.view.getByText('It is not scheduled.').waitFor();

    await deploy(page, 'written');
    await isRun(page, 'succeeded');
    const run = new URL(page.view.url()).pathname.slice(1);
    await page.open('console/blueprints/written');
    await press(page, 'Delete');
    await agree(page, 'Delete it');
    await page.view.getByRole('heading', { name: 'Blueprints', exact: true }).waitFor();
    await page.open(run);
    await isRun(page, 'succeeded');
    await page.view.getByRole('link', { name: 'written', exact: true }).click();
    await page.view.getByText('There is no blueprint').waitFor();
    await page.view.getByRole('table', { name: 'Runs' }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('shows how everything in a project is doing', async () => {
    const ask = async (name: string, args: object) => {
      const response = await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
        method: 'POST',
        headers: { 'x-api-key': keys.get('ops') ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ name, arguments: args }),
      });
      expect(await response.json()).not.toMatchObject({ result: { isError: true } });
    };
    await ask('project_create', { name: 'Web shop', description: HOSTILE });
    await ask('project_add', { project: 'Web shop', kind: 'server', name: 'steps' });
    await ask('project_add', { project: 'Web shop', kind: 'note', name: HOSTILE });
    const page = await as('ops');
    await page.open('console/blueprints?tab=projects');
    await page.view.getByText(HOSTILE).waitFor();
    await press(page, 'Web shop');
    await page.view.getByRole('row').filter({ hasText: 'steps' }).getByText('ok').waitFor();
    await page.view.getByRole('row').filter({ hasText: HOSTILE }).waitFor();
    await page.shot('blueprints-project');
    await clean(page);
  });

  it('shows a key that may only read everything, with nothing to press', async () => {
    const page = await as('reader', { colorScheme: 'dark' });
    await page.open('console/blueprints/shop');
    await page.view.getByText('Your key lacks blueprint:execute').waitFor();
    expect(await page.view.getByRole('button', { name: 'Deploy …' }).count()).toBe(0);
    await page.view.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
    await page.view.getByRole('list', { name: 'Timeline' }).getByRole('button').first().click();
    await page.view.getByRole('button', { name: 'Values' }).first().click();
    await page.view.getByText('or an admin, may see what its steps returned').waitFor();
    for (const name of ['Approve …', 'Undo …', 'Resume …'])
      expect(await page.view.getByRole('button', { name }).count()).toBe(0);
    await page.shot('blueprints-reader-dark');
    await clean(page);
  });
});
