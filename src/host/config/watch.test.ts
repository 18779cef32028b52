import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from './load.ts';
import type { Loaded } from '../../runtime.ts';
import { type ConfigWatch, watchConfig } from './watch.ts';
import { load as loadConfig } from '../../runtime.ts';

let directory: string;
let file: string;
let seen: (number | string)[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-watch-'));
  file = join(directory, 'sluice.yaml');
  seen = [];
});
afterEach(() => rm(directory, { recursive: true }));

const port = (number: number) => `server: { port: ${number} }\n`;

function start(): ConfigWatch {
  const heard = seen;
  return watchConfig(
    () => loadConfig({ file, cwd: directory, home: directory, env: {} }),
    [file, join(file, '..', '.env')],
    (loaded: Loaded) => {
      heard.push(loaded.config.server.port);
    },
    (error) => {
      heard.push(error instanceof ConfigError ? (error.problems[0]?.message ?? '') : String(error));
    },
  );
}

const within = { timeout: 8_000, interval: 20 };

// Another change proves that earlier ones did not call twice: that callback would have come in between.
const lastly = () => writeFile(file, port(9999));

test('a write in place', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await writeFile(file, port(2));
  await expect.poll(() => seen, within).toEqual([2]);
  await lastly();
  await expect.poll(() => seen, within).toEqual([2, 9999]);
});

test("an editor's rename over the file", async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await writeFile(`${file}~`, port(2));
  await rename(`${file}~`, file);
  await expect.poll(() => seen, within).toEqual([2]);
  await lastly();
  await expect.poll(() => seen, within).toEqual([2, 9999]);
});

test('the symlink swap of a ConfigMap', async () => {
  await mkdir(join(directory, '..1'));
  await writeFile(join(directory, '..1', 'sluice.yaml'), port(1));
  await symlink('..1', join(directory, '..data'));
  await symlink('..data/sluice.yaml', file);
  await using _ = start();

  await mkdir(join(directory, '..2'));
  await writeFile(join(directory, '..2', 'sluice.yaml'), port(2));
  await symlink('..2', join(directory, '..data_tmp'));
  await rename(join(directory, '..data_tmp'), join(directory, '..data'));
  await rm(join(directory, '..1'), { recursive: true });
  await expect.poll(() => seen, within).toEqual([2]);
  await lastly();
  await expect.poll(() => seen, within).toEqual([2, 9999]);
});

test('deletion is rejected, and recreation is applied', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await unlink(file);
  await expect.poll(() => seen, within).toEqual(['does not exist']);
  await writeFile(file, port(2));
  await expect.poll(() => seen, within).toEqual(['does not exist', 2]);
  await lastly();
  await expect.poll(() => seen, within).toEqual(['does not exist', 2, 9999]);
});

test('a file that is deleted and restored at once has not changed', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await unlink(file);
  await writeFile(file, port(1));
  await lastly();
  await expect.poll(() => seen, within).toEqual([9999]);
});

test('writing the same content again is not a change', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await writeFile(file, port(1));
  await lastly();
  await expect.poll(() => seen, within).toEqual([9999]);
});

test('an invalid file is rejected once, and a valid one after it is applied', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  await writeFile(file, 'server: { prot: 2 }\n');
  await expect.poll(() => seen, within).toEqual(['"prot" is not a known key']);
  await lastly();
  await expect.poll(() => seen, within).toEqual(['"prot" is not a known key', 9999]);
});

test('the .env is watched, even before it exists', async () => {
  await writeFile(file, 'server: { port: "${MY_PORT:-1}" }\n');
  await using _ = start();
  await writeFile(join(directory, '.env'), 'MY_PORT=2\n');
  await expect.poll(() => seen, within).toEqual([2]);
  await writeFile(join(directory, '.env'), 'MY_PORT=3\n');
  await expect.poll(() => seen, within).toEqual([2, 3]);
});

test('a directory created later is noticed by polling', async () => {
  file = join(directory, 'later', 'sluice.yaml');
  await using _ = start();
  await mkdir(join(directory, 'later'));
  await writeFile(file, port(2));
  await expect.poll(() => seen, within).toEqual([2]);
  await writeFile(file, port(3));
  await expect.poll(() => seen, within).toEqual([2, 3]);
});

test('many quick writes end with the last one, and each callback gets a complete file', async () => {
  await writeFile(file, port(1));
  await using _ = start();
  for (let number = 1000; number < 1200; number++) await writeFile(file, port(number));
  await expect.poll(() => seen.at(-1), within).toBe(1199);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.every((port) => typeof port === 'number' && port >= 1000)).toBe(true);
});

test('a callback that throws counts as a rejection, and watching continues', async () => {
  await writeFile(file, port(1));
  await using _ = watchConfig(
    () => loadConfig({ file, cwd: directory, home: directory, env: {} }),
    [file],
    ({ config }) => {
      if (config.server.port === 2) throw new Error('could not apply');
      seen.push(config.server.port);
    },
    (error) => {
      seen.push(String(error));
    },
  );
  await writeFile(file, port(2));
  await expect.poll(() => seen, within).toEqual(['Error: could not apply']);
  await writeFile(file, port(3));
  await expect.poll(() => seen, within).toEqual(['Error: could not apply', 3]);
});

test('nothing is called after disposal', async () => {
  await writeFile(file, port(1));
  const watching = start();
  await writeFile(file, port(2));
  await watching[Symbol.asyncDispose]();
  const before = seen;
  const count = before.length;

  // A second watcher sees two changes. The first would have seen at least one of them by then.
  seen = [];
  await using _ = start();
  await writeFile(file, port(3));
  await expect.poll(() => seen, within).toEqual([3]);
  await writeFile(file, port(4));
  await expect.poll(() => seen, within).toEqual([3, 4]);
  expect(before).toHaveLength(count);
});

test('loads again when asked to, though no file changed', async () => {
  await writeFile(file, port(1));
  await using watching = start();
  watching.again();
  await expect.poll(() => seen, within).toEqual([1]);
  await lastly();
  await expect.poll(() => seen, within).toEqual([1, 9999]);
});
