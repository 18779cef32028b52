// npm run bench -- --console: how large and fast the page for people is, and what open pages cost the gateway.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { reference } from '../test/support/command-line.ts';
import { browserIsMissing, type ConsolePage, openBrowser } from '../test/support/console.ts';
import { type ServeProcess, serve } from '../test/support/serve-process.ts';
import { finelyCpuOf } from './proc.ts';
import { type Goal, goalTable } from './report.ts';
import { median, percentile } from './statistics.ts';

const LOADS = 7;
const LOAD_KB = 60;
const INTERACTIVE_MS = 300;
const HELD = 10_000;
/** An hour at 20 events a second, a thousand a second. */
const HOUR = 72_000;
const EACH_SECOND = 1000;
const CONSOLES = 10;
const MORE_PERCENT = 3;
const PHASE_MS = 20_000;
const SETTLE_MS = 3000;
const CALLS_EACH_SECOND = 5;
const GROWTH = 1.2;

interface Frames {
  readonly p50: number;
  readonly p95: number;
  readonly worst: number;
}

export interface ConsoleFigures {
  readonly bytes: { readonly first: number; readonly activity: number };
  readonly cold: number[];
  readonly warm: number[];
  readonly firstRows: number[];
  readonly frames: Frames;
  readonly heap: { readonly at: number; readonly mb: number }[];
  readonly cpu: { readonly what: string; readonly without: number[]; readonly with: number[] }[];
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** Notes when the frame, its heading and its menu are there. Scripts make them: they can be used at once. */
const watchInteractive = `globalThis.interactive = new Promise((done) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('nav a') || !document.querySelector('main h1')) return;
    observer.disconnect();
    requestAnimationFrame(() => done(performance.now()));
  }).observe(document, { childList: true, subtree: true });
});`;

async function measureLoads(gateway: ServeProcess, browser: Browser, rounds: number) {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let n = 0; n < LOADS * rounds; n++) {
    const { view } = await browser.page(gateway.url);
    await view.addInitScript(watchInteractive);
    for (const times of [cold, warm]) {
      await view.goto(gateway.url);
      times.push(await view.evaluate('globalThis.interactive'));
    }
    await view.context().close();
  }
  return { cold, warm };
}

/** What comes over the wire for the first page, and what the page of activity adds. */
async function measureBytes(gateway: ServeProcess, browser: Browser): Promise<ConsoleFigures['bytes']> {
  const { view } = await browser.page(gateway.url);
  const sizes: Promise<number>[] = [];
  view.on('response', (response) => {
    if (response.url().includes('/api/')) return;
    sizes.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  const sum = async () => (await Promise.all(sizes)).reduce((all, one) => all + one, 0);
  await view.goto(gateway.url);
  await view.locator('main h1').waitFor();
  await view.waitForLoadState('networkidle');
  const first = await sum();
  await view.getByRole('link', { name: 'Activity' }).click();
  await view.getByRole('heading', { name: 'Activity' }).waitFor();
  const activity = (await sum()) - first;
  await view.context().close();
  return { first, activity };
}

const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      event: 'bench.event',
      data: { n: from + n, tool: 'notes__search', source: 'notes', principal: 'local', ms: n % 50 },
    }),
  ).join('\n');

async function heapOf(session: CDPSession): Promise<number> {
  for (let n = 0; n < 3; n++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

async function measureHour(feed: string, page: ConsolePage, say: (line: string) => void) {
  const session = await page.view.context().newCDPSession(page.view);
  await page.open('console/activity?type=bench.event');
  await page.view.getByText('live', { exact: true }).waitFor();
  const heap = [{ at: 0, mb: await heapOf(session) }];
  let sent = 0;
  for (const share of [0.25, 0.5, 0.75, 1]) {
    say(`console: an hour of events, ${share * 100} %`);
    while (sent < HOUR * share) {
      const began = performance.now();
      await appendFile(feed, `${lines(sent, EACH_SECOND / 10)}\n`);
      sent += EACH_SECOND / 10;
      await delay(Math.max(0, 100 - (performance.now() - began)));
    }
    await page.view
      .getByRole('listitem')
      .filter({ hasText: `n ${sent - 1}` })
      .waitFor({ timeout: 60_000 });
    heap.push({ at: share, mb: await heapOf(session) });
  }
  return heap;
}

/** Scrolls through all rows by half a screen a frame. */
const scrollThrough = `new Promise((done) => {
  const list = document.querySelector('.rows');
  const times = [];
  let last = performance.now();
  const tick = (now) => {
    times.push(now - last);
    last = now;
    list.scrollTop += list.clientHeight / 2;
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 2) done(times.slice(2));
    else requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})`;

async function measureFrames(view: Page): Promise<Frames> {
  await view.getByText('showing 10,000').waitFor();
  const times = (await view.evaluate(scrollThrough)) as number[];
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), worst: Math.max(...times) };
}

/** From the navigation to the first row, in a store with all these events. */
async function measureFirstRows(gateway: ServeProcess, browser: Browser, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < LOADS * rounds; n++) {
    const { view } = await browser.page(gateway.url);
    await view.goto(`${gateway.url}/console/activity`);
    await view.locator('.rows .row').first().waitFor();
    times.push(await view.evaluate('performance.now()'));
    await view.context().close();
  }
  return times;
}

/** Percent of a core. */
async function cpuDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const [cpu, began] = [finelyCpuOf(pid), performance.now()];
  await work();
  return ((finelyCpuOf(pid) - cpu) / 1000 / (performance.now() - began)) * 100;
}

