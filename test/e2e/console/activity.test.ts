import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reference } from '../../support/command-line.ts';
import { browserIsMissing, needsBrowser, openBrowser } from '../../support/console.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

const HOSTILE = '<script>globalThis.broken = 1</script>\u202e<img src=x onerror="globalThis.broken = 1">';

describe.skipIf(browserIsMissing)(`the page of activity ${needsBrowser}`, () => {
  let directory: string;
  let gateway: ServeProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  const feed = () => join(directory, 'home', 'feed.jsonl');
  const append = (...lines: object[]) => appendFile(feed(), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  async function call(name: string, args: object, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name, arguments: args }),
    });
    await response.text();
    return response.headers.get('traceparent')?.split('-')[1] ?? '';
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-console-'));
    gateway = await serve(directory, {
      mcpServers: { ref: reference },
      events: { watch: [{ path: 'feed.jsonl', from: 'start' }] },
    });
    await writeFile(feed(), '');
    await gateway.ready();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shows what happens at once, in words, and all of an event', async () => {
    await call('ref__echo', { text: 'before' });
    const page = await browser.page(gateway.url);
    await page.open('console/activity');
    const row = page.view.getByRole('listitem').filter({ hasText: 'called ref__echo: answered' });
    await row.waitFor();
    await page.view.getByText('live', { exact: true }).waitFor();
    await call('ref__fail', { kind: 'isError' });
    const failed = page.view.getByRole('listitem').filter({ hasText: 'called ref__fail: failed' });
    await failed.waitFor();
    expect(await failed.textContent()).toContain('failed');
    await page.shot('list');

    await failed.getByRole('button').click();
    const details = page.view.getByRole('dialog', { name: 'Event' });
    await details.getByText('tool.call_failed').waitFor();
    expect(new URL(page.view.url()).searchParams.get('event')).toMatch(/^\d+$/);
    await page.shot('details');
    expect(await page.violations()).toEqual([]);
    await page.view.reload();
    await details.getByText('tool.call_failed').waitFor();
    await page.view.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(page.troubles()).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible (%s, %i wide)', async (colorScheme, width) => {
    const trace = await call('ref__echo', { text: 'a' });
    const page = await browser.page(gateway.url, { colorScheme, width });
    for (const path of ['', '?view=callers', `/trace/${trace}`, '?type=nothing.*&tool=x']) {
      await page.open(`console/activity${path}`);
      await page.view.locator('.rows .row, table, .waterfall li, .empty').first().waitFor();
      await page.shot(`${colorScheme}-${path.replaceAll(/[^a-z]/g, '').slice(0, 12)}`);
      expect(await page.violations()).toEqual([]);
    }
    expect(page.troubles()).toEqual([]);
  });

  it('filters as the URL says, and writes its filters there', async () => {
    await call('ref__echo', { text: 'a' });
    await call('ref__fail', { kind: 'isError' });
    const page = await browser.page(gateway.url);
    await page.open('console/activity?status=failure');
    const rows = page.view.getByRole('listitem');
    await rows.filter({ hasText: 'ref__fail: failed' }).first().waitFor();
    expect(await rows.filter({ hasText: 'ref__echo: answered' }).count()).toBe(0);
    await page.view.getByLabel('Status').selectOption('success');
    await page.view.getByLabel('Type').fill('tool.*');
    await page.view.keyboard.press('Enter');
    await page.view.getByText('More filters').click();
    await page.view.getByLabel('Tool', { exact: true }).fill('ref__echo');
    await page.view.keyboard.press('Enter');
    await rows.filter({ hasText: 'ref__echo: answered' }).first().waitFor();
    await rows.filter({ hasText: 'ref__fail' }).first().waitFor({ state: 'detached' });
    expect(Object.fromEntries(new URL(page.view.url()).searchParams)).toEqual({
      status: 'success',
      type: 'tool.*',
      tool: 'ref__echo',
    });
    await page.view.keyboard.press('Escape');
    await page.view.getByRole('button', { name: 'Clear' }).click();
    await rows.filter({ hasText: 'ref__fail: failed' }).first().waitFor();
    expect(new URL(page.view.url()).search).toBe('');

    await page.open('console/activity?since=yesterday');
    await page.view.getByRole('alert').waitFor();
    expect(await page.view.getByRole('alert').textContent()).toMatch(/15m/);
    await page.open('console/activity?text=nothing-has-this-text');
    await page.view.getByText('No event matches these filters').waitFor();
    await page.view.getByRole('button', { name: 'Remove all filters' }).click();
    await rows.filter({ hasText: 'ref__fail: failed' }).first().waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('shows a trace as a waterfall, reached with keys', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await Promise.all([
      call('ref__slow', { ms: 300 }, { traceparent }),
      call('ref__fail', { kind: 'isError' }, { traceparent }),
    ]);
    await append({ event: 'job.done', trace_id: '0af7651916cd43dd8448eb211c80319c', id: 4711 });
    const page = await browser.page(gateway.url);
    await page.open('console/activity?tool=ref__slow');
    await page.view.getByRole('listitem').filter({ hasText: 'ref__slow: answered' }).waitFor();
    await page.view.getByRole('listitem').first().getByRole('button').focus();
    await page.view.keyboard.press('ArrowDown');
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('link', { name: '0af7651916cd43dd8448eb211c80319c' }).click();
    await page.view.getByRole('heading', { name: 'Trace' }).waitFor();
    const lines = page.view.getByRole('list', { name: 'What happened, in order' }).getByRole('listitem');
    await lines.filter({ hasText: 'Client local' }).waitFor();
    expect(await lines.filter({ hasText: 'ref__slow' }).textContent()).toMatch(/30\d|3[1-9]\d ms|[4-9]\d\d ms| s$/);
    expect(await lines.filter({ hasText: 'ref__fail' }).textContent()).toContain('failed');
    expect(await lines.filter({ hasText: 'Server ref' }).count()).toBe(2);
    await page.view.getByText('How much of a call the server itself took').waitFor();
    await page.shot('trace');
    await lines.filter({ hasText: 'ref__fail' }).getByRole('button').focus();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('dialog').getByText('tool.call_failed').waitFor();
    expect(await page.violations()).toEqual([]);
    await page.open('console/activity/trace/unknown');
    await page.view.getByText('No events of this trace').waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('says who called what, and goes to those calls', async () => {
    await call('ref__fail', { kind: 'isError' });
    const page = await browser.page(gateway.url);
    await page.open('console/activity?view=callers');
    const row = page.view.getByRole('row').filter({ hasText: 'ref__fail' });
    await row.waitFor();
    await row.getByRole('button').last().click();
    await page.view.getByRole('listitem').filter({ hasText: 'ref__fail: failed' }).first().waitFor();
    expect(Object.fromEntries(new URL(page.view.url()).searchParams)).toEqual({
      principal: 'local',
      tool: 'ref__fail',
      status: 'failure',
    });
    expect(page.troubles()).toEqual([]);
  });

  it('saves all that the filters select, not only what is shown', async () => {
    await append(...Array.from({ length: 1500 }, (_, n) => ({ event: 'export.made', n, name: '=1+1' })));
    const page = await browser.page(gateway.url);
    await page.open('console/activity?type=export.made');
    await page.view.getByRole('listitem').filter({ hasText: 'n 1499' }).waitFor();
    const save = async (name: string) => {
      const download = page.view.waitForEvent('download');
      await page.view.getByRole('button', { name }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    const json = (await save('Save as JSON')).trimEnd().split('\n');
    expect(json.map((line) => (JSON.parse(line) as { data: { n: number } }).data.n)).toEqual(
      Array.from({ length: 1500 }, (_, n) => 1499 - n),
    );
    const csv = await save('Save as CSV');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1501);
    expect(csv).toMatch(/^\uFEFFid,timestamp,event_type,/);
    await page.view.getByText('Saved 1,500 events').first().waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('loads older events at the end of the list, and holds still while somebody reads', async () => {
    await append(...Array.from({ length: 900 }, (_, n) => ({ event: 'older.event', n })));
    const page = await browser.page(gateway.url);
    await page.open('console/activity?type=older.event');
    const list = page.view.getByRole('list', { name: 'Events, newest first' });
    const shown = (n: number) => list.getByRole('listitem').filter({ hasText: new RegExp(`: n ${n}$`) });
    await shown(899).waitFor();
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return shown(0).count();
      })
      .toBe(1);
    const top = await list.evaluate((element) => element.scrollTop);
    await append(...Array.from({ length: 37 }, (_, n) => ({ event: 'older.event', n: 900 + n })));
    await page.view.getByRole('button', { name: '37 new' }).click({ trial: true });
    expect(await list.evaluate((element) => element.scrollTop)).toBe(top);
    expect(await shown(0).count()).toBe(1);
    await page.shot('reading');
    await page.view.getByRole('button', { name: '37 new' }).click();
    await shown(936).waitFor();
    await page.view.getByRole('button', { name: 'Pause' }).click();
    await page.view.getByText('paused', { exact: true }).waitFor();
    await append({ event: 'older.event', n: 937 }, { event: 'other.event', n: 1 });
    await expect
      .poll(async () => (await fetch(`${gateway.url}/api/v1/events?event_type=other.event`)).text())
      .toContain('"n":1');
    expect(await shown(937).count()).toBe(0);
    await page.view.getByRole('button', { name: 'Continue' }).click();
    await shown(937).waitFor();
    expect(page.troubles()).toEqual([]);
  });

  it('holds still while a key is on a row', async () => {
    await append({ event: 'keyed.event', n: 1 });
    const page = await browser.page(gateway.url);
    await page.open('console/activity?type=keyed.event');
    const rows = page.view.getByRole('listitem');
    await rows.filter({ hasText: 'n 1' }).waitFor();
    await page.view.getByText('live', { exact: true }).waitFor();
    await rows.first().getByRole('button').focus();
    await append({ event: 'keyed.event', n: 2 });
    await page.view.getByRole('button', { name: '1 new' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.view.getByRole('searchbox').focus();
    await rows.filter({ hasText: 'n 2' }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(page.troubles()).toEqual([]);
  });

  it('shows texts from outside as texts, and survives odd and huge events', async () => {
    await append(
      {
        event: HOSTILE,
        trace_id: `hostile/${HOSTILE}`,
        status: 'success',
        [HOSTILE]: HOSTILE,
        principal: HOSTILE,
        tool: HOSTILE,
      },
      {
        event: 'odd.types',
        data: { tool: { toString: 1 }, principal: ['x'], ms: 'long', source: null, execution: -1 },
      },
      { event: 'odd.huge', text: 'x'.repeat(900_000), tail: 'the end' },
      { event: 'odd.emoji', tool: '🙂'.repeat(200), timestamp: '+275760-09-13T00:00:00.000Z' },
      { event: 'odd.deep', data: JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) as object },
      { event: 'odd.last' },
    );
    const page = await browser.page(gateway.url, { width: 360 });
    await page.open('console/activity');
    const rows = page.view.getByRole('listitem');
    await rows.filter({ hasText: 'odd.last' }).waitFor();
    await rows.filter({ hasText: '<script>globalThis.broken' }).first().waitFor();
    await page.shot('hostile');
    await rows.filter({ hasText: 'odd.huge' }).getByRole('button').click();
    const details = page.view.getByRole('dialog');
    await details.getByText('the end', { exact: true }).waitFor();
    await details.getByText('900000 characters').waitFor();
    await page.view.keyboard.press('Escape');
    await rows.filter({ hasText: '<script>globalThis.broken' }).first().getByRole('button').click();
    await page.shot('hostile-details');
    expect(await page.violations()).toEqual([]);
    await details.getByRole('link', { name: 'hostile/' }).click();
    await page.view.getByRole('list', { name: 'What happened, in order' }).waitFor();
    await page.shot('hostile-trace');
    expect(await page.view.evaluate('globalThis.broken')).toBeUndefined();
    expect(await page.view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(page.troubles()).toEqual([]);
  });

  it('stays usable while 2,000 events a second come', async () => {
    const page = await browser.page(gateway.url);
    await page.open('console/activity?type=many.event');
    await page.view.getByText('No event matches').waitFor();
    await page.view.getByText('live', { exact: true }).waitFor();
    const slowest = page.view.evaluate(`new Promise((done) => {
      let worst = 0, last = performance.now(), frames = 0;
      const tick = (now) => { worst = Math.max(worst, now - last); last = now; frames++;
        if (document.querySelector('.live')?.textContent.includes('showing 10,000')) done({ worst, frames }); else requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    })`) as Promise<{ worst: number; frames: number }>;
    let n = 0;
    await new Promise<void>((resolve, reject) => {
      const timer = setInterval(() => {
        append(
          ...Array.from({ length: 200 }, () => ({
            event: 'many.event',
            n: n++,
            tool: 'some__tool',
            text: 'a'.repeat(80),
          })),
        ).catch(reject);
        if (n < 10_400) return;
        clearInterval(timer);
        resolve();
      }, 100);
    });
    const { worst, frames } = await slowest;
    await page.view
      .getByRole('listitem')
      .filter({ hasText: `n ${n - 1}` })
      .waitFor();
    await page.view.getByText(/events a second, showing 10,000/).waitFor();
    await page.view.getByText(/older ones left out/).waitFor();
    await page.shot('many');
    expect(worst).toBeLessThan(2000);
    expect(frames).toBeGreaterThan(20);
    expect(await page.view.locator('.rows .row').count()).toBeLessThan(60);
    await page.view.getByRole('listitem').first().getByRole('button').click();
    await page.view.getByRole('dialog').getByText('many.event').first().waitFor();
    expect(page.troubles()).toEqual([]);
  });
});
