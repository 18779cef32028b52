import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explainHttp, isMomentary } from './explain.ts';

const asker = { at: 'dify at here:80', setting: 'modules.dify', key: 'modules.dify.apps.shop' };
const refusal = (status: number, code: string, message = 'Said so') =>
  new HttpError(status, JSON.stringify({ code, message, status }), {});

test.each([
  [refusal(401, 'unauthorized'), 'unavailable', 'Correct modules.dify.apps.shop in sluice.yaml'],
  [refusal(400, 'not_chat_app'), 'invalid_input', 'use dify_run_workflow'],
  [refusal(400, 'provider_not_initialize'), 'conflict', 'Said so. Correct the model'],
  [refusal(400, 'invalid_param', 'x is required'), 'invalid_input', 'x is required. dify_get_app shows'],
  [refusal(400, 'conversation_completed'), 'conflict', 'Leave conversation_id out'],
  [
    refusal(403, 'forbidden', "The app's API service has been disabled."),
    'forbidden',
    'API service has been disabled.',
  ],
  [refusal(404, 'not_found'), 'not_found', 'Said so.'],
  [refusal(409, 'dataset_name_duplicate'), 'conflict', 'Use another name'],
  [refusal(429, 'rate_limit_error'), 'rate_limited', 'quota'],
  [refusal(429, 'too_many_requests'), 'rate_limited', 'Try again later'],
  [refusal(500, 'internal_server_error', ''), 'unavailable', 'it gives no reason.'],
  [new HttpError(302, '', { location: '/signin' }), 'unavailable', 'Set modules.dify.url'],
  [new HttpError(403, '<html>', {}), 'unavailable', 'Something before'],
  [new HttpError(404, '<html>', {}), 'unavailable', 'it ends with /v1'],
  [new HttpError(502, 'Bad Gateway', {}), 'unavailable', 'HTTP 502'],
])('%s is %s: %s', (error, code, text) => {
  const explained = explainHttp(error, asker);
  expect(explained.code).toBe(code);
  expect(explained.message).toContain(text);
});

test('a quota is not waited for', () => {
  expect(isMomentary(refusal(429, 'too_many_requests'))).toBe(true);
  expect(isMomentary(new HttpError(429, 'Too Many Requests', {}))).toBe(true);
  expect(isMomentary(refusal(429, 'rate_limit_error'))).toBe(false);
  expect(isMomentary(refusal(400, 'too_many_requests'))).toBe(false);
});
