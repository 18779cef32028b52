import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needMountable, needNoLink, showsSocket } from './host-paths.ts';

const limits = { mounts: ['/srv/app'], own: { paths: ['/srv/app/sluice'], volumes: [] }, setting: 'modules.docker' };

test.each(['/srv/app', '/srv/app/', '/srv//app/x', '/srv/app/./x'])('%s may be mounted', (path) => {
  expect(needMountable(path, { ...limits, own: { paths: [], volumes: [] } })).toMatch(/^\/srv\/app/);
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

test('a link below a listed folder is followed where it can be seen, and refused elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  try {
    await mkdir(join(folder, 'data/inner'), { recursive: true });
    await symlink('/etc', join(folder, 'data/out'));
    await symlink(join(folder, 'data/inner'), join(folder, 'data/in'));
    const here = { mounts: [join(folder, 'data')], own: { paths: [], volumes: [] }, setting: 'modules.docker' };
    const check = (name: string, isLocal: boolean) =>
      needNoLink(join(folder, name), { ...here, isLocal: () => isLocal });
    await expect(check('data/inner', true)).resolves.toBeUndefined();
    await expect(check('data/in', true)).resolves.toBeUndefined();
    await expect(check('data/out', true)).rejects.toThrow('symbolic link');
    await expect(check('data/none', true)).rejects.toThrow('does not exist');
    await expect(check('data', false)).resolves.toBeUndefined();
    await expect(check('data/inner', false)).rejects.toThrow('List the folder itself');
  } finally {
    await rm(folder, { recursive: true });
  }
});
