import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canReplace, needMountable, needNoLink, showsSocket } from './host-paths.ts';

const limits = { mounts: ['/srv/app'], own: { paths: ['/srv/app/sluice'], volumes: [] }, setting: 'modules.docker' };

const nothingOwn = { ...limits, own: { paths: [], volumes: [] } };

test.each(['/srv/app', '/srv/app/', '/srv//app', '/srv/./app/.'])('%s may be mounted', (path) => {
  expect(needMountable(path, nothingOwn)).toBe('/srv/app');
});

test.each(['/srv/app/x', '/srv/app//x/y'])('%s is below a listed folder, and may not', (path) => {
  expect(() => needMountable(path, nothingOwn)).toThrow(
    'allows /srv/app, and no folder inside. Mount a listed folder, and use its subfolders in the container',
  );
});

test.each([
  ['/etc', /allows \/srv\/app/],
  ['/srv', /allows|Sluice/],
  ['/srv/apple', /allows/],
  ['/srv/app/../../etc', /without "\.\."/],
  ['srv/app', /absolute path/],
  ['/srv/app\0/x', /absolute path/],
  ['/', /socket/],
  ['/var', /socket/],
  ['/run/docker.sock', /socket/],
  ['/srv/app/proxy/docker.sock', /socket/],
  ['/srv/app', /Sluice's database/],
  ['/srv/app/sluice/keys', /Sluice's database/],
])('%s may not', (path, why) => {
  expect(() => needMountable(path, limits)).toThrow(why);
});

test('without a list nothing may', () => {
  expect(() => needMountable('/srv/x', { ...limits, mounts: [] })).toThrow('List it in modules.docker.mounts');
});

test('folders around a socket show it', () => {
  expect(showsSocket('/run')).toBe(true);
  expect(showsSocket('/run/user')).toBe(false);
});

test('a listed folder is mounted if no link leads to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  try {
    await mkdir(join(folder, 'data/inner'), { recursive: true });
    await symlink(join(folder, 'data'), join(folder, 'link'));
    await expect(needNoLink(join(folder, 'data'), 'modules.docker')).resolves.toBeUndefined();
    await expect(needNoLink(join(folder, 'link'), 'modules.docker')).rejects.toThrow('List the real path');
    await expect(needNoLink(join(folder, 'link/inner'), 'modules.docker')).rejects.toThrow('below, a symbolic link');
    await expect(needNoLink(join(folder, 'none'), 'modules.docker')).rejects.toThrow('does not exist');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['/srv', true, true],
  ['/srv/', true, true],
  ['/srv', false, false],
  ['/srv/app', true, false],
  ['/srv/app/', true, false],
  ['/srv/app/below', true, false],
  ['/srv/ap', true, false],
  ['/', true, false],
  ['', true, false],
])('a container that mounts %j (writable: %s) can replace /srv/app: %s', (Source, RW, can) => {
  const mount = { Type: 'bind', Source, Destination: '/x', RW };
  expect(canReplace([mount], '/srv/app')).toBe(can);
});
