import { expect, test } from 'vitest';
import type { Health } from '../../kernel/health.ts';
import { overallOf } from './overall.ts';

const part = (kind: Health['kind'], state: Health['state'], message?: string): Health => ({
  name: `the ${kind}`,
  kind,
  state,
  ...(message !== undefined && { lastError: { message, at: '2026-01-01T00:00:00Z' } }),
});
const server = (name: string, state: string, message?: string) => ({
  name,
  state,
  ...(message !== undefined && { lastError: { message } }),
});

test('it is ok if everything works, is off, or was stopped', () => {
  const parts = [part('store', 'ready', 'long over'), part('nodes', 'off')];
  expect(overallOf([server('a', 'RUNNING', 'long over'), server('b', 'STOPPED')], parts)).toEqual({
    state: 'ok',
    problems: [],
  });
});

test('each problem is a line', () => {
  const parts = [part('store', 'ready'), part('n8n', 'failing', 'It is away.\nReally.'), part('local-n8n', 'starting')];
  expect(overallOf([server('a', 'RUNNING'), server('b', 'FAILED', 'It broke.')], parts)).toEqual({
    state: 'degraded',
    problems: ['server b: It broke.', 'the n8n: It is away.', 'the local-n8n: is starting'],
  });
});

test('a server with several URLs names those that do not work', () => {
  const urls = [
    { url: 'https://a/mcp', state: 'RUNNING' },
    { url: 'https://b/mcp', state: 'FAILED', lastError: 'It is away.\nReally.' },
    { url: 'https://c/mcp', state: 'DEGRADED' },
  ];
  expect(overallOf([{ ...server('far', 'DEGRADED', 'older'), urls }], [])).toEqual({
    state: 'degraded',
    problems: ['server far: 2 of its 3 URLs do not work: https://b/mcp (It is away.), https://c/mcp'],
  });
});

test.each([
  ['nothing that is connected works', [server('b', 'FAILED', 'x')], [part('n8n', 'failing', 'x')]],
  ['the store does not', [server('b', 'RUNNING')], [part('store', 'failing', 'disk full')]],
])('it has failed if %s', (_, backends, parts) => expect(overallOf(backends, parts).state).toBe('failed'));
