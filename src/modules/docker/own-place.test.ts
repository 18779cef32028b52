import { expect, test } from 'vitest';
import { idsIn, isSelf, isWithin, ownPlaceOf, usesOwn } from './own-place.ts';

const id = 'a1b2c3d4e5f6'.padEnd(64, '0');
const other = 'f'.repeat(64);

test('the id is found in the mounts of Docker and Podman, and in control groups', () => {
  const docker = `1062 1052 254:1 /docker/containers/${id}/hostname /etc/hostname rw,relatime - ext4 /dev/vda1 rw`;
  const podman = `762 752 0:25 /containers/overlay-containers/${id}/userdata/hosts /etc/hosts rw - tmpfs tmpfs rw`;
  expect(idsIn(docker, '', 'web')).toEqual([id]);
  expect(idsIn(podman, '', 'web')).toEqual([id]);
  expect(idsIn('', `4:memory:/docker/${id}`, 'web')).toEqual([id]);
  expect(idsIn('', '', 'a1b2c3d4e5f6')).toEqual(['a1b2c3d4e5f6']);
});

test('on the host, mounts of containers are not our own', () => {
  const layer = `90 25 0:40 / /var/lib/docker/overlay2/${other}/merged rw - overlay overlay rw`;
  expect(idsIn(layer, '0::/user.slice/session-1.scope', 'server')).toEqual([]);
});

test('Sluice is known by its id or its label', () => {
  const self = { ids: ['a1b2c3d4e5f6'], homes: [] };
  expect(isSelf(self, { id, labels: {} })).toBe(true);
  expect(isSelf(self, { id: other, labels: {} })).toBe(false);
  expect(isSelf(self, { id: other, labels: { 'sluice.self': 'true' } })).toBe(true);
});

const mount = (Type: string, Source: string, Destination: string, Name?: string) => ({
  Type,
  Source,
  Destination,
  Name,
});

test('the home is where the mounts of its container lead', () => {
  const self = { ids: [id], homes: ['/data/sluice'] };
  expect(ownPlaceOf(self, undefined)).toEqual({ paths: ['/data/sluice'], volumes: [] });
  expect(ownPlaceOf(self, [mount('bind', '/srv/app', '/data'), mount('bind', '/etc', '/etc')])).toEqual({
    paths: ['/srv/app/sluice'],
    volumes: [],
  });
  expect(ownPlaceOf(self, [mount('bind', '/srv/keys', '/data/sluice/keys')])).toEqual({
    paths: ['/srv/keys'],
    volumes: [],
  });
  expect(ownPlaceOf(self, [mount('volume', '/var/lib/docker/volumes/home/_data', '/data', 'home')])).toEqual({
    paths: [],
    volumes: ['home'],
  });
});

test('whoever mounts a part of it, or a folder around it, holds its files', () => {
  const own = { paths: ['/srv/sluice'], volumes: ['home'] };
  expect(usesOwn(own, [mount('bind', '/srv', '/x')])).toBe(true);
  expect(usesOwn(own, [mount('bind', '/srv/sluice/keys', '/x')])).toBe(true);
  expect(usesOwn(own, [mount('volume', '', '/x', 'home')])).toBe(true);
  expect(usesOwn(own, [mount('bind', '/srv/sluice-old', '/x'), mount('volume', '', '/y', 'other')])).toBe(false);
});

test('a folder whose name begins alike is another', () => {
  expect(isWithin('/a/b', '/a')).toBe(true);
  expect(isWithin('/a', '/a/')).toBe(true);
  expect(isWithin('/ab', '/a')).toBe(false);
  expect(isWithin('/a', '/')).toBe(true);
});
