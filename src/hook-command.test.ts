import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHook } from './hook-command.ts';

test.each([
  [{ host: '::1', port: 3500 }, undefined, 'http://[::1]:3500'],
  [{ host: '0.0.0.0', port: 3600 }, undefined, 'http://127.0.0.1:3600'],
  [{ publicUrl: 'https://sluice.example.com/' }, undefined, 'https://sluice.example.com'],
  [{ host: '::1' }, 'http://sluice:3500/', 'http://sluice:3500'],
])('a gateway with %j and --url %s is told at %s', async (server, given, base) => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-hook-'));
  try {
    await writeFile(join(home, 'sluice.json'), JSON.stringify({ server }));
    const { url, text } = await makeHook({ home, cwd: home, env: {} }, 'default', given);
    expect(url).toBe(`${base}/api/v1/bridge/hook/default`);
    expect(text).toContain(url);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