async function callSteadily({ url }: ServeProcess): Promise<void> {
  for (const end = performance.now() + PHASE_MS; performance.now() < end; ) {
    const began = performance.now();
    const response = await fetch(`${url}/api/v1/mcp/tools/ref__echo/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    });
    if (!response.ok) throw new Error(`A call was answered with ${response.status}: ${await response.text()}`);
    await response.text();
    await delay(Math.max(0, 1000 / CALLS_EACH_SECOND - (performance.now() - began)));
  }
}

/** Half of the pages show the overview, half the activity. They come and go, so that what the machine does hits both. */
async function measureCpu(gateway: ServeProcess, browser: Browser, rounds: number, say: (line: string) => void) {
  const pages = await Promise.all(Array.from({ length: CONSOLES }, () => browser.page(gateway.url)));
  const show = (isOpen: boolean) =>
    Promise.all(
      pages.map(async ({ view }, index) => {
        await view.goto(isOpen ? `${gateway.url}/console${index % 2 === 0 ? '' : '/activity'}` : 'about:blank');
        if (isOpen) await view.locator('main h1').waitFor();
      }),
    );
  const works = [
    { what: 'nothing', run: () => delay(PHASE_MS) },
    { what: `${CALLS_EACH_SECOND} calls a second`, run: () => callSteadily(gateway) },
  ];
  const measured = works.map(({ what }) => ({ what, without: [] as number[], with: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { what, run }] of works.entries()) {
      for (const isOpen of round % 2 === 0 ? [false, true] : [true, false]) {
        say(`console: round ${round + 1}/${rounds}, ${what}, ${isOpen ? CONSOLES : 'no'} consoles`);
        await show(isOpen);
        await delay(SETTLE_MS);
        measured[index]?.[isOpen ? 'with' : 'without'].push(await cpuDuring(gateway.pid, run));
      }
    }
  }
  return measured;
}

export async function measureConsole(
  root: string,
  say: (line: string) => void,
  rounds: number,
): Promise<ConsoleFigures> {
  if (browserIsMissing) throw new Error('The console is measured in Chromium: install it.');
  const directory = join(root, 'console');
  const feed = join(directory, 'home', 'feed.jsonl');
  await mkdir(join(directory, 'home'), { recursive: true });
  await writeFile(feed, '');
  say('console: starting');
  await using gateway = await serve(directory, {
    mcpServers: { ref: reference },
    events: { watch: [{ path: 'feed.jsonl', from: 'start' }] },
  });
  await gateway.ready();
  await using browser = await openBrowser();
  await (await browser.page(gateway.url)).open();
  const bytes = await measureBytes(gateway, browser);
  say('console: loading');
  const { cold, warm } = await measureLoads(gateway, browser, rounds);
  const page = await browser.page(gateway.url);
  const heap = await measureHour(feed, page, say);
  say('console: scrolling');
  const frames = await measureFrames(page.view);
  await page.view.context().close();
  const firstRows = await measureFirstRows(gateway, browser, rounds);
  const cpu = await measureCpu(gateway, browser, rounds, say);
  return { bytes, cold, warm, firstRows, frames, heap, cpu };
}

export function consoleTable({ bytes, cold, warm, firstRows, frames, heap, cpu }: ConsoleFigures): string {
  const kilobytes = (value: number) => (value / 1000).toFixed(1);
  const both = (values: readonly number[]) =>
    `${percentile(values, 0.5).toFixed(0)} / ${percentile(values, 0.95).toFixed(0)} ms`;
  const quarter = heap.find(({ at }) => at === 0.25)?.mb ?? Number.NaN;
  const end = heap.at(-1)?.mb ?? Number.NaN;
  const goals: Goal[] = [
    { goal: 'first load, compressed', limit: LOAD_KB, unit: 'KB', rounds: [bytes.first / 1000] },
    { goal: 'time to interactive, nothing cached, p50', limit: INTERACTIVE_MS, unit: 'ms', rounds: cold },
    { goal: 'heap after an hour beside a quarter of it', limit: GROWTH, unit: 'x', rounds: [end / quarter] },
    ...cpu.map(({ what, without, with: open }) => ({
      goal: `CPU that ${CONSOLES} consoles add while the gateway does ${what}`,
      limit: MORE_PERCENT,
      unit: '%' as const,
      rounds: open.map((one, index) => one - (without[index] ?? Number.NaN)),
    })),
  ];
  return [
    '| the page | measured |',
    '| --- | --: |',
    `| first load, compressed | ${kilobytes(bytes.first)} kB |`,
    `| the page of activity, in addition | ${kilobytes(bytes.activity)} kB |`,
    `| time to interactive, nothing cached, p50 / p95 | ${both(cold)} |`,
    `| time to interactive, the second time, p50 / p95 | ${both(warm)} |`,
    `| first rows of activity with ${HOUR.toLocaleString('en-US')} events in the store, p50 / p95 | ${both(firstRows)} |`,
    `| a frame while scrolling through ${HELD.toLocaleString('en-US')} events, p50 / p95 / worst | ${frames.p50.toFixed(1)} / ${frames.p95.toFixed(1)} / ${frames.worst.toFixed(1)} ms |`,
    '',
    `| an hour of live events (${HOUR.toLocaleString('en-US')}) | heap of the page |`,
    '| --- | --: |',
    ...heap.map(({ at, mb }) => `| ${at * 100} % | ${mb.toFixed(1)} MB |`),
    '',
    '| CPU of the gateway, percent of a core | no console | ten consoles |',
    '| --- | --: | --: |',
    ...cpu.map(
      ({ what, without, with: open }) => `| ${what} | ${median(without).toFixed(2)} | ${median(open).toFixed(2)} |`,
    ),
    '',
    goalTable(goals),
  ].join('\n');
}
