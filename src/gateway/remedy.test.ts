import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { withRemedy } from './remedy.ts';

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test.each([
  [
    new AppError('unavailable', 'The server at http://h cannot be reached: read ECONNRESET', { cause: reset }),
    /ECONNRESET\. It is unknown whether the call took effect\. Try again in a few seconds; gateway_status/,
  ],
  [new AppError('unavailable', 'The connection broke off.'), /broke off\. Try again in a few seconds/],
  [
    new AppError('unavailable', 'The server answered HTTP 502', { data: { status: 502 } }),
    /502\. It is unknown whether the call took effect\. Try again/,
  ],
  [new AppError('unavailable', 'HTTP 503: try again later'), /later\. Try again in a few seconds/],
])('%s is followed by what to do', (error, expected) => {
  expect(withRemedy(error)).toMatch(expected);
});

test.each([
  new AppError('unavailable', 'It is given a pause; try again then.', { saysWhen: true }),
  new AppError('invalid_input', 'text is missing'),
])('%s stays unchanged: it says what to do, or a retry does not help', (error) => {
  expect(withRemedy(error)).toBe(error.message);
});

test('a connection that ended during the call leaves open whether it took effect', () => {
  const ended = new AppError('unavailable', 'The event stream ended.');
  expect(withRemedy(ended, true)).toMatch(/ended\. It is unknown whether the call took effect\. Try again/);
  const forgotten = new AppError('unavailable', 'The session is gone.', { data: { notExecuted: true } });
  expect(withRemedy(forgotten, true)).not.toContain('unknown');
  const told = new AppError('unavailable', 'It broke. It is unknown whether the call took effect.');
  expect(withRemedy(told, true).match(/unknown/g)).toHaveLength(1);
});
