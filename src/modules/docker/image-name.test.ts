import { expect, test } from 'vitest';
import { allowedImages, imageNameOf, wholeName } from './image-name.ts';

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['acme/app', 'docker.io/acme/app:latest'],
  ['ghcr.io/acme/app:2', 'ghcr.io/acme/app:2'],
  ['localhost:5000/app', 'localhost:5000/app:latest'],
  ['nginx@sha256:abc', 'docker.io/library/nginx@sha256:abc'],
])('%s is %s', (given, whole) => {
  expect(wholeName(imageNameOf(given))).toBe(whole);
});

test.each(['', '../x', 'a b', 'x?y=1', 'a//b', './x', 'a/../b', 'x#y'])('"%s" is no image', (given) => {
  expect(() => imageNameOf(given)).toThrow('is not an image');
});

test.each([
  [['nginx'], 'nginx:1.27', true],
  [['nginx'], 'docker.io/library/nginx', true],
  [['nginx:1.*'], 'nginx:1.27', true],
  [['nginx:1.*'], 'nginx:2', false],
  [['nginx:*'], 'nginx@sha256:abc', false],
  [['nginx*'], 'nginx.evil.example/x', false],
  // A registry on port 1, not a tag of nginx.
  [['nginx:*'], 'nginx:1/evil', false],
  [['ghcr.io/acme/*'], 'ghcr.io/acme/app:2', true],
  [['ghcr.io/acme/*'], 'ghcr.io/other/app', false],
  [['*.acme.dev/*'], 'eu.acme.dev/app', true],
  [['*.acme.dev/*'], 'evil.example/x.acme.dev/y', false],
  [['*'], 'anything/at:all', true],
  [undefined, 'anything', true],
])('%j and %s: %s', (globs, image, isAllowed) => {
  expect(allowedImages(globs, 'modules.docker.images').has(image)).toBe(isAllowed);
});

test('a refusal names the setting', () => {
  expect(() => allowedImages(['nginx'], 'modules.docker.images').need('redis')).toThrow('modules.docker.images');
});
