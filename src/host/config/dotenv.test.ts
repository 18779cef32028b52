import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addToDotenv, dotenvLine, readDotenv } from './dotenv.ts';

let path: string;
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'sluice-dotenv-')), '.env');
});
afterEach(() => rm(join(path, '..'), { recursive: true }));

test.each([
  'abc',
  'a b',
  ' edges ',
  'a#b',
  'say "hi"',
  "it's",
  '`x`',
  'two\nlines',
  'back\\nslash',
  '$HOME ${X}',
  'a=b',
  `'"`,
])('%j reads back as it is', (value) => expect(parseEnv(dotenvLine('NAME', value))).toEqual({ NAME: value }));

test('a value that cannot be written is refused without being shown', () => {
  expect(() => dotenvLine('NAME', `hunter2 \`"'# end`)).toThrow(/^The value of NAME contains every kind of quote/);
});

test('keeps existing lines, and makes the file readable by the owner only', async () => {
  await writeFile(path, '# mine\nA=1');
  await chmod(path, 0o644);
  await addToDotenv(path, { A: '1', B: 'two words' });
  expect(await readFile(path, 'utf8')).toBe('# mine\nA=1\nB=two words\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a new value overrides the previous one', async () => {
  await addToDotenv(path, { A: '1' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await addToDotenv(path, { A: '2' });
  expect(await readDotenv(path)).toEqual({ A: '2' });
});

test('a directory of that name reads as empty, and writing fails with a message', async () => {
  await mkdir(path);
  expect(await readDotenv(path)).toEqual({});
  await expect(addToDotenv(path, { A: '1' })).rejects.toThrow(`Cannot write ${path} (EISDIR).`);
});
