import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blueprintCalls } from '../../support/blueprints.ts';
import { startGateway } from '../harness.ts';

/** What others on this machine could open, with its mode. */
async function openIn(home: string): Promise<string[]> {
  const names = ['', ...(await readdir(home, { recursive: true }))];
  const modes = await Promise.all(
    names.map(async (name) => `${((await stat(join(home, name))).mode & 0o777).toString(8)} ${name}`),
  );
  // The test has written its own.
  return modes.filter((line) => !/^[67]00 |sluice.json$/.test(line));
}

test('only its owner can open the data directory, and everything that Sluice writes in it', async () => {
  const before = process.umask(0o022);
  try {
    await using gateway = await startGateway({});
    await using blueprints = await blueprintCalls(gateway);
    await blueprints.call('blueprint_save', { text: 'name: look\nsteps:\n  - { id: status, tool: gateway_status }\n' });
    const { run } = await blueprints.confirmed<{ run: string }>('blueprint_deploy', { name: 'look' });
    const state = async () => (await blueprints.call('blueprint_status', { run })).state;
    await expect.poll(state).toBe('succeeded');
    expect(await readdir(gateway.home)).toEqual(expect.arrayContaining(['runs.db', 'runs.db-wal', 'runs.lock']));
    expect(await openIn(gateway.home)).toEqual([]);
    await chmod(join(gateway.home, 'runs.db'), 0o644);
    await using _again = await startGateway({}, { home: gateway.home });
    expect(await openIn(gateway.home)).toEqual([]);
  } finally {
    process.umask(before);
  }
});
