import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { unknownBackup } from './backup-id.ts';
import { type CopiesDeps, createCopies } from './copies.ts';
import type { BackupPlace, Where } from './place.ts';
import { sealed } from './sealed.ts';

const idOf = (at: number) => `default/w1/20260101T00000000${at}Z-update-abcdef`;

/** Keeps backups in memory. Writing waits for `gate`, if there is one. */
function memory(name: Where) {
  const kept = new Map<string, Buffer[]>();
  const place = {
    name,
    kept,
    gate: undefined as Promise<void> | undefined,
    writing: 0,
    list: async (_within?: unknown, _signal?: AbortSignal) => [...kept.keys()],
    start: async () => Promise.reject(new Error('not needed')),
    async *read(id: string) {
      const found = kept.get(id);
      if (!found) throw unknownBackup(id);
      yield* found;
    },
    async write(id: string, content: AsyncIterable<Buffer>, signal?: AbortSignal) {
      const chunks = await Array.fromAsync(content);
      place.writing++;
      const cancelled = Promise.withResolvers<never>();
      signal?.addEventListener('abort', () => cancelled.reject(new AppError('cancelled', 'The call was cancelled.')));
      await Promise.race([place.gate, cancelled.promise]);
      kept.set(id, chunks);
      return 0;
    },
    async remove(ids: readonly string[]) {
      for (const id of ids) kept.delete(id);
    },
    sizeOf: async () => 0,
    add: async (at: number) => void kept.set(idOf(at), await Array.fromAsync(sealed({ at }, ['"x":1']))),
  };
  return place satisfies BackupPlace;
}

function places(more: Partial<CopiesDeps> = {}) {
  const told = { failed: vi.fn<(reason: string) => void>(), recovered: vi.fn<(ms: number) => void>() };
  const [disk, s3] = [memory('disk'), memory('s3')];
  const limits = { from: { keep: 1 }, to: { keep: 100 } };
  const wait = { first: 60_000, most: 60_000 };
  const copies = createCopies({ from: disk, to: s3, limits, required: false, told, redact: String, wait, ...more });
  return { told, disk, s3, copies };
}

const once = { signal: new AbortController().signal };

describe('copies', () => {
  it('let a caller go who cancels, and arrive all the same', async () => {
    const { told, disk, s3, copies } = places();
    const gate = Promise.withResolvers<void>();
    s3.gate = gate.promise;
    await disk.add(1);
    await copies.added(idOf(1));
    const stop = new AbortController();
    const asked = copies.ensure([idOf(1)], { signal: stop.signal });
    await vi.waitFor(() => expect(s3.writing).toBe(1));
    stop.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    gate.resolve();
    await vi.waitFor(() => expect(copies.state()).toMatchObject({ state: 'ready', waiting: 0 }));
    expect([...s3.kept.keys()]).toEqual([idOf(1)]);
    expect(told.failed).not.toHaveBeenCalled();
  });

  it('leave a file on disk that another process wrote and did not copy', async () => {
    const { disk, s3, copies } = places();
    await copies.all(once);
    for (const at of [1, 2, 3]) await disk.add(at);
    await copies.added(idOf(3));
    await vi.waitFor(() => expect(s3.kept.has(idOf(3))).toBe(true));
    await vi.waitFor(() => expect(copies.state().state).toBe('ready'));
    expect(copies.expendable([idOf(3), idOf(2), idOf(1)], [idOf(2), idOf(1)])).toEqual([]);
    expect([...disk.kept.keys()]).toEqual([idOf(1), idOf(2), idOf(3)]);
  });

  it('that are required are there, even if somebody deleted them', async () => {
    const { disk, s3, copies } = places({ required: true });
    await disk.add(1);
    await copies.added(idOf(1));
    await copies.all(once);
    s3.kept.clear();
    await copies.needs(idOf(1));
    expect([...s3.kept.keys()]).toEqual([idOf(1)]);
  });

  it('count only what was copied', async () => {
    const { disk, copies } = places();
    for (const at of [1, 2]) await disk.add(at);
    disk.kept.set(idOf(2), [Buffer.from('damaged')]);
    expect(await copies.all(once)).toEqual({ copied: 1, damaged: [idOf(2)] });
  });

  it('are given up soon if the second place is known to be away', async () => {
    const { disk, s3, copies } = places({ answerMs: 20 });
    s3.gate = Promise.reject(new AppError('unavailable', 'S3 is away.'));
    s3.gate.catch(() => {});
    await disk.add(1);
    await copies.added(idOf(1));
    await vi.waitFor(() => expect(copies.state().state).toBe('failing'));
    // From now on it does not even refuse.
    s3.gate = new Promise(() => {});
    s3.list = (_?: unknown, signal?: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new AppError('timeout', 'S3 did not answer in time.')));
      });
    await expect(copies.ensure([idOf(1)], once)).rejects.toThrow('S3 did not answer in time.');
    expect(s3.writing).toBe(1);
  });

  it('work again as soon as somebody copied', async () => {
    const { told, disk, s3, copies } = places();
    s3.gate = Promise.reject(new AppError('unavailable', 'S3 is away.'));
    s3.gate.catch(() => {});
    await disk.add(1);
    await copies.added(idOf(1));
    await vi.waitFor(() => expect(copies.state().state).toBe('failing'));
    s3.gate = undefined;
    await copies.all(once);
    await vi.waitFor(() => expect(copies.state().state).toBe('ready'));
    expect(told.recovered).toHaveBeenCalledOnce();
  });
});
