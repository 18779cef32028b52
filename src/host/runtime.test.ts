import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parts } from '../parts.ts';
import { part } from './part.ts';
import { startParts } from './runtime.ts';

const { follow, refreshing } = vi.hoisted(() => {
  const follow = vi.fn<() => void>();
  const refreshing = vi.fn<() => object>(() => ({ follow, [Symbol.dispose]() {} }));
  return { follow, refreshing };
});
vi.mock('./config/refresh.ts', () => ({ refreshing }));

test('what looks after the secrets of the file is loaded again, if it could not be loaded', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-runtime-'));
  const write = (level: string) =>
    writeFile(join(place.path, 'sluice.yaml'), `logLevel: ${level}\ntoolsets: { t: { include: ["\${safe:word}"] } }\n`);
  await write('info');
  const read = async () => ({ from: '', refreshMs: 60_000, values: new Map([['word', { value: 'a-secret' }]]) });
  const safe = part({ references: { safe: { section: ['logLevel'], load: async () => read } } });
  refreshing.mockImplementationOnce(() => {
    throw new Error('EMFILE');
  });
  await using runtime = await startParts(
    { ...parts, safe },
    { home: place.path, cwd: place.path, env: {}, version: '1' },
  );
  await using _ = runtime.watch();
  await vi.waitFor(() => expect(refreshing).toHaveBeenCalledTimes(1));
  expect(follow).not.toHaveBeenCalled();
  await write('warn');
  await vi.waitFor(() => expect(follow).toHaveBeenCalled(), { timeout: 15_000 });
});
