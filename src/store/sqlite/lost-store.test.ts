import { mkdtemp, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../open.ts';

const placeIn = (home: string) => ({ home, version: '0', settings: { kind: 'sqlite' } as const, env: {} });

describe('a store that was lost', () => {
  async function made(): Promise<{ home: string; file: string }> {
    const home = await mkdtemp(join(tmpdir(), 'sluice-lost-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const file = join(home, 'sluice.db');
    await using _ = await openStore(placeIn(home));
    return { home, file };
  }

  test.each([
    ['empty', (file: string) => truncate(file)],
    ['gone', (file: string) => rm(file)],
  ])('because its file is %s is not begun anew while its key is there', async (_, lose) => {
    const { home, file } = await made();
    await lose(file);
    const key = join(home, 'sluice.key');
    await expect(openStore(placeIn(home))).rejects.toThrow(
      `The store ${file} is gone or empty, but ${key} is still there: its content is lost. ` +
        'Restore a backup: `sluice store restore FILE --force`. ' +
        `To begin with an empty store instead, move that file away: mv ${key} ${key}.old`,
    );
    await rename(key, `${key}.old`);
    await using begun = await openStore(placeIn(home));
    expect(await begun.events.count()).toBe(0);
  });
});
