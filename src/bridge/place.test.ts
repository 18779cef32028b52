import { expect, it } from 'vitest';
import { placeOf } from './place.ts';

it.each([
  'http://127.0.0.1:3500/mcp',
  'http://[::1]:3500',
  'http://host.docker.internal:3500/sse',
  'http://0.0.0.0:3500',
])('%s is this machine', (url) => expect(placeOf(url)).toBe('localhost:3500'));

it('adds default ports, and returns nothing for an invalid URL', () => {
  expect([placeOf('https://Example.com/x'), placeOf('http://example.com'), placeOf('not a url')]).toEqual([
    'example.com:443',
    'example.com:80',
    undefined,
  ]);
});
