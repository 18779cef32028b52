import { expect, test, vi } from 'vitest';
import { byFirstUse } from './first-use.ts';

/** Things that are opened when the test says so. */
function things() {
  type Thing = AsyncDisposable & { closed: boolean };
  const waiting: PromiseWithResolvers<Thing>[] = [];
  const load = vi.fn<() => Promise<Thing>>(() => {
    const one = Promise.withResolvers<Thing>();
    waiting.push(one);
    return one.promise;
  });
  const made = () => ({
    closed: false,
    async [Symbol.asyncDispose]() {
      this.closed = true;
    },
  });
  return { load, waiting, made };
}

test('callers share what the first one opened', async () => {
  const { load, waiting, made } = things();
  const use = byFirstUse(load);
  expect(await use.settled()).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
  const both = [use.open(), use.open()];
  expect(use.peek()).toBeUndefined();
  const one = made();
  waiting[0]?.resolve(one);
  expect(await Promise.all(both)).toEqual([one, one]);
  expect(use.peek()).toBe(one);
  expect(load).toHaveBeenCalledOnce();
});

test('the call after a failure tries again', async () => {
  const { load, waiting, made } = things();
  const use = byFirstUse(load);
  const failing = use.open();
  waiting[0]?.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  const one = made();
  const second = use.open();
  waiting[1]?.resolve(one);
  expect(await second).toBe(one);
});

test('closing waits for what is about to be open, and the next use opens another', async () => {
  const { load, waiting, made } = things();
  const use = byFirstUse(load);
  const first = use.open();
  const closed = use.close();
  const second = use.open();
  const [old, fresh] = [made(), made()];
  waiting[0]?.resolve(old);
  await closed;
  await first;
  expect(old.closed).toBe(true);
  expect(use.peek()).toBeUndefined();
  waiting[1]?.resolve(fresh);
  await second;
  expect(use.peek()).toBe(fresh);
  expect(fresh.closed).toBe(false);
});

test('closing what could not be opened does nothing', async () => {
  const { load, waiting } = things();
  const use = byFirstUse(load);
  const failing = use.open().catch(() => 'failed');
  const closed = use.close();
  waiting[0]?.reject(new Error('away'));
  await closed;
  expect(await failing).toBe('failed');
});
