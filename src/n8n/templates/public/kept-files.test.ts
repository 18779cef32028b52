import { mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptFiles } from './kept-files.ts';

const opened = async () => mkdtempDisposable(join(tmpdir(), 'sluice-kept-'));

test('keeps a head and a content, and reads the head alone', async () => {
  await using place = await opened();
  const files = keptFiles(place.path, 1_000_000);
  await files.write('a/one.json', { at: 1 }, { long: 'x'.repeat(100_000) });
  expect(await files.head('a/one.json')).toEqual({ at: 1 });
  expect(await files.read('a/one.json')).toEqual({ head: { at: 1 }, content: { long: 'x'.repeat(100_000) } });
  expect(await files.read('a/none.json')).toBeUndefined();
});

test('the oldest go when there are too many bytes, and never the newest', async () => {
  await using place = await opened();
  const files = keptFiles(place.path, 10_000);
  for (let at = 0; at < 20; at++) {
    await files.write(`a/${at}.json`, { at }, { text: 'x'.repeat(1000) });
    await utimes(join(place.path, `a/${at}.json`), at, at);
  }
  await files.write('b/last.json', {}, { text: 'x'.repeat(1000) });
  const left = (await files.list('a'))
    .map(({ name }) => Number(/\d+/.exec(name)?.[0]))
    .sort((one, other) => one - other);
  expect(left.length).toBeLessThan(10);
  expect(left.at(-1)).toBe(19);
  expect(left[0]).toBe(20 - left.length);
  expect(await files.list('b')).toHaveLength(1);
});

test.each(['', '{', '{"at":1}', '{"at":1}\n{"cut":', 'no json\n{}', '\n'])(
  '%j is damaged, not an error',
  async (text) => {
    await using place = await opened();
    const files = keptFiles(place.path, 10_000);
    await writeFile(join(place.path, 'x.json'), text);
    expect(await files.read('x.json')).toBeUndefined();
  },
);

test('a folder that cannot be written is no error, and drafts that were left behind are removed', async () => {
  await using place = await opened();
  await writeFile(join(place.path, 'file'), '');
  await keptFiles(join(place.path, 'file'), 10_000).write('a/x.json', {}, {});
  const files = keptFiles(place.path, 10_000);
  await files.write('a/x.json', {}, {});
  await writeFile(join(place.path, 'a', 'y.json.tmp'), 'half');
  await utimes(join(place.path, 'a', 'y.json.tmp'), 1, 1);
  await files.list('a');
  expect(await readdir(join(place.path, 'a'))).toEqual(['x.json']);
});
