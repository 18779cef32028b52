import { expect, test } from 'vitest';
import { AppError, messageOf, toAppError, unforeseenIn } from './errors.ts';

test('an error knows what it means to each kind of reader', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new AppError('unavailable', 'The server is down; try again.', { cause, data: { retryAfter: 5 } });
  expect(error).toMatchObject({ http: 503, rpc: -32000, retryable: true, cause, data: { retryAfter: 5 } });
  expect(new AppError('invalid_input', 'No.')).toMatchObject({ http: 400, rpc: -32602, retryable: false });
});

test('an AppError passes as it is; anything else becomes internal with its cause kept', () => {
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

test('whatever was thrown has a message', () => {
  expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual(['a', 'b', 'undefined']);
});

test('what nobody foresaw is found behind what was added to it, and nothing else is', () => {
  const thrown = new TypeError('x is not a function');
  const wrapped = new AppError('internal', 'a: it failed', { cause: toAppError(thrown) });
  expect(unforeseenIn(toAppError(thrown))).toEqual({ thrown });
  expect(unforeseenIn(wrapped)).toEqual({ thrown });
  expect(unforeseenIn(new AppError('internal', 'The disk is full.', { cause: thrown }))).toBeUndefined();
  expect(unforeseenIn(new AppError('unavailable', 'Try again.', { cause: toAppError(thrown) }))).toBeUndefined();
});
