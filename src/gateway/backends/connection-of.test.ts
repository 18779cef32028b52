import { expect, test } from 'vitest';
import { serverSchema } from '../config/server-entry.ts';
import { isSameConnection, isSameServer } from './connection-of.ts';

const before = { url: 'https://a.example/mcp' };

test.each([
  { prefix: 'b' },
  { description: 'new' },
  { timeout: '1s' },
  { callTimeout: '1s' },
  { tags: ['new'] },
  { tools: { include: ['*'] } },
  { confirm: 'human' },
  { expose: 'compact' },
  { onChange: 'hold' },
  { allowedPaths: [{ tool: 't', argument: 'a', directories: ['/'] }] },
  { redactErrors: false },
])('%j needs no other connection', (more) => {
  expect(isSameConnection(serverSchema.parse(before), serverSchema.parse({ ...before, ...more }))).toBe(true);
});

test.each([
  { url: 'https://b.example/mcp' },
  { headers: { 'X-Key': 'k' } },
  { isolation: 'session' },
  { replicas: 2 },
  { allowInternal: false },
  { oauth: false },
])('%j needs another connection', (more) => {
  expect(isSameConnection(serverSchema.parse(before), serverSchema.parse({ ...before, ...more }))).toBe(false);
});

const [a, b, c] = ['https://a.example/mcp', 'https://b.example/mcp', 'https://c.example/mcp'];

test.each([
  [{ urls: [a, b] }, { urls: [b, c] }, true],
  [{ url: a }, { urls: [b, a] }, true],
  [{ urls: [a, b] }, { url: b }, true],
  [{ urls: [a, b] }, { url: c }, false],
  [{ url: a }, { url: b }, false],
  [{ urls: [a, b] }, { urls: [a, b], headers: { 'X-Key': 'k' } }, true],
  [{ command: 'x', args: ['a'] }, { command: 'x', args: ['a'], env: { KEY: 'k' } }, true],
  [{ command: 'x', args: ['a'] }, { command: 'x', args: ['b'] }, false],
  [{ command: 'x' }, { url: a }, false],
  [{ urls: [a, b] }, { command: 'x' }, false],
])('%j -> %j is the same server: %s', (before, now, same) => {
  expect(isSameServer(serverSchema.parse(before), serverSchema.parse(now))).toBe(same);
});
