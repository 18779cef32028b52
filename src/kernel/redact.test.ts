import { expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import { AppError } from './errors.ts';
import { createRedactor, redactError, redactNamed } from './redact.ts';

test('redacts every occurrence of a secret, and nothing else', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  expect(redact('Bearer s3cret-token, again s3cret-token')).toBe('Bearer [redacted], again [redacted]');
  expect(redact('nothing here')).toBe('nothing here');
});

test('a secret inside another leaves no part of either', () => {
  const redact = createRedactor(() => ['secret', 'secret-and-more']);
  expect(redact('it is secret-and-more')).toBe('it is [redacted]');
});

test('ignores very short values, which would hide everything', () => {
  expect(createRedactor(() => ['a', '12345'])('a 12345')).toBe('a 12345');
});

test('picks up secrets that are added later', () => {
  const secrets: string[] = [];
  const redact = createRedactor(() => secrets);
  secrets.push('changed-token');
  expect(redact('changed-token')).toBe('[redacted]');
});

test('also redacts the encoded forms in URLs and JSON', () => {
  const redact = createRedactor(() => ['p&ss/word', 'line one\nline "two"']);
  expect(redact('https://example.com/?key=p%26ss%2Fword')).toBe('https://example.com/?key=[redacted]');
  expect(redact(JSON.stringify({ key: 'line one\nline "two"' }))).toBe('{"key":"[redacted]"}');
});

test('escapes characters with a meaning in patterns', () => {
  expect(createRedactor(() => ['a.b*c(d)$'])('a.b*c(d)$ but axbbc')).toBe('[redacted] but axbbc');
});

test('handles a thousand secrets in one pass', () => {
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

test('redacts any value whose name sounds like a secret', () => {
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

test('keeps counts and flags, and redacts secrets inside other texts', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  const given = { tokens: 812, hasPassword: true, url: 'https://x/?t=s3cret-token', deep: { nothing: null } };
  expect(redactNamed(given, redact)).toEqual({ ...given, url: 'https://x/?t=[redacted]' });
});

test('cuts very deep values', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(JSON.stringify(redactNamed(loop))).toContain('[…]');
});

test('redacts all URL encodings of a secret', () => {
  const redact = createRedactor(() => ["p&ss wo'rd/é"]);
  expect(redact("?key=p%26ss%20wo'rd%2f%c3%a9")).toBe('?key=[redacted]');
  expect(redact(`?${new URLSearchParams({ key: "p&ss wo'rd/é" }).toString()}`)).toBe('?key=[redacted]');
  expect(redact(new URL("http://x/?key=p%26ss wo'rd%2F%C3%A9").search)).toBe('?key=[redacted]');
});

test('still redacts replaced secrets: running work may report them', () => {
  let secrets = ['old-password', 'kept-token'];
  const redact = createRedactor(() => secrets);
  redact('');
  secrets = ['new-password', 'kept-token'];
  expect(redact('old-password new-password kept-token')).toBe('[redacted] [redacted] [redacted]');
});

test('forgets the oldest of many replaced secrets', () => {
  let round = 0;
  const redact = createRedactor(() => [`secret-number-${round}-`]);
  for (; round < 700; round++) redact('');
  expect(redact('secret-number-699-')).toBe('[redacted]');
  expect(redact('secret-number-1-')).toBe('secret-number-1-');
});

test('secrets may be long and many, such as the files of certificates', () => {
  const files = Array.from({ length: 40 }, (_, index) => `-----BEGIN ${index} ${'é+/'.repeat(2000)}`);
  const redact = createRedactor(() => ['a+'.repeat(100_000), ...files]);
  expect(redact(`it is ${files[7]}.`)).toBe('it is [redacted].');
  expect(redact(`x ${'a+'.repeat(100_000)} y ${encodeURIComponent(files[8] ?? '')}`)).toBe('x [redacted] y [redacted]');
  expect(redact('-----BEGIN nothing')).toBe('-----BEGIN nothing');
});

test('a beginning of a secret does not hide the secret that follows it', () => {
  const redact = createRedactor(() => ['aaaaaab', 'secret-one', 'secret-two']);
  expect(redact('aaaaaaaab secret-secret-two')).toBe('aa[redacted] secret-[redacted]');
});

test('tells which secrets are inside a text, in any of their forms', () => {
  const redact = createRedactor(() => ['p&ss/word', 'another-one', 'third-one']);
  expect(redact.within('https://x/?key=p%26ss%2Fword&other=third-one')).toEqual(['p&ss/word', 'third-one']);
  expect(redact.within('nothing')).toEqual([]);
});

test('redacts the texts inside an error, and keeps the rest of it', () => {
  const redact = createRedactor(() => ['s3cret-token']);
  const cause = new Error('s3cret-token');
  const given = new AppError('unavailable', 'It said s3cret-token', {
    cause,
    saysWhen: true,
    data: { retryAfter: 3, lines: ['a', { line: 's3cret-token' }], none: null },
  });
  const safe = redactError(given, redact);
  expect([safe.code, safe.message, safe.saysWhen, safe.cause]).toEqual([
    'unavailable',
    'It said [redacted]',
    true,
    cause,
  ]);
  expect(safe.data).toEqual({ retryAfter: 3, lines: ['a', { line: '[redacted]' }], none: null });
  const harmless = new AppError('not_found', 'No such thing', { data: { name: 'x' } });
  expect(redactError(harmless, redact)).toBe(harmless);
});
