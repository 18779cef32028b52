import { expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { createRedactor, redactNamed } from './redact.ts';

test('every occurrence of a secret goes, and only secrets', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  expect(redact('Bearer s3cret-token, again s3cret-token')).toBe('Bearer [redacted], again [redacted]');
  expect(redact('nothing here')).toBe('nothing here');
});

test('a secret inside another leaves no part of either', () => {
  const redact = createRedactor(() => ['secret', 'secret-and-more']);
  expect(redact('it is secret-and-more')).toBe('it is [redacted]');
});

test('very short values would hide everything', () => {
  expect(createRedactor(() => ['a', '12345'])('a 12345')).toBe('a 12345');
});

test('secrets that come later count', () => {
  const secrets: string[] = [];
  const redact = createRedactor(() => secrets);
  secrets.push('changed-token');
  expect(redact('changed-token')).toBe('[redacted]');
});

test('a secret goes as it stands in a URL or in JSON, too', () => {
  const redact = createRedactor(() => ['p&ss/word', 'line one\nline "two"']);
  expect(redact('https://example.com/?key=p%26ss%2Fword')).toBe('https://example.com/?key=[redacted]');
  expect(redact(JSON.stringify({ key: 'line one\nline "two"' }))).toBe('{"key":"[redacted]"}');
});

test('characters that mean something in a pattern mean themselves', () => {
  expect(createRedactor(() => ['a.b*c(d)$'])('a.b*c(d)$ but axbbc')).toBe('[redacted] but axbbc');
});

test('a thousand secrets are looked for at once', () => {
  const secrets = Array.from({ length: 1000 }, (_, index) => `secret-number-${index}-${index * 7919}`);
  const redact = createRedactor(() => secrets);
  const text = `${'nothing to see here, '.repeat(50)}${secrets[999]}`;
  redact(text);
  const { ms } = cpuTime(() => {
    for (let round = 0; round < 100; round++) redact(text);
  });
  expect(ms).toBeLessThan(1000);
  expect(redact(text)).not.toContain(secrets[999]);
});

test('what stands under the name of a secret goes, whatever it is', () => {
  const given = {
    headers: { Authorization: 'Bearer abc', 'X-Api-Key': 'abc', cookie: ['a=b'], accept: 'text/html' },
    clientSecret: { value: 'abc' },
    db: [{ password: 'abc', user: 'me' }],
  };
  expect(redactNamed(given)).toEqual({
    headers: { Authorization: '[redacted]', 'X-Api-Key': '[redacted]', cookie: '[redacted]', accept: 'text/html' },
    clientSecret: '[redacted]',
    db: [{ password: '[redacted]', user: 'me' }],
  });
});

test('counts and flags stay, and other texts lose the secrets in them', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  const given = { tokens: 812, hasPassword: true, url: 'https://x/?t=s3cret-token', deep: { nothing: null } };
  expect(redactNamed(given, redact)).toEqual({ ...given, url: 'https://x/?t=[redacted]' });
});

test('something endless is cut', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(JSON.stringify(redactNamed(loop))).toContain('[…]');
});

test('a URL may be written in more ways than one', () => {
  const redact = createRedactor(() => ["p&ss wo'rd/é"]);
  expect(redact("?key=p%26ss%20wo'rd%2f%c3%a9")).toBe('?key=[redacted]');
  expect(redact(`?${new URLSearchParams({ key: "p&ss wo'rd/é" }).toString()}`)).toBe('?key=[redacted]');
  expect(redact(new URL("http://x/?key=p%26ss wo'rd%2F%C3%A9").search)).toBe('?key=[redacted]');
});

test('a secret that was replaced is still one: what was under way with it may yet be told of', () => {
  let secrets = ['old-password', 'kept-token'];
  const redact = createRedactor(() => secrets);
  redact('');
  secrets = ['new-password', 'kept-token'];
  expect(redact('old-password new-password kept-token')).toBe('[redacted] [redacted] [redacted]');
});

test('of ever new secrets the oldest are forgotten', () => {
  let round = 0;
  const redact = createRedactor(() => [`secret-number-${round}-`]);
  for (; round < 700; round++) redact('');
  expect(redact('secret-number-699-')).toBe('[redacted]');
  expect(redact('secret-number-1-')).toBe('secret-number-1-');
});
