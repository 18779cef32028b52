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
    ['empty', (file: string) => truncate(file), ['sluice.db-reserve', 'sluice.key']],
    ['gone', (file: string) => rm(file), ['sluice.db-reserve']],
  ])('because its file is %s is not begun anew while what was beside it is there', async (_, lose, names) => {
    const { home, file } = await made();
    await lose(file);
    const left = names.map((name) => join(home, name));
    const moves = left.map((path) => `mv ${path} ${path}.old`).join('; ');
    await expect(openStore(placeIn(home))).rejects.toThrow(
      `The store ${file} is gone or empty, but ${left.join(' and ')} ${left.length > 1 ? 'are' : 'is'} still there: its content is lost. ` +
        'Restore a backup: `sluice store restore FILE --force`. ' +
        `To begin with an empty store instead, move ${left.length > 1 ? 'these files' : 'that file'} away: ${moves}`,
    );
    for (const path of left) await rename(path, `${path}.old`);
    await using begun = await openStore(placeIn(home));
    expect(await begun.events.count()).toBe(0);
  });

  test('was none if only a key is there: PostgreSQL needs one, too', async () => {
    const { home, file } = await made();
    await rm(file);
    await rm(`${file}-reserve`);
    await using begun = await openStore(placeIn(home));
    expect(await begun.events.count()).toBe(0);
  });
});
