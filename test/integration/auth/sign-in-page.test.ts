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
  test('is asked for a key, by a page that only our own script runs on', async () => {
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
    // What has no name is not sent, whatever becomes of the script.
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

  test('is shown the status with one, and told in words what is wrong with another', async () => {
    const ask = async (text: string) => get('/', { ...HTML, authorization: `Bearer ${text}` });
    const shown = await ask(await key('health:check'));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('<h1>Sluice</h1>');
    expect(policyOf(shown)).toContain("default-src 'none'");
    // The page that shows it has the same style allowed.
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

  test('a program is answered in JSON, and other addresses have no page', async () => {
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

test('where people sign in, the page says so', async () => {
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
