import { expect, test } from 'vitest';
import { failureAt } from './unreachable.ts';

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
