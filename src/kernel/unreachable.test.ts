import { expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { failureAt, neverSent } from './unreachable.ts';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

test.each([
  [coded('ECONNREFUSED'), 'redis at here:1 is not running: nothing listens there. Start it, or correct modules.redis.'],
  [coded('ENOENT'), 'redis at here:1 is not running: the socket does not exist. Start it, or correct modules.redis.'],
  [coded('ENOTFOUND'), 'redis at here:1 cannot be found: the name does not resolve. Correct modules.redis.'],
  [
    coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'redis at here:1 has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Set modules.redis.ca to the certificate of its authority.',
  ],
  [coded('ECONNRESET'), 'redis at here:1 closed the connection. Try again in a moment.'],
  [
    new Error('wrapped', { cause: coded('ETIMEDOUT') }),
    'redis at here:1 does not answer. Check that it runs, and the address in modules.redis.',
  ],
  [
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')], ''),
    'redis at here:1 is not running: nothing listens there. Start it, or correct modules.redis.',
  ],
])('%s', (error, words) => {
  const failure = failureAt('redis at here:1', 'modules.redis', error);
  expect(failure).toMatchObject({ code: 'unavailable', message: words });
});

test('TLS where none is spoken, and the other way round', () => {
  const error = coded('EPROTO', 'wrong version number');
  expect(failureAt('redis at here:1', 'modules.redis', error)?.message).toContain('refused the TLS connection');
});

test('other errors are left to others', () => {
  expect(failureAt('redis at here:1', 'modules.redis', new Error('WRONGTYPE'))).toBeUndefined();
  expect(failureAt('redis at here:1', 'modules.redis', 'no error')).toBeUndefined();
});

test.each<[unknown, boolean]>([
  [coded('ECONNREFUSED'), true],
  [Object.assign(coded('ETIMEDOUT'), { syscall: 'connect' }), true],
  [Object.assign(coded('ETIMEDOUT'), { syscall: 'read' }), false],
  [Object.assign(coded('EHOSTUNREACH'), { syscall: 'read' }), false],
  [Object.assign(coded('ENOTFOUND'), { syscall: 'getaddrinfo' }), true],
  [Object.assign(coded('EPROTO'), { syscall: 'write' }), true],
  [coded('SELF_SIGNED_CERT_IN_CHAIN'), true],
  [coded('UND_ERR_CONNECT_TIMEOUT'), true],
  [coded('ECONNRESET'), false],
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), true],
  [new AppError('unavailable', 'away', { cause: coded('ECONNREFUSED') }), true],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), true],
  [new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]), false],
  [new Error('no code'), false],
  ['no error', false],
])('%s was never sent: %s', (error, expected) => {
  expect(neverSent(error)).toBe(expected);
});
