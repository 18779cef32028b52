import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain } from './explain.ts';

const asker = { at: 'openhands at here:3000', setting: 'modules.openhands' };
const refusal = (status: number, detail: unknown = 'Said so') => new HttpError(status, JSON.stringify({ detail }), {});

test.each([
  [refusal(401), 'unavailable', 'Correct modules.openhands.apiKey'],
  [new HttpError(401, '<html>', {}), 'unavailable', 'Correct modules.openhands.apiKey'],
  [refusal(402), 'conflict', 'wants to be paid'],
  [refusal(403), 'forbidden', 'Said so.'],
  [refusal(404), 'not_found', 'openhands_list_conversations'],
  [refusal(404, 'Not Found'), 'unsupported', 'Update OpenHands'],
  [refusal(409), 'conflict', 'openhands_send_message wakes it'],
  [refusal(410), 'conflict', 'archived'],
  [refusal(422, [{ loc: ['body', 'title'], msg: 'too long' }]), 'invalid_input', 'title: too long.'],
  [refusal(429), 'rate_limited', 'Try again later'],
  [refusal(500), 'unavailable', 'HTTP 500'],
  [new HttpError(500, '{"error": "Boom"}', {}), 'unavailable', 'Boom.'],
  [new HttpError(302, '', { location: '/login' }), 'unavailable', 'Set modules.openhands.url'],
  [new HttpError(404, '<html>', {}), 'unavailable', 'is not the API of OpenHands'],
  [new HttpError(502, 'Bad Gateway', {}), 'unavailable', 'HTTP 502'],
])('%s is %s: %s', (error, code, text) => {
  const explained = explain(error, asker);
  expect(explained.code).toBe(code);
  expect(explained.message).toContain(text);
});
