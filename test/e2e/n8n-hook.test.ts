/** The hook file, as a user writes it and n8n loads it. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { createPlace, type Place } from '../support/command-line.ts';

let place: Place;
let port: number;
beforeAll(async () => {
  port = await freePort();
  place = await createPlace({
    server: { port },
    n8n: { default: { url: 'http://127.0.0.1:9', apiKey: 'key' } },
    bridge: { poll: '1h' },
  });
});
afterAll(() => place[Symbol.asyncDispose]());

/** Calls one of its hooks in a program that ends when nothing is left to do, like n8n. */
const loadedBy = (file: string, event: string, id: string, env: Record<string, string> = {}) =>
  promisify(execFile)(
    process.execPath,
    ['-e', `require(process.argv[1]).workflow[process.argv[2]][0].call({}, { id: process.argv[3] })`, file, event, id],
    { env },
  );

test('only its owner can read it, and its path is printed', async () => {
  const { code, stdout, stderr } = await place.run(['n8n', 'hook', '--out', 'hook.cjs']);
  expect(code).toBe(0);
  expect(stdout.trim()).toBe(join(place.project, 'hook.cjs'));
  expect(stderr).toContain(`http://127.0.0.1:${port}/api/v1/bridge/hook/default`);
  expect(stderr).toContain('EXTERNAL_HOOK_FILES=');
  expect((await stat(stdout.trim())).mode & 0o777).toBe(0o600);
  const [, secret = ''] = /"secret":"([0-9a-f]{64})"/.exec(await readFile(stdout.trim(), 'utf8')) ?? [];
  expect(secret).not.toBe('');
  expect(stdout + stderr).not.toContain(secret);
});

test('written again, it has the same secret, and the address at which n8n reaches the gateway', async () => {
  const shown = await place.run(['n8n', 'hook', '--out', '-', '--url', 'https://sluice.example.com/']);
  expect(shown.stdout).toContain('https://sluice.example.com/api/v1/bridge/hook/default');
  const secretIn = (text: string) => /"secret":"(\w+)"/.exec(text)?.[1];
  expect(secretIn(shown.stdout)).toBe(secretIn(await readFile(join(place.project, 'hook.cjs'), 'utf8')));
});

test.each([
  [['--url', 'sluice:3500'], 2],
  [['--out', 'hook.cjs/below.js'], 1],
])('%j is refused with what to do', async (args, code) => {
  const refused = await place.run(['n8n', 'hook', ...args]);
  expect(refused.code).toBe(code);
  expect(refused.stderr).toMatch(/--url|--out/);
});

test('only the gateway of this home accepts its signature', async () => {
  const served = place.start(['serve']);
  try {
    await served.printed('MCP');
    const file = join(place.project, 'hook.cjs');
    const url = `http://127.0.0.1:${port}/api/v1/bridge/hook/default`;
    await loadedBy(file, 'afterUpdate', 'w1', { SLUICE_HOOK_URL: url, SLUICE_HOOK_SECRET: 'wrong' });
    const refusals = async () => (await place.run(['events', '--type', 'bridge.hook_refused', '--json'])).stdout;
    await expect.poll(refusals).toContain('its signature is wrong');
    // n8n is away in this test: the failed look shows that the gateway went to look.
    await loadedBy(file, 'afterUpdate', 'w1');
    const failures = async () => (await place.run(['events', '--type', 'bridge.discovery_failed', '--json'])).stdout;
    await expect.poll(failures).toContain('default');
    expect((await refusals()).trim().split('\n')).toHaveLength(1);
  } finally {
    served.child.kill('SIGTERM');
    await served.finished;
  }
}, 60_000);
