import { Worker } from 'node:worker_threads';
import { afterAll, expect, test, vi } from 'vitest';
import { createEmbedder } from '../../../src/embedder/embedder.ts';
import { openModel } from '../../../src/embedder/models.ts';
import { modelKey } from '../../../src/embedder/text-model.ts';

const embedder = createEmbedder();
afterAll(() => embedder[Symbol.asyncDispose]());
const model = openModel({ kind: 'packaged' }, { cache: '', load: async () => embedder });

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);

test('says which model it is', async () => {
  expect(modelKey(await model.identify())).toBe('use-lite@0.2.0/512');
});

test('gives a vector of length 1 for every text, near for like meanings', async () => {
  const vectors = await model.embed(['How old are you?', 'What is your age?', 'The train to Rome leaves at nine.', '']);
  expect(vectors.map(({ length }) => length)).toEqual([512, 512, 512, 512]);
  const [asked, alike, other] = vectors as [Float32Array, Float32Array, Float32Array];
  for (const vector of [asked, alike, other]) expect(dot(vector, vector)).toBeCloseTo(1, 4);
  expect(dot(asked, alike)).toBeGreaterThan(dot(asked, other) + 0.2);
  expect(await model.embed([])).toEqual([]);
});

test('takes empty, odd and very long texts, each with its own vector', async () => {
  const texts = ['', 'x', '', '🙂🙂', ' ', 'x'.repeat(1_000_000), 'a \ud800', ''];
  const vectors = await model.embed(texts);
  expect(vectors).toHaveLength(texts.length);
  expect(vectors[1]).toEqual((await model.embed(['x']))[0]);
});

test('splits long work, tells its progress, and lets a question in between', async () => {
  const told: number[] = [];
  let asked: Promise<unknown> | undefined;
  let answeredAt: number | undefined;
  const texts = Array.from({ length: 100 }, (_, at) => `note number ${at}`);
  const vectors = await model.embed(texts, {
    progress(done, of) {
      expect(of).toBe(100);
      told.push(done);
      asked ??= model.embed(['a question']).then(() => (answeredAt = told.length));
    },
  });
  await asked;
  expect(vectors).toHaveLength(100);
  expect([told[0], told.at(-1)]).toEqual([8, 100]);
  expect(answeredAt).toBeLessThan(6);
});

test('gives each text its own vector, whatever the lengths', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `${'word '.repeat((at * 7) % 20)}number ${at}`);
  const together = await model.embed(texts);
  for (const [at, text] of texts.entries()) {
    const [alone] = await model.embed([text]);
    expect(dot(together[at] as Float32Array, alone as Float32Array)).toBeCloseTo(1, 4);
  }
});

test('stops when it is cancelled', async () => {
  const stop = new AbortController();
  const texts = Array.from({ length: 100 }, (_, at) => `note number ${at}`);
  const embedding = model.embed(texts, { signal: stop.signal, progress: () => stop.abort(new Error('enough')) });
  await expect(embedding).rejects.toThrow('enough');
});

test('says so when its thread has ended', async () => {
  const closed = createEmbedder();
  await closed[Symbol.asyncDispose]();
  const lost = openModel({ kind: 'packaged' }, { cache: '', load: async () => closed }).embed(['x']);
  await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
});

test('what is asked while an idle thread ends is for the next one', async () => {
  const ending = Promise.withResolvers<void>();
  const terminate = Worker.prototype.terminate;
  using _spy = vi.spyOn(Worker.prototype, 'terminate').mockImplementation(function (this: Worker) {
    ending.resolve();
    return terminate.call(this);
  });
  await using brief = createEmbedder({ idleMs: 1 });
  await brief.embed(['one'], 'urgent');
  await ending.promise;
  expect(await brief.embed(['two'], 'urgent')).toHaveLength(512);
});
