import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPaths } from './paths.ts';
import type { BackendSettings } from '../settings.ts';

let root: string;
let settings: BackendSettings;
const check =
  (path: unknown, tool = 'assemble') =>
  () =>
    checkPaths(settings, tool, path === undefined ? undefined : { out: path });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-paths-'));
  await mkdir(join(root, 'allowed', 'deep'), { recursive: true });
  await mkdir(join(root, 'allowed-too-but-not'));
  await mkdir(join(root, 'second'));
  await writeFile(join(root, 'secret'), '');
  await symlink(root, join(root, 'allowed', 'link-out'));
  await symlink(join(root, 'allowed', 'deep'), join(root, 'allowed', 'link-in'));
  await symlink(join(root, 'nothing'), join(root, 'allowed', 'dangling-out'));
  await symlink('../nothing', join(root, 'allowed', 'dangling-up'));
  await symlink('dangling-up', join(root, 'allowed', 'dangling-twice'));
  await symlink(join(root, 'allowed', 'link-out', 'nothing'), join(root, 'allowed', 'dangling-around'));
  await symlink('deep/../later.md', join(root, 'allowed', 'dangling-in'));
  await symlink('loop', join(root, 'allowed', 'loop'));
  const directories = [join(root, 'allowed'), join(root, 'second')];
  settings = {
    transport: { kind: 'stdio', cwd: join(root, 'allowed') },
    allowedPaths: [{ tool: 'assemble', argument: 'out', directories }],
  } as unknown as BackendSettings;
});

afterAll(() => rm(root, { recursive: true }));

test('every path inside the directories is allowed, whether it exists or not', () => {
  const below = ['allowed', 'allowed/x/y', 'second/z'].map((path) => join(root, path));
  for (const path of [
    'a.md',
    'deep/b.md',
    'new/dir/c.md',
    'link-in/d.md',
    'dangling-in',
    'deep/a..b',
    '.',
    'a b (1)~.md',
    'at 12:30.md',
    '100%.md',
    'größe.md',
    ...below,
  ]) {
    expect(check(path)).not.toThrow();
  }
});

test.each([
  ['up', '../secret'],
  ['up from inside', 'deep/../../secret'],
  ['up and back in', '../allowed/a.md'],
  ['up with backslashes', '..\\secret'],
  ['elsewhere', '/etc/passwd'],
  ['a link that leads out', 'link-out/secret'],
  ['a link that leads out, to a new file', 'link-out/new'],
  ['a link to nothing outside, where a file could be created', 'dangling-out'],
  ['the same below it', 'dangling-out/new'],
  ['a relative link to nothing outside', 'dangling-up'],
  ['a link to such a link', 'dangling-twice'],
  ['a link to nothing, by another link that leads out', 'dangling-around'],
  ['a link to itself', 'loop'],
  ['a NUL', 'a\0.md'],
  ['a home directory', '~/secret'],
  ["somebody's home directory", '~root/secret'],
  ['a URL', 'file:///etc/passwd'],
  ['a URL of one slash', 'file:/etc/passwd'],
  ['a URL in capitals', 'FILE://localhost/etc/passwd'],
  ['another URL', 'http://127.0.0.1/x'],
  ['a drive', 'C:/secret'],
  ['a variable', '$HOME/secret'],
  ['a variable in braces', 'x/${HOME}/secret'],
  ['a variable as Windows has them', '%USERPROFILE%/secret'],
  ['a space before it', ' /etc/passwd'],
  ['a line break behind it', 'a.md\n'],
  ['a path of backslashes', '\\etc\\passwd'],
  ['encoded dots', '%2e%2E/secret'],
  ['encoded slashes', '..%2fsecret'],
  ['no text', 42],
  ['a list', ['a.md']],
  ['null', null],
])('%s is refused, and the error says where it may be', (_, path) => {
  expect(check(path)).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: expect.stringMatching(
        `in ${join(root, 'allowed')} or .* Nothing was done. .* allowedPaths of this server`,
      ) as string,
    }) as Error,
  );
});

test('a sibling directory with the same beginning is not inside', () => {
  expect(check(join(root, 'allowed-too-but-not', 'x'))).toThrow('must be a plain path in');
});

test("a relative path is resolved from the server's working directory", () => {
  const elsewhere = { ...settings, transport: { kind: 'stdio', cwd: root } } as unknown as BackendSettings;
  expect(() => checkPaths(elsewhere, 'assemble', { out: 'a.md' })).toThrow('must be a plain path in');
  expect(() => checkPaths(elsewhere, 'assemble', { out: 'allowed/a.md' })).not.toThrow();
});

test('only the named tool and argument are checked', () => {
  expect(check('../secret', 'other')).not.toThrow();
  expect(check(undefined)).not.toThrow();
  expect(() => checkPaths(settings, 'assemble', { elsewhere: '../x' })).not.toThrow();
  expect(() => checkPaths({} as BackendSettings, 'assemble', { out: '../x' })).not.toThrow();
});
