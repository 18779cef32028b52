import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type Embed, likeness, type Model, quantised, unitVectors, vectorsOf } from './vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-vectors-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model: Model = { name: 'letters', version: '1', dimensions: 3 };
const embedder = () => vi.fn<Embed>(async (texts) => texts.map((text) => [text.length, 1, 0]));
const meant = ['a', 'bb', 'ccc'].map((text) => ({ text, nodes: [text] }));

test('vectors are made once, then read from the file', async () => {
  const file = join(folder, 'once');
  const embed = embedder();
  const made = await vectorsOf(meant, model, { file, embed });
  expect(made).toHaveLength(9);
  expect(await vectorsOf(meant, model, { file })).toEqual(made);
  expect(embed).toHaveBeenCalledOnce();
});

test('never reads vectors of another model, and makes only those of new texts', async () => {
  const file = join(folder, 'never-mixed');
  await vectorsOf(meant, model, { file, embed: embedder() });
  expect(await vectorsOf(meant, { ...model, version: '2' }, { file })).toBeUndefined();
  const embed = embedder();
  const others = [{ text: 'dddd', nodes: ['d'] }, ...meant.slice(1)];
  const made = await vectorsOf(others, model, { file, embed });
  expect(embed.mock.calls).toEqual([[['dddd']]]);
  expect(made).toEqual(await vectorsOf(others, model, { file: join(folder, 'apart'), embed: embedder() }));
  expect(await vectorsOf(meant, model, { file })).toBeDefined();
});

test('continues where it was stopped', async () => {
  const file = join(folder, 'stopped');
  const many = Array.from({ length: 700 }, (_, at) => ({ text: `text ${at}`, nodes: [`n${at}`] }));
  let calls = 0;
  const stopping: Embed = async (texts) => {
    if (++calls > 9) throw new Error('stopped');
    return embedder()(texts);
  };
  await expect(vectorsOf(many, model, { file, embed: stopping })).rejects.toThrow('stopped');
  expect(await vectorsOf(many, model, { file })).toBeUndefined();
  const embed = embedder();
  const told: number[] = [];
  const made = await vectorsOf(many, model, { file, embed, progress: (done) => told.push(done) });
  expect(embed.mock.calls.flatMap(([texts]) => texts).length).toBeLessThan(400);
  expect([told[0], told.at(-1)]).toEqual([expect.toSatisfy((done: number) => done > 300), 700]);
  expect(made).toEqual(await vectorsOf(many, model, { file: join(folder, 'at-once'), embed: embedder() }));
});

test('a truncated file is rebuilt', async () => {
  const file = join(folder, 'cut');
  await vectorsOf(meant, model, { file, embed: embedder() });
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  await vectorsOf(meant, model, { file, embed: embedder() });
  expect(readFileSync(file)).toEqual(whole);
});

test('a directory that cannot be written only prevents saving', async () => {
  writeFileSync(join(folder, 'no-folder'), '');
  const file = join(folder, 'no-folder', 'file');
  expect(await vectorsOf(meant, model, { file, embed: embedder() })).toHaveLength(9);
});

test('equal vectors have similarity 1, opposite ones -1', () => {
  const one = quantised([3, 4, 0]);
  expect(likeness(one, quantised([30, 40, 0]), 0)).toBeCloseTo(1, 1);
  expect(likeness(one, quantised([-3, -4, 0]), 0)).toBeCloseTo(-1, 1);
  expect(likeness(one, quantised([0, 0, 5]), 0)).toBe(0);
});

test('vectors are scaled to length 1, and an empty one stays', () => {
  expect([...unitVectors([[3, 4], Float32Array.of(0, -2), [0, 0]], 2)]).toEqual([
    expect.closeTo(0.6),
    expect.closeTo(0.8),
    0,
    -1,
    0,
    0,
  ]);
});
