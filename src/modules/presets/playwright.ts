import { z } from 'zod';
import { flag } from '../../host/config/scalars.ts';
import { hostRules, origins } from './origins.ts';
import type { Preset } from './preset.ts';

/** A browser for the assistant, by Microsoft's own server. */
export const playwright: Preset = {
  description: 'A browser: open pages, read them, click, type, fill in forms, screenshots',
  source: {
    npm: '@playwright/mcp',
    version: '0.0.83',
    // Nothing is kept on disk, and no page brings tools of its own. Snapshots would be files that nobody can open.
    args: [
      '--headless',
      '--isolated',
      '--block-service-workers',
      '--no-webmcp',
      '--snapshot-mode',
      'none',
      // In the folder of the section. By default it is in the first root that the client names, whichever that is.
      '--output-dir',
      'output',
    ],
  },
  options: {
    origins: {
      type: origins,
      flag: '--allowed-origins',
      between: ';',
      example: '["https://example.com"]',
      variable: 'PLAYWRIGHT_MCP_ALLOWED_ORIGINS',
    },
    browser: { type: z.enum(['chrome', 'firefox', 'webkit', 'msedge']).optional(), flag: '--browser' },
    executable: { type: z.string().min(1).optional(), flag: '--executable-path' },
    viewport: {
      type: z
        .string()
        .regex(/^\d+x\d+$/, 'must be a size such as 1280x720')
        .optional(),
      flag: '--viewport-size',
    },
    proxy: { type: z.string().min(1).optional(), flag: '--proxy-server' },
    /** For containers, where Chromium's own sandbox cannot run. */
    noSandbox: { type: flag.optional(), flag: '--no-sandbox' },
  },
  reads: [
    'browser_navigate',
    'browser_navigate_back',
    'browser_snapshot',
    'browser_find',
    'browser_take_screenshot',
    'browser_console_messages',
    'browser_network_request',
    'browser_network_requests',
    'browser_tabs',
    'browser_wait_for',
    'browser_resize',
    'browser_emulate_media',
    'browser_hover',
    'browser_close',
  ],
  // They run code on this machine or in the page, or read its files.
  never: ['browser_run_code*', 'browser_evaluate', 'browser_file_upload', 'browser_drop', 'browser_install'],
  // Two users never share cookies.
  isolation: 'principal',
  opens: [
    { tool: 'browser_navigate', argument: 'url' },
    { tool: 'browser_tabs', argument: 'url' },
  ],
  // A page could be saved over the configuration file, and the next browser would start with that.
  withheld: ['filename'],
  file: {
    flag: '--config',
    /** The flag for origins does not hold for redirects. Chromium itself finds no other hosts with these rules. */
    content({ origins: allowed, browser }) {
      const rules = hostRules(allowed as readonly string[]);
      if (rules === undefined || browser === 'firefox' || browser === 'webkit') return undefined;
      return { browser: { launchOptions: { args: [`--host-resolver-rules=${rules}`] } } };
    },
  },
};
