import { expect, test } from 'vitest';
import { reachableUrl } from './reachable-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3500'],
  ['localhost', 'http://localhost:3500'],
  ['0.0.0.0', 'http://127.0.0.1:3500'],
  ['::', 'http://[::1]:3500'],
  ['::1', 'http://[::1]:3500'],
  ['[::1]', 'http://[::1]:3500'],
  ['2001:db8::7', 'http://[2001:db8::7]:3500'],
])('a listener on %s is reachable at %s', (host, url) => {
  expect(reachableUrl(host, 3500)).toBe(url);
  expect(new URL(url).port).toBe('3500');
});
