import { describe, expect, it, test } from 'vitest';
import { isEveryAddress, isLoopback, isPlainHttp } from './plain-http.ts';

describe('this machine', () => {
  it.each(['localhost', 'LOCALHOST', 'n8n.localhost', '127.0.0.1', '127.8.8.8', '::1', '[::1]'])('is %s', (host) =>
    expect(isLoopback(host)).toBe(true),
  );

  it.each([
    'localhost.evil.example',
    'evillocalhost',
    'evil.example#.localhost',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '',
  ])('is not %j', (host) => expect(isLoopback(host)).toBe(false));
});

test.each([
  ['0.0.0.0', true],
  ['::', true],
  ['[::]', true],
  ['127.0.0.1', false],
])('%s is every address: %s', (host, every) => expect(isEveryAddress(host)).toBe(every));

test.each([
  ['http://example.com', true],
  ['https://example.com', false],
  ['http://127.0.0.1:5678', false],
])('data from %s could be altered in transit: %s', (url, plain) => expect(isPlainHttp(url)).toBe(plain));
