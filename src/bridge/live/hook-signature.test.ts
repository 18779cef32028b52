import { expect, test } from 'vitest';
import { createHookCheck, signHook } from './hook-signature.ts';

const secret = 's'.repeat(64);
const at = 1_700_000_000_000;
const timestamp = '1700000000';
const body = '{"event":"workflow.afterUpdate","workflow":"w1"}';
const signature = signHook(secret, timestamp, body);

test('a signed hook is accepted once', () => {
  const check = createHookCheck(() => at);
  expect(check(secret, { timestamp, signature, body })).toBeUndefined();
  expect(check(secret, { timestamp, signature, body })).toBe('it was sent before');
});

test.each([
  ['no signature', { timestamp, signature: null, body }, 'not signed'],
  ['no timestamp', { timestamp: null, signature, body }, 'not signed'],
  ['another body', { timestamp, signature, body: `${body} ` }, 'signature is wrong'],
  ['another time', { timestamp: '1700000001', signature, body }, 'signature is wrong'],
  ['a short signature', { timestamp, signature: 'sha256=00', body }, 'signature is wrong'],
  ['a timestamp that is not a number', { timestamp: 'now', signature, body }, 'not a number of seconds'],
])('%s is refused', (_, hook, reason) => {
  expect(createHookCheck(() => at)(secret, hook)).toContain(reason);
});

test('another secret is refused', () => {
  expect(createHookCheck(() => at)('x'.repeat(64), { timestamp, signature, body })).toBe('its signature is wrong');
});

test.each([
  [at + 4 * 60_000, undefined],
  [at - 4 * 60_000, undefined],
  [at + 6 * 60_000, 'too old'],
  [at - 6 * 60_000, 'too old'],
])('at %i the age decides', (now, reason) => {
  const verdict = createHookCheck(() => now)(secret, { timestamp, signature, body });
  if (reason === undefined) expect(verdict).toBeUndefined();
  else expect(verdict).toContain(reason);
});

test('a rejected hook does not use up the valid one', () => {
  const check = createHookCheck(() => at);
  check('x'.repeat(64), { timestamp, signature, body });
  expect(check(secret, { timestamp, signature, body })).toBeUndefined();
});
