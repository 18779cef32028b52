import { expect, test } from 'vitest';
import { withRemedy } from './remedy.ts';

test.each([
  [
    'The server at http://h cannot be reached: read ECONNRESET',
    /ECONNRESET\. Whether the call took effect is not known\. Try again in a few seconds; gateway_status/,
  ],
  ['The connection broke off.', /broke off\. Try again in a few seconds/],
])('%s is followed by what to do', (message, expected) => {
  expect(withRemedy({ code: 'unavailable', message })).toMatch(expected);
});

test('what says so itself, and what no second try helps, stays as it is', () => {
  const paused = 'It is given a pause; try again then.';
  expect(withRemedy({ code: 'unavailable', message: paused })).toBe(paused);
  expect(withRemedy({ code: 'invalid_input', message: 'text is missing' })).toBe('text is missing');
});
