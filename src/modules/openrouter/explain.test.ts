import { describe, expect, it, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain, waitOf } from './explain.ts';

const where = { at: 'openrouter at here', setting: 'modules.openrouter', path: '/chat/completions' };
const body = (code: number, message: string, more: object = {}) =>
  JSON.stringify({ error: { code, message, ...more } });
const said = (status: number, text: string, path = where.path) =>
  explain(new HttpError(status, text, {}), { ...where, path });

test.each([
  [400, body(400, 'x is not a valid model ID'), 'invalid_input', /refuses the request: x is not a valid model ID\./],
  [401, body(401, 'User not found.'), 'unavailable', /refuses the key .*modules\.openrouter\.apiKey/],
  [402, body(402, 'Insufficient credits'), 'forbidden', /settings\/credits.*max_tokens/],
  [403, body(403, 'Request blocked'), 'forbidden', /guardrail/],
  [404, body(404, 'No endpoints found'), 'not_found', /openrouter_list_models/],
  [404, '<html>', 'unsupported', /modules\.openrouter\.url/],
  [302, '', 'unavailable', /redirects.*modules\.openrouter\.url/],
  [408, body(408, 'timed out'), 'timeout', /Ask for less/],
  [429, body(429, 'Rate limited'), 'rate_limited', /Try again later/],
  [502, body(502, 'Bad'), 'rate_limited', /provider of the model is down: Bad.*another model/],
  [502, '<html>', 'unavailable', /failed \(HTTP 502\)/],
  [503, body(503, ''), 'rate_limited', /it gives no reason/],
  [500, '<html>', 'unavailable', /failed \(HTTP 500\)/],
  [418, '', 'invalid_input', /HTTP 418/],
])('%i %s', (status, text, code, message) => {
  const error = said(status, text);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
});

describe('details', () => {
  it('of moderation say what was flagged, and why', () => {
    const metadata = { reasons: ['violence'], flagged_input: 'how to …', provider_name: 'OpenAI', model_slug: 'x' };
    expect(said(403, body(403, 'flagged', { metadata })).message).toBe(
      'The moderation of OpenAI flagged the input because of "how to …" (violence). Rephrase it, or use another model.',
    );
  });

  it('of availability name other models, and prices that rose', () => {
    const gone = { availability: { code: 'model_deprecated', fallback_models: ['a/b', 'c/d'] } };
    expect(said(404, body(404, 'Gone', gone)).message).toContain('(model_deprecated): Gone. Use a/b or c/d instead.');
    const dear = { availability: { code: 'constraint_filtered', constraint: { field: 'max_price' } } };
    expect(said(404, body(404, 'No', dear)).message).toContain('at its listed price');
  });

  it('of credits explain which key they need', () => {
    for (const status of [401, 403])
      expect(said(status, body(status, 'no'), '/credits').message).toContain('management key');
  });

  it('of another request than a chat are about OpenRouter itself', () => {
    expect(said(503, body(503, 'Down'), '/models')).toMatchObject({ code: 'unavailable' });
  });

  it('are cut', () => {
    expect(said(400, body(400, 'x'.repeat(1500))).message.length).toBeLessThan(700);
  });
});

test('waits as long as OpenRouter asks', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');
  const wait = (status: number, headers: object, text = '') =>
    waitOf(new HttpError(status, text, headers as never), now);
  expect(wait(429, { 'retry-after': '7' })).toBe(7000);
  expect(wait(429, { 'x-ratelimit-reset': String(now + 3000) })).toBe(3000);
  const metadata = { metadata: { headers: { 'X-RateLimit-Reset': String(now + 4000) } } };
  expect(wait(429, {}, body(429, 'free-models-per-min', metadata))).toBe(4000);
  expect(wait(429, {})).toBe(2000);
  expect(wait(503, { 'retry-after': '1' })).toBe(1000);
  expect(wait(503, {})).toBeUndefined();
  expect(wait(500, { 'retry-after': '1' })).toBeUndefined();
});
