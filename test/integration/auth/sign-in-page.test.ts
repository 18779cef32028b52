import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { send, startGateway, type TestGateway } from '../harness.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ auth: { mode: 'keys' } });
});
afterAll(() => gateway[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string>) => send(`${gateway.url}${path}`, { headers });
const key = async (...scopes: string[]) =>
  (
    await createKey(gateway.runtime.store.keys, {
      name: `page-${scopes.join()}`,
      scopes,
      createdAt: new Date().toISOString(),
      createdBy: 'test',
    })
  ).key;

const policyOf = ({ headers }: Awaited<ReturnType<typeof send>>) => String(headers['content-security-policy']);

describe('a browser at /', () => {
  test('gets a page that asks for a key and runs only our own script', async () => {
    const answer = await get('/', HTML);
    expect(answer.status).toBe(401);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(answer.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(policyOf(answer)).toContain("default-src 'none'");
    expect(policyOf(answer)).toContain("script-src 'self'");
    expect(policyOf(answer)).toContain("frame-ancestors 'none'");
    expect(policyOf(answer)).not.toContain('unsafe');
    expect(answer.text).toContain('<input id="key" type="password"');
    // An input without a name is never submitted, even if the script fails.
    expect(answer.text).not.toMatch(/<input[^>]* name=/);
    expect(answer.text).not.toMatch(/<script>|\son\w+=/);
    expect(answer.text).toContain('sluice keys create');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('gets the script without a key', async () => {
    const script = await get('/sign-in.js', {});
    expect(script.status).toBe(200);
    expect(script.headers['content-type']).toContain('text/javascript');
    expect(() => new Script(script.text)).not.toThrow();
  });

  test('sees the status with a valid key, and an explanation with an invalid one', async () => {
    const ask = async (text: string) => get('/', { ...HTML, authorization: `Bearer ${text}` });
    const shown = await ask(await key('health:check'));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<h1>Sluice</h1>');
    expect(policyOf(shown)).toContain("default-src 'none'");
    // The sign-in page later shows the status, so it must allow the same style.
    const [style] = /'sha256-[^']+'/.exec(policyOf(shown)) ?? [];
    expect(policyOf(await get('/', HTML))).toContain(style);
    const lacking = await ask(await key('tools:execute'));
    expect([lacking.status, lacking.messages[0]]).toMatchObject([
      403,
      { error: { message: expect.stringContaining('health:check') as string } },
    ]);
    const wrong = await ask('slc_wrong');
    expect([wrong.status, wrong.messages[0]]).toMatchObject([
      401,
      { error: { message: expect.any(String) as string } },
    ]);
  });

  test('programs get JSON, and other paths have no sign-in page', async () => {
    for (const [path, headers] of [
      ['/', { accept: 'application/json' }],
      ['/', { accept: '*/*' }],
      ['/api/v1/status', HTML],
      ['/metrics', HTML],
    ] as const) {
      const answer = await get(path, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers['content-type']).toContain('application/json');
    }
  });
});

test('with an identity provider the page asks for an access token', async () => {
  await using own = await startGateway({ auth: { mode: 'oauth', oauth: { issuer: 'https://id.example.com/realm' } } });
  const { status, text } = await send(own.url, { headers: HTML });
  expect(status).toBe(401);
  expect(text).toContain('<b>id.example.com</b>');
  expect(text).toContain('Access token');
  expect(text).not.toContain('sluice keys create');
});

test('without authentication a browser sees the status at once', async () => {
  await using own = await startGateway({});
  const { status, text } = await send(own.url, { headers: HTML });
  expect(status).toBe(200);
  expect(text).toContain('<h1>Sluice</h1>');
});
