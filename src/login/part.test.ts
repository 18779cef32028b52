import { expect, test, vi } from 'vitest';
import { loginPart } from './part.ts';

vi.mock('./open.ts', () => {
  let reads = 0;
  return {
    openLogins: async () => {
      if (reads++ === 0) throw new Error('the store is away');
      return { secrets: () => ['a login'], [Symbol.dispose]() {} };
    },
  };
});

test('logins that could not be read at first are read again with the next use', async () => {
  const host = { store: {}, events: {}, redact: (text: string) => text, url: () => ({}) };
  const opened = await loginPart.open?.(host as never, undefined as never);
  if (!opened) throw new Error('The part opens nothing.');
  const { api, secrets } = opened;
  await expect(api.load()).rejects.toThrow('the store is away');
  expect(api.current()).toBeUndefined();
  await expect(api.load()).resolves.toBe(await api.load());
  expect([api.current() !== undefined, secrets?.()]).toEqual([true, ['a login']]);
});
