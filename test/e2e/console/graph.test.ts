import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { toolsOver } from '../../support/invoke.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const HOSTILE = '<img src=x onerror=alert(1)> ../..?a=b&c#d';
const MANY = 600;

describe.skipIf(browserIsMissing)(`the page Graph ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    [gateway, browser] = await Promise.all([serve(directory, {}), openBrowser()]);
    const call = toolsOver(gateway.url);
    const names = Array.from({ length: MANY }, (_, at) => `Leaf ${at}`);
    await call('graph_create_entities', {
      entities: [
        { name: 'Ada Lovelace', type: 'person', properties: { born: 1815 }, observations: ['Wrote the first program'] },
        { name: 'Analytical Engine', type: 'machine' },
        { name: 'Charles Babbage', type: 'person', observations: ['Built engines'] },
        { name: 'London', type: 'city' },
        { name: '__proto__', type: 'constructor', observations: [HOSTILE] },
        { name: HOSTILE, type: '<b>bold</b>' },
        { name: 'Hub', type: 'thing' },
        ...names.map((name) => ({ name, type: 'leaf' })),
      ],
    });
    await call('graph_create_relations', {
      relations: [
        { from: 'Ada Lovelace', type: 'wrote_about', to: 'Analytical Engine' },
        { from: 'Charles Babbage', type: 'designed', to: 'Analytical Engine' },
        { from: 'Charles Babbage', type: 'knows', to: 'Ada Lovelace' },
        { from: 'Ada Lovelace', type: 'knows', to: 'Charles Babbage' },
        { from: 'Ada Lovelace', type: 'lived_in', to: 'London' },
        { from: '__proto__', type: HOSTILE, to: HOSTILE },
        { from: HOSTILE, type: 'is', to: HOSTILE },
        ...names.map((to) => ({ from: 'Hub', type: 'has', to })),
      ],
    });
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('finds an entity, draws what is around it, and is walked through with clicks', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/graph');
    await page.view.getByText(`${MANY + 7} entities`).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('graph-list');
    await page.view.getByRole('searchbox').fill('who wrote the first program');
    await page.view.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.view.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.view.getByRole('button', { name: 'Analytical Engine, machine' }).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('graph-entity');
    await page.view.getByRole('button', { name: 'Analytical Engine, machine' }).click();
    await page.view.getByRole('heading', { name: 'Analytical Engine' }).waitFor();
    await page.view.getByRole('combobox').selectOption('2');
    await page.view.getByRole('button', { name: 'London, city' }).waitFor();
    await page.shot('graph-depth-2');
    await page.view.reload();
    await page.view.getByRole('button', { name: 'London, city' }).waitFor();
    await page.view.locator('.crumbs').getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.view.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.view.goBack();
    await page.view.getByRole('heading', { name: 'Analytical Engine' }).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('is walked through with the keyboard alone', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/graph?entity=Ada%20Lovelace');
    const node = (name: string) => page.view.getByRole('button', { name, exact: true });
    const hasFocus = (name: string) => node(name).and(page.view.locator(':focus')).waitFor();
    await node('London, city').waitFor();
    await page.view.getByRole('group', { name: /^What is around/ }).focus();
    await page.view.keyboard.press('Tab');
    await hasFocus('Ada Lovelace, person');
    // All of them are on rings around it.
    const [ada, engine] = await Promise.all(
      ['Ada Lovelace, person', 'Analytical Engine, machine'].map((name) => node(name).boundingBox()),
    );
    const [dx, dy] = [(engine?.x ?? 0) - (ada?.x ?? 0), (engine?.y ?? 0) - (ada?.y ?? 0)];
    await page.view.keyboard.press(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'ArrowRight' : 'ArrowLeft') : 'ArrowDown');
    await hasFocus('Analytical Engine, machine');
    await page.shot('graph-keyboard');
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('heading', { name: 'Analytical Engine' }).waitFor();
    await page.view.getByRole('group', { name: 'What is around Analytical Engine: 2 entities' }).waitFor();
    // The focus came along, so it can go on from here.
    await hasFocus('Analytical Engine, machine');
    expect(page.troubles()).toEqual([]);
  });

  it('finds the way between two', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/graph?entity=London');
    await page.view.getByLabel('connected to').fill('Charles Babbage');
    await page.view.getByRole('button', { name: 'Find the way' }).click();
    await page.view.getByText('←lived_in—').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot('graph-path');
    await page.view.getByLabel('connected to').fill('Leaf 5');
    await page.view.getByRole('button', { name: 'Find the way' }).click();
    await page.view.getByText('They are not connected').waitFor();
    await page.view.getByLabel('connected to').fill('Nobody');
    await page.view.getByRole('button', { name: 'Find the way' }).click();
    await page.view.getByText(/called "Nobody"/).waitFor();
  });

  it('adds, edits, ends and deletes, and asks before it deletes', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/graph');
    await page.view.getByRole('button', { name: 'Add an entity' }).click();
    await page.view.getByRole('dialog').getByLabel('Name').fill('Grace Hopper');
    await page.view.getByRole('dialog').getByLabel('Type').fill('person');
    await page.view.getByRole('dialog').getByLabel('What is known').fill('Found a bug\nWrote a compiler');
    await page.view.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.view.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.view.getByText('Wrote a compiler').waitFor();
    await page.view.getByLabel('A new fact').fill('Was an admiral');
    await page.view.getByRole('button', { name: 'Add the fact' }).click();
    await page.view.getByText('Was an admiral').waitFor();
    await page.view.getByLabel('Type of the new relation').fill('admired');
    await page.view.getByLabel('To which entity').fill('Ada Lovelace');
    await page.view.getByRole('button', { name: 'Add the relation' }).click();
    await page.view.getByRole('button', { name: 'Ada Lovelace, person' }).waitFor();
    await page.view.getByRole('button', { name: 'Edit' }).click();
    await page.view.getByLabel('Properties').fill('{ "born": 1906 }');
    await page.view.getByRole('button', { name: 'Save' }).click();
    await page.view.getByText('1906').waitFor();

    const fact = page.view.getByRole('listitem').filter({ hasText: 'Found a bug' });
    await fact.getByRole('button', { name: 'No longer true' }).click();
    await fact.waitFor({ state: 'detached' });
    const relation = page.view.getByRole('list', { name: 'Relations' }).getByRole('listitem');
    await relation.getByRole('button', { name: 'Delete …' }).click();
    await page.view.getByRole('button', { name: 'Delete it for good' }).click();
    await page.view.getByText('It is not connected to anything.').waitFor();
    await page.view.locator('.head').getByRole('button', { name: 'Delete …' }).click();
    const asked = page.view.getByRole('dialog', { name: 'Delete this entity?' });
    expect(await asked.textContent()).toContain('3 observations');
    await asked.getByRole('button', { name: 'Delete it for good' }).click();
    await page.view.getByRole('heading', { name: 'Graph', exact: true }).waitFor();
    await page.open('console/graph?entity=Grace%20Hopper');
    await page.view.getByText(/No entity is called "Grace Hopper"/).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['dark', 360],
    ['light', 1600],
  ] as const)('stays usable with hostile names and hundreds of relations (%s, %i wide)', async (colorScheme, width) => {
    const page = await browser.page(gateway.url, { colorScheme, width });
    await page.open('console/graph?entity=__proto__&depth=3');
    await page.view
      .getByRole('button', { name: /onerror/ })
      .first()
      .click();
    await page.view.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await page.violations()).toEqual([]);
    await page.shot(`graph-hostile-${width}`);
    await page.open('console/graph?entity=Hub');
    await page.view.getByText(`Only the nearest ${width < 700 ? 12 : 20} are drawn; it has 600 relations.`).waitFor();
    await page.shot(`graph-hub-${width}`);
    await page.view.getByRole('button', { name: 'Draw up to 200' }).click();
    await page.view.getByText('Only the nearest 200 are drawn;').waitFor();
    await page.view.getByRole('button', { name: 'List up to 2,000' }).click();
    await page.view.getByRole('button', { name: 'List up to 2,000' }).waitFor({ state: 'detached' });
    await page.view.getByRole('searchbox').fill('Leaf 599');
    await page.view.getByRole('link', { name: 'Leaf 599' }).waitFor();
    await page.shot(`graph-relations-${width}`);
    expect(await page.violations()).toEqual([]);
    expect(page.troubles()).toEqual([]);
  });

  it('shows the past, to look at only', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/graph?entity=Ada%20Lovelace&as_of=2020-01-01T00:00:00.000Z');
    await page.view.getByText('It is not connected to anything.').waitFor();
    expect(await page.view.getByRole('button', { name: 'Delete …' }).count()).toBe(0);
    await page.view.getByRole('button', { name: 'Back to now' }).click();
    await page.view.getByRole('button', { name: 'London, city' }).waitFor();
    // The slider is used with the keyboard, says its time, and keeps the focus.
    const slider = page.view.getByRole('slider', { name: 'As of' });
    await slider.press('Home');
    await page.view.waitForURL(/as_of=/);
    await page.view.getByRole('button', { name: 'Back to now' }).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^As of \d/);
    expect(await slider.and(page.view.locator(':focus')).count()).toBe(1);
    await slider.press('End');
    await page.view.getByRole('button', { name: 'Back to now' }).waitFor({ state: 'detached' });
  });

  it('leads back to now from a time at which an entity was not there', async () => {
    const call = toolsOver(gateway.url);
    await call('graph_create_entities', { entities: [{ name: 'Newcomer', type: 'person', valid_from: '2024-01-01' }] });
    const page = await browser.page(gateway.url);
    await page.open('console/graph?entity=Newcomer&as_of=2020-01-01T00:00:00.000Z');
    await page.view.getByText('at that time').waitFor();
    await page.view.getByRole('button', { name: 'Back to now' }).click();
    await page.view.getByText('No facts yet.').waitFor();
    expect(page.troubles()).toEqual([]);
    await call('graph_delete_entities', { names: ['Newcomer'] });
  });
});
