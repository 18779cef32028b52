import { expect, it } from 'vitest';
import { masked } from './masked.ts';

const redact = (text: string): string => text.replaceAll('known-secret', '[redacted]');
const show = (value: unknown, written: unknown = value): unknown => masked(value, { written, key: 'server', redact });

it('hides values by their names, and every value of headers and variables', () => {
  expect(
    show({
      apiKey: 'abc',
      retries: 3,
      token: 42,
      headers: { Accept: 'text/html' },
      env: { MODE: 'quiet', EMPTY: '' },
      password: ['a', 'b'],
    }),
  ).toEqual({
    apiKey: '••••••',
    retries: 3,
    token: '••••••',
    headers: { Accept: '••••••' },
    env: { MODE: '••••••', EMPTY: '' },
    password: ['••••••', '••••••'],
  });
});

it('shows references as they are written, never what they stand for', () => {
  expect(
    show(
      { headers: { Authorization: 'Bearer abc' }, url: 'https://a.example/x', odd: { key: 'pre-abc-post' } },
      {
        headers: { Authorization: 'Bearer ${TOKEN:-abc}' },
        url: '${URL:-https://a.example/x}',
        odd: { key: 'pre-${A}-post' },
      },
    ),
  ).toEqual({
    headers: { Authorization: 'Bearer ${TOKEN}' },
    url: '${URL:-https://a.example/x}',
    odd: { key: '••••••${A}••••••' },
  });
});

it('hides passwords in addresses and arguments', () => {
  expect(
    show({
      store: 'postgres://user:p%40ss@127.0.0.1/db?sslmode=require',
      url: 'https://example.com/mcp?access=abc&b=c#top',
      args: ['--token', 'abc', '--password=abc', '-v', '--key'],
    }),
  ).toEqual({
    store: 'postgres://user:••••••@127.0.0.1/db?sslmode=••••••',
    url: 'https://example.com/mcp?access=••••••&b=••••••#top',
    args: ['--token', '••••••', '--password=••••••', '-v', '--key'],
  });
});

it('hides what is known to be a secret wherever it stands, and keeps names of every object as data', () => {
  const odd = JSON.parse('{"__proto__": {"password": "x"}, "note": "it is known-secret"}') as object;
  expect(JSON.stringify(show(odd, {}))).toBe('{"__proto__":{"password":"••••••"},"note":"it is [redacted]"}');
});
