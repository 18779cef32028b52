import { expect, test } from 'vitest';
import { endpointOf } from './endpoint.ts';

test.each([
  ['http://127.0.0.1:6333', 'http://127.0.0.1:6333'],
  ['https://x.cloud.qdrant.io', 'https://x.cloud.qdrant.io:6333/'],
  ['https://x.example.com:443/qdrant', 'https://x.example.com:443/qdrant'],
  ['http://[::1]', 'http://[::1]:6333/'],
  ['http://x/qdrant', 'http://x:6333/qdrant'],
])('%s is %s', (url, expected) => {
  expect(endpointOf(url)).toBe(expected);
});
