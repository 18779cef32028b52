import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedTerminal } from '../../../test/fixtures/scripted-terminal.ts';
import { placeOf } from '../../place.ts';
import { hookCommand } from './hook.ts';

test.each([
  [{ host: '::1', port: 3500 }, undefined, 'http://[::1]:3500'],
  [{ host: '0.0.0.0', port: 3600 }, undefined, 'http://127.0.0.1:3600'],
  [{ publicUrl: 'https://sluice.example.com/' }, undefined, 'https://sluice.example.com'],
  [{ host: '::1' }, 'http://sluice:3500/', 'http://sluice:3500'],
])('a gateway with %j and --url %s is told at %s', async (server, given, base) => {
  const home = await mkdtemp(join(tmpdir(), 'sluice-hook-'));
  try {
    await writeFile(join(home, 'sluice.json'), JSON.stringify({ server }));
    const { terminal, printed } = scriptedTerminal();
    const place = placeOf({ SLUICE_HOME: home }, terminal, home);
    const values = { out: '-', ...(given !== undefined && { url: given }) };
    expect(await hookCommand(place).run({ values, positionals: [] })).toBe(0);
    expect(printed.join()).toContain(`${base}/api/v1/bridge/hook/default`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
