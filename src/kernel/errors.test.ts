import { expect, test } from 'vitest';
import { AppError, messageOf, toAppError, unforeseenIn } from './errors.ts';

test('an error has an HTTP status, a JSON-RPC code and a retry flag', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new AppError('unavailable', 'The server is down; try again.', { cause, data: { retryAfter: 5 } });
  expect(error).toMatchObject({ http: 503, rpc: -32000, retryable: true, cause, data: { retryAfter: 5 } });
  expect(new AppError('invalid_input', 'No.')).toMatchObject({ http: 400, rpc: -32602, retryable: false });
});

test('an AppError stays the same; anything else becomes internal and keeps its cause', () => {
  const known = new AppError('timeout', 'Too slow.');
  expect(toAppError(known)).toBe(known);
  const thrown = new TypeError('x is not a function');
  expect(toAppError(thrown)).toMatchObject({
    code: 'internal',
    cause: thrown,
    message: 'Unexpected failure: x is not a function',
  });
  expect(toAppError('text')).toMatchObject({ code: 'internal', message: 'Unexpected failure: text' });
});

test('anything thrown has a message', () => {
  expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
});

test('finds an unexpected error inside wrapped errors, and nothing else', () => {
  const thrown = new TypeError('x is not a function');
  const wrapped = new AppError('internal', 'a: it failed', { cause: toAppError(thrown) });
  expect(unforeseenIn(toAppError(thrown))).toEqual({ thrown });
  expect(unforeseenIn(wrapped)).toEqual({ thrown });
  expect(unforeseenIn(new AppError('internal', 'The disk is full.', { cause: thrown }))).toBeUndefined();
  expect(unforeseenIn(new AppError('unavailable', 'Try again.', { cause: toAppError(thrown) }))).toBeUndefined();
});
