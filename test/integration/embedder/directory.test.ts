/** SLUICE_TEST_MINILM=DIR runs the suite that every model must pass against a real all-MiniLM-L6-v2, too. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbedder } from '../../../src/embedder/embedder.ts';
import { openModel } from '../../../src/embedder/models.ts';
import { modelKey } from '../../../src/embedder/text-model.ts';
import { DIMENSIONS, expectedVector, tinyModel, writeModel } from '../../fixtures/tiny-text-model.ts';
import { modelCache, needRuntime, runtimeIsMissing } from '../../support/model-runtime.ts';

const root = await mkdtemp(join(tmpdir(), 'sluice-models-'));
const embedder = createEmbedder();
const load = async () => embedder;
afterAll(async () => {
  await embedder[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});
let count = 0;
async function directory(files: ReadonlyMap<string, string | Buffer> = tinyModel()): Promise<string> {
  const path = join(root, String(++count));
  await writeModel(path, files);
  return path;
}
const modelIn = (path: string, cache = modelCache) => openModel({ kind: 'directory', path }, { cache, load });
const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);

const tiny = await directory();

describe.skipIf(runtimeIsMissing)('a model from a directory', () => {
  beforeAll(needRuntime, 300_000);

  describe.each([
    { model: 'tiny', dimensions: DIMENSIONS, path: tiny },
    ...(process.env.SLUICE_TEST_MINILM
      ? [{ model: 'all-MiniLM-L6-v2', dimensions: 384, path: process.env.SLUICE_TEST_MINILM }]
      : []),
  ])('$model', ({ dimensions, path }) => {
    const model = modelIn(path);

    test('says which model it is, the same each time', async () => {
      const identity = await model.identify();
      expect(identity).toMatchObject({ dimensions, version: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
      expect(await modelIn(path).identify()).toEqual(identity);
    });

    test('gives vectors of length 1, near for like meanings', async () => {
      const vectors = await model.embed(['The car is red', 'the automobile is red', 'a train', 'bread']);
      for (const vector of vectors) {
        expect(vector).toHaveLength(dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 4);
      }
      const [car, automobile, train, bread] = vectors as [Float32Array, Float32Array, Float32Array, Float32Array];
      expect(dot(car, automobile)).toBeGreaterThan(0.8);
      expect(dot(car, automobile)).toBeGreaterThan(dot(car, train) + 0.1);
      expect(dot(car, automobile)).toBeGreaterThan(dot(car, bread) + 0.1);
    });

    test('a text has the same vector alone and among others', async () => {
      const [alone] = await model.embed(['the red train']);
      const among = await model.embed(['bread', 'the red train', 'x '.repeat(400)]);
      expect(dot(alone as Float32Array, among[1] as Float32Array)).toBeCloseTo(1, 4);
    });

    test('takes empty, odd and very long texts', async () => {
      const texts = ['', ' ', '🙂', 'half \ud800', '\0', 'car '.repeat(250_000), '日本語'];
      const vectors = await model.embed(texts);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4);
    });

    test('lets a question overtake long work', async () => {
      const told: number[] = [];
      let answeredAt: number | undefined;
      let asked: Promise<unknown> | undefined;
      await model.embed(
        Array.from({ length: 64 }, () => 'the red car'),
        {
          progress(done) {
            told.push(done);
            asked ??= model.embed(['bread']).then(() => (answeredAt = told.length));
          },
        },
      );
      await asked;
      expect(told).toEqual([8, 16, 24, 32, 40, 48, 56, 64]);
      expect(answeredAt).toBeLessThan(5);
    });
  });

  test('the vector is the mean of the last layer over all tokens, with those at both ends', async () => {
    const [known, pieces, cut] = await modelIn(await directory()).embed(['Red cars', 'xyz', 'train '.repeat(40)]);
    const expected = [
      expectedVector(['[CLS]', 'red', 'car', '##s', '[SEP]']),
      expectedVector(['[CLS]', '[UNK]', '[SEP]']),
      expectedVector(['[CLS]', ...Array.from({ length: 14 }, () => 'train'), '[SEP]']),
    ];
    for (const [at, vector] of [known, pieces, cut].entries())
      for (const [index, value] of (expected[at] ?? []).entries()) expect(vector?.[index]).toBeCloseTo(value, 4);
  });

  test('is named for its content, not for its place', async () => {
    const one = await modelIn(await directory()).identify();
    expect(modelKey(one)).toMatch(/^tiny@[0-9a-f]{12}\/8$/);
    expect(await modelIn(await directory()).identify()).toEqual(one);
    const files = tinyModel();
    files.set('tokenizer.json', `${String(files.get('tokenizer.json'))} `);
    expect(await modelIn(await directory(files)).identify()).not.toEqual(one);
  });

  test('the unquantised weights serve, too', async () => {
    const files = tinyModel();
    files.set('onnx/model.onnx', files.get('onnx/model_quantized.onnx') as Buffer);
    files.delete('onnx/model_quantized.onnx');
    expect(await modelIn(await directory(files)).embed(['red'])).toHaveLength(1);
  });

  test('files that change under it are noticed, not mixed', async () => {
    const path = await directory();
    const model = modelIn(path);
    await model.identify();
    await writeFile(join(path, 'tokenizer.json'), `${String(tinyModel().get('tokenizer.json'))}\n`);
    await expect(model.embed(['red'])).rejects.toThrow(/have changed\. Restart Sluice/);
  });

  test.each([
    ['weights that are no model', 'onnx/model_quantized.onnx', 'no model', /The model failed: /],
    ['a broken tokenizer', 'tokenizer.json', '{', /tokenizer\.json cannot be used: .* Download it again/],
    ['a config without dimensions', 'config.json', '{}', /hidden_size is not a whole number/],
  ])('%s: an error that says so, and the thread goes on', async (_, file, content, message) => {
    const files = tinyModel();
    files.set(file, content);
    await expect(modelIn(await directory(files)).embed(['red'])).rejects.toThrow(message);
    expect(await modelIn(await directory()).embed(['red'])).toHaveLength(1);
  });

  test('a config with other dimensions than the weights is an error', async () => {
    const model = modelIn(await directory(tinyModel({ dimensions: 9 })));
    await expect(model.embed(['red'])).rejects.toThrow(/gives 8 dimensions, but config\.json says 9/);
  });
});

test('names the files that are missing, and the command that gets them', async () => {
  const files = tinyModel();
  files.delete('config.json');
  files.delete('onnx/model_quantized.onnx');
  const path = await directory(files);
  await expect(modelIn(path).identify()).rejects.toMatchObject({
    code: 'unavailable',
    message: `${path} is not a complete model: config.json, onnx/model_quantized.onnx or onnx/model.onnx are missing. \`sluice memory model fetch\` downloads all-MiniLM-L6-v2 and prints the path for memory.embedder.directory.`,
  });
});

test('names the command that installs the runtime', async () => {
  const path = await directory();
  const missing = modelIn(path, join(root, 'empty-cache'));
  await expect(missing.identify()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/is not installed\. Run `sluice memory model fetch --runtime-only`\.$/) as string,
  });
});
