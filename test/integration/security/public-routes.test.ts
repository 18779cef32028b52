import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness.ts';
import { raw, request } from '../../support/raw-http.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ auth: { mode: 'both', oauth: { builtin: true } } });
});
afterAll(() => gateway[Symbol.asyncDispose]());

test.each([
  ['at once', {}],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
])(
  'a large form on a public route is refused, %s: parsing millions of fields would block the gateway',
  async (_, how) => {
    const send = (body: string) =>
      fetch(`${gateway.url}/login/far`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        ...('transfer-encoding' in how ? { body: new Blob([body]).stream(), duplex: 'half' as const } : { body }),
      });
    expect((await send('a&'.repeat(1_000_000))).status).toBe(413);
    expect((await send('ticket=unknown')).status).toBe(404);
  },
);

test('a Host with an impossible port is refused with a 4xx', async () => {
  for (const path of ['/mcp', '/mcp/ops', '/api/v1/mcp/tools', '/.well-known/oauth-protected-resource/mcp']) {
    const { statuses, text } = await raw(
      gateway.url,
      request(gateway.url, { method: 'GET', path, headers: [['Host', 'localhost:99999']] }),
    );
    expect(statuses, text).toEqual([expect.toSatisfy((status: number) => status >= 400 && status < 500)]);
  }
});
