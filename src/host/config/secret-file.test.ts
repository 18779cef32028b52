import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSecretFile } from './secret-file.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-secret-'));
  file = join(directory, 'secret');
});
afterEach(() => rm(directory, { recursive: true }));

test.each([
  ['pässword', 'pässword'],
  ['pässword\n', 'pässword'],
  ['pässword\r\n', 'pässword'],
  ['two\nlines\n\n', 'two\nlines\n'],
  [' spaces ', ' spaces '],
  ['', ''],
  ['x'.repeat(65_536), 'x'.repeat(65_536)],
])('%j', async (content, value) => {
  await writeFile(file, content);
  expect(await readSecretFile(file)).toEqual({ read: { value }, watched: true });
});

test('what is absent, and what cannot be read', async () => {
  expect((await readSecretFile(file)).read).toEqual({
    absent: true,
    message: `${file} does not exist`,
    fix: 'Check the path, and whether the secret is mounted.',
  });
  expect((await readSecretFile(join(file, 'below'))).read).toMatchObject({ absent: true });
  await mkdir(file);
  expect((await readSecretFile(file)).read).toEqual({
    absent: false,
    message: `${file} is a directory, not a file`,
    fix: 'Name the file in it that holds the secret.',
  });
});

test.each([
  ['a NUL', Buffer.from('a\0b')],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
])('%s is not a text', async (_, content) => {
  await writeFile(file, content);
  expect((await readSecretFile(file)).read).toMatchObject({ absent: false, message: `${file} is not a text` });
});

test('a file that is too long, a device and a pipe are neither read nor watched', async () => {
  await writeFile(file, 'x'.repeat(65_537));
  expect(await readSecretFile(file)).toMatchObject({
    read: { message: `${file} has more than 64 KB` },
    watched: false,
  });
  expect(await readSecretFile('/dev/zero')).toMatchObject({
    read: { message: '/dev/zero is not a file' },
    watched: false,
  });
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await readSecretFile(pipe)).toMatchObject({ read: { message: `${pipe} is not a file` }, watched: false });
});

// Root may read everything.
test.skipIf(process.getuid?.() === 0)('a file of somebody else', async () => {
  await writeFile(file, 'x');
  await chmod(file, 0);
  expect((await readSecretFile(file)).read).toEqual({
    absent: false,
    message: `${file} may not be opened by this user (EACCES)`,
    fix: 'Let the user that Sluice runs as read it.',
  });
});
