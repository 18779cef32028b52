import { expect, test } from 'vitest';
import { HIDDEN, isSecretName, isSecretVariable, withoutSecrets } from './secrets.ts';

test.each([
  'password',
  'DB_PASSWORD',
  'apiKey',
  'X-API-KEY',
  'slackToken',
  'client_secret',
  'Authorization',
  'privateKey',
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each(['key', 'monkey', 'publicKey', 'nextCursor', 'maxTokens', 'tokenizer', 'name', 'passenger', ''])(
  '%s is not',
  (name) => expect(isSecretName(name)).toBe(false),
);

test('a variable called KEY is hidden, too', () => {
  expect(['STRIPE_KEY', 'KEY', 'LIVE_KEYS'].map(isSecretVariable)).toEqual([true, true, true]);
  expect(['REGION', 'KEYBOARD', 'MONKEYS'].map(isSecretVariable)).toEqual([false, false, false]);
});

test('secrets are told by their form', () => {
  expect(withoutSecrets('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc')).toBe(HIDDEN);
  expect(withoutSecrets('see postgres://ada:hunter2@db/x')).toBe(`see postgres://ada:${HIDDEN}@db/x`);
  expect(withoutSecrets('https://example.com:8080/a@b')).toBe('https://example.com:8080/a@b');
  expect(withoutSecrets('nothing')).toBe('nothing');
});

test.each([
  ['GET https://api.example.com/x?api_key=hunter2&limit=1', `GET https://api.example.com/x?api_key=${HIDDEN}&limit=1`],
  ['Authorization=Bearer 0123456789abcdef0123', `Authorization=Bearer ${HIDDEN}`],
  ['{"Authorization":"Bearer 0123456789abcdef0123"}', `{"Authorization":"Bearer ${HIDDEN}"}`],
  ['https://hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnopqrstuvwx', `https://${HIDDEN}`],
  ['key AKIAIOSFODNN7ABCDEFG', `key ${HIDDEN}`],
  ['https://0123456789abcdef0123456789abcdef@sentry.example.com/1', `https://${HIDDEN}@sentry.example.com/1`],
])('%s is shown as %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('long texts take linear time', () => {
  const started = performance.now();
  for (const part of ['eyJ', 'eyJ-', '://a:', 'sk-', 'a:'.repeat(3), '?key=', 'token=', '-----BEGIN '])
    withoutSecrets(part.repeat(200_000 / part.length));
  expect(performance.now() - started).toBeLessThan(1000);
});
