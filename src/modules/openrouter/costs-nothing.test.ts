import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { costsNothing } from './costs-nothing.ts';

const own = JSON.stringify({ error: { code: 502, message: 'down' } });
const coded = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  [new HttpError(400, '', {}), true],
  [new HttpError(402, own, {}), true],
  [new HttpError(429, '', {}), true],
  [new HttpError(302, '', {}), true],
  [new HttpError(502, own, {}), true],
  [new HttpError(503, own, {}), true],
  [coded('ECONNREFUSED'), true],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), true],
  [new AggregateError([coded('ECONNREFUSED')]), true],
  [new HttpError(408, own, {}), false],
  [new HttpError(500, own, {}), false],
  [new HttpError(502, '<html>', {}), false],
  [new HttpError(504, own, {}), false],
  [coded('ECONNRESET'), false],
  [new Error('aborted'), false],
  ['text', false],
])('%s: %s', (error, expected) => {
  expect(costsNothing(error)).toBe(expected);
});
