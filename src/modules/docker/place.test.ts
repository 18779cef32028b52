import { expect, test } from 'vitest';
import { addressIn, placeIn } from './place.ts';

test.each([
  ['unix:///var/run/docker.sock', { socketPath: '/var/run/docker.sock' }],
  ['/run/podman/podman.sock', { socketPath: '/run/podman/podman.sock' }],
  ['tcp://proxy:2375', { base: 'http://proxy:2375' }],
  ['tcp://proxy', { base: 'http://proxy:2375' }],
  ['tcp://host:2376', { base: 'https://host:2376' }],
  ['http://proxy:80', { base: 'http://proxy:80' }],
  ['http://proxy:2375/docker/', { base: 'http://proxy:2375/docker' }],
  ['https://host', { base: 'https://host:2376' }],
  ['http://me:s3cret@proxy:2375', { base: 'http://me:s3cret@proxy:2375' }],
  ['tcp://[::1]:2375', { base: 'http://[::1]:2375' }],
])('%s is understood', (url, place) => {
  expect(placeIn(url, false)).toEqual(place);
});

test('certificates make TCP secure', () => {
  expect(placeIn('tcp://host:2375', true)).toEqual({ base: 'https://host:2375' });
});

test.each([
  ['ssh://me@host', /ssh -NL/],
  ['npipe:////./pipe/docker_engine', /cannot be npipe/],
  ['unix://docker.sock', /whole path/],
  ['ftp://host', /must be unix/],
  ['host:2375', /must be unix/],
])('%s is refused with what to write', (url, why) => {
  expect(placeIn(url, false)).toMatch(why);
});

test('the address has no credentials', () => {
  expect(addressIn({ base: 'http://me:s3cret@proxy:2375' })).toEqual({ host: 'proxy', port: 2375 });
  expect(addressIn({ base: 'http://[::1]:2375' })).toEqual({ host: '::1', port: 2375 });
  expect(addressIn({ socketPath: '/x.sock' })).toEqual({ socket: '/x.sock' });
});
