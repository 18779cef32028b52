/**
 * The console in Debian's Chromium.
 *
 *   await using browser = await openBrowser();
 *   const page = await browser.page(gateway.url, { colorScheme: 'dark', width: 360 });   // a fresh context: no cookies of others
 *   await page.open('console/servers');                         // waits until the page has a heading
 *   await page.view.getByRole('button', { name: 'Restart' }).click();      // `view` is Playwright's Page
 *   expect(await page.violations()).toEqual([]);                // axe: serious and critical findings
 *   await page.shot('servers');                                 // only with SLUICE_SCREENSHOTS=directory
 *   expect(page.troubles()).toEqual([]);                        // errors of scripts, of the policy, of requests to elsewhere
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page as View } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Other machines may lack the browser; in CI it must be there. */
export const browserIsMissing = !existsSync(CHROMIUM) && process.env.CI !== 'true';
/** For the names of suites. */
export const needsBrowser = `(skipped without ${CHROMIUM})`;

/** Long enough for a busy machine. */
const PATIENCE_MS = 15_000;

export interface ConsolePage {
  readonly view: View;
  /** Opens a path of the gateway and waits for the page's heading. */
  open(path?: string): Promise<void>;
  /** What axe finds that is serious or critical. */
  violations(): Promise<string[]>;
  shot(name: string): Promise<void>;
  /** What the browser complained about. */
  troubles(): string[];
}

const require = createRequire(import.meta.url);
let axe: Promise<string> | undefined;

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'],
  });
  return {
    browser,
    async page(
      url: string,
      { width = 1280, height = 900, ...options }: BrowserContextOptions & { width?: number; height?: number } = {},
    ): Promise<ConsolePage> {
      // axe would judge the colours of what fades in.
      const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...options });
      const view = await context.newPage();
      view.setDefaultTimeout(PATIENCE_MS);
      const troubles: string[] = [];
      view.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
      view.on('console', (line) => {
        if (line.type() === 'error' && !/Failed to load resource/.test(line.text())) troubles.push(line.text());
      });
      view.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin)
          troubles.push(`request to ${request.url()}`);
      });
      return {
        view,
        async open(path = '') {
          await view.goto(new URL(path, `${url.replace(/\/$/, '')}/`).href);
          await view.locator('h1').first().waitFor();
        },
        async violations() {
          axe ??= readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
          await view.evaluate(await axe);
          const found = (await view.evaluate('axe.run()')) as {
            violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
          };
          return found.violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
        },
        async shot(name) {
          const directory = process.env.SLUICE_SCREENSHOTS;
          if (directory) await view.screenshot({ path: join(directory, `${name}.png`) });
        },
        troubles: () => troubles,
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
