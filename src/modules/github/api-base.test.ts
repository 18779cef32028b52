import { expect, test } from 'vitest';
import { apiBase } from './api-base.ts';

test.each([
  ['https://api.github.com', 'https://api.github.com'],
  ['https://api.github.com/', 'https://api.github.com'],
  ['https://github.com', 'https://api.github.com'],
  ['https://www.github.com/', 'https://api.github.com'],
  ['https://ghe.example.com', 'https://ghe.example.com/api/v3'],
  ['https://ghe.example.com/api/v3/', 'https://ghe.example.com/api/v3'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://api.acme.ghe.com', 'https://api.acme.ghe.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v3'],
  ['https://proxy.example.com/github', 'https://proxy.example.com/github'],
])('the API of %s is at %s', (url, base) => {
  expect(apiBase(url)).toBe(base);
});
