import { expect, test, vi } from 'vitest';
import type { Embedder } from '../../embedder/embedder.ts';
import { createToolMeanings } from './tool-meanings.ts';

function embedder(over: Partial<Embedder> = {}) {
  const ended: (() => void)[] = [];
  const fake: Embedder = {
    prepare: vi.fn<Embedder['prepare']>(async () => 'ready'),
    compare: vi.fn<Embedder['compare']>(async () => Float64Array.of(0.5)),
    embed: async () => undefined,
    hold: (answer) => answer,
    onEnd: (listener) => void ended.push(listener),
    closed: false,
    [Symbol.asyncDispose]: async () => {},
    ...over,
  };
  return { fake, end: () => ended.forEach((listener) => listener()) };
}

const texts = ['undo the last change'];

test('the first wish starts the model and does not wait for it', async () => {
  const { fake } = embedder();
  const meanings = createToolMeanings(fake, 'file');
  expect(fake.prepare).not.toHaveBeenCalled();
  expect(await meanings.alike(texts, 'revert')).toBeUndefined();
  expect(await meanings.prepare(texts)).toBe(true);
  expect(await meanings.alike(texts, 'revert')).toEqual(Float64Array.of(0.5));
  // The same texts in another list, for example of another caller.
  expect(await meanings.alike([...texts], 'revert')).toEqual(Float64Array.of(0.5));
  expect(fake.prepare).toHaveBeenCalledOnce();
});

test('an answer that takes too long is not waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<Float64Array>();
  const { fake } = embedder({ compare: () => promise });
  const meanings = createToolMeanings(fake, 'file', { patienceMs: 1 });
  await meanings.prepare(texts);
  expect(await meanings.alike(texts, 'revert')).toBeUndefined();
  resolve(Float64Array.of(1));
});

test('texts that the thread dropped, or lost in a crash, are prepared again', async () => {
  const compare = vi.fn<Embedder['compare']>(async () => undefined);
  const { fake, end } = embedder({ compare });
  const meanings = createToolMeanings(fake, 'file');
  await meanings.prepare(texts);
  expect(await meanings.alike(texts, 'revert')).toBeUndefined();
  await meanings.prepare(texts);
  expect(fake.prepare).toHaveBeenCalledTimes(2);
  end();
  await meanings.prepare(texts);
  expect(fake.prepare).toHaveBeenCalledTimes(3);
});

test('wishes that are not English, and too many texts, are left to search by words', async () => {
  const { fake } = embedder();
  const meanings = createToolMeanings(fake, 'file');
  expect(await meanings.alike(texts, 'letzte Änderung zurücknehmen')).toBeUndefined();
  expect(await meanings.prepare(Array.from({ length: 10_001 }, (_, at) => `text ${at}`))).toBe(false);
  expect(fake.prepare).not.toHaveBeenCalled();
});
