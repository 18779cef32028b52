import { expect, test, vi } from 'vitest';
import { openBackups } from './open-backups.ts';

vi.mock('./s3/open.ts', () => {
  let opens = 0;
  return {
    openS3() {
      if (opens++ === 0) throw new Error('EMFILE');
      return { begin() {}, health: () => ({ state: 'ready' }), async [Symbol.asyncDispose]() {} };
    },
  };
});

test('a bucket that could not be opened is opened again, and one that never was is closed', async () => {
  const settings = () => ({ directory: 'backups', keep: 10, s3: { bucket: 'b' } }) as never;
  const open = () => openBackups(settings, { redact: (text) => text });
  await using first = open();
  await expect(first.begin()).rejects.toThrow('EMFILE');
  await first.begin();
  expect(first.health()).toEqual([{ state: 'ready' }]);
});
