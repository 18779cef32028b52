import { describe, expect, test } from 'vitest';
import { addressOf } from './address.ts';

describe('the address of Qdrant', () => {
  test.each([
    ['http://127.0.0.1:6333', 'http://127.0.0.1:6333'],
    ['http://qdrant', 'http://qdrant:6333'],
    ['https://x.cloud.qdrant.io/', 'https://x.cloud.qdrant.io:6333'],
    ['https://qdrant.example.com:443', 'https://qdrant.example.com:443'],
    ['http://example.com:80/vectors/', 'http://example.com:80/vectors'],
    ['http://[::1]:7000', 'http://[::1]:7000'],
  ])('%s is %s', (url, place) => {
    expect(addressOf(url).place).toBe(place);
  });

  test.each(['', 'qdrant:6333', 'ftp://x', 'not a url'])('%s is refused', (url) => {
    expect(() => addressOf(url)).toThrow(/memory\.qdrant\.url is not the URL of a Qdrant/);
  });

  test('a secret in it is refused, and not repeated', () => {
    for (const url of ['http://user:secret@x:6333', 'http://x:6333/?key=secret', 'http://x/#secret'])
      expect(() => addressOf(url)).toThrow(/^(?!.*secret).*memory\.qdrant\.apiKey/);
  });
});
