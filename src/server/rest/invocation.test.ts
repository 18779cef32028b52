import { expect, test } from 'vitest';
import { failed } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Outcome } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { exchangeOf } from './exchange.ts';
import { invocationReply } from './invocation.ts';

const headers = { 'x-request-id': 'req-1' };

function reply(outcome: Outcome): Response {
  const exchange = exchangeOf(new Request('http://localhost/', { headers }));
  return invocationReply({ exchange, trace: traceFrom(), tool: 'a__b', ms: 1.5, outcome }, 'bare');
}

const ours = '"_tool_name":"a__b","_execution_time_ms":1.5,"_request_id":"req-1"}';

test("a relayed result is passed on verbatim, including numbers beyond JavaScript's precision", async () => {
  const json = '{"content":[],"structuredContent":{"n":12345678901234567890},"isError":false}';
  const text = await reply({ result: JSON.parse(json) as Record<string, unknown>, json }).text();
  expect(text).toBe(`${json.slice(0, -1)},${ours}`);
});

test.each([
  ['{}', '{"content":[],"isError":false,'],
  ['{"content":[]}', '{"content":[],"isError":false,'],
  ['{"content":[],"isError":true}', '{"content":[],"isError":true,'],
])('%s is completed', async (json, beginning) => {
  const text = await reply({ result: JSON.parse(json) as Record<string, unknown>, json }).text();
  expect(text).toBe(beginning + ours);
});

test.each([
  ['timeout', 504],
  ['unavailable', 503],
  ['forbidden', 403],
  ['cancelled', 499],
] as const)('a failure of ours with the code %s has the status %i', (code, status) => {
  expect(reply(failed(new AppError(code, 'no'))).status).toBe(status);
});

test('our own failure says when to try again, if it knows', () => {
  const { status, headers: sent } = reply(failed(new AppError('rate_limited', 'no', { data: { retryAfter: 2.5 } })));
  expect([status, sent.get('retry-after')]).toEqual([429, '3']);
});

test.each([true, false])('a result has the status 200, no matter what its _meta says; isError: %s', (isError) => {
  const said = { 'sluice/error': { code: 'rate_limited', retryAfter: 9 } };
  const { status, headers: sent } = reply({ result: { content: [], isError, _meta: said } });
  expect([status, sent.get('retry-after')]).toEqual([200, null]);
});

test.each([
  [-32_602, 400],
  [-32_000, 502],
])('a protocol error %i of a server has the status %i', (code, status) => {
  expect(reply({ error: { code, message: 'no' } }).status).toBe(status);
});
