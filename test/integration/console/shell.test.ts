import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, startGateway, type TestGateway } from '../harness.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe("the console's document", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      auth: { mode: 'keys' },
      mcpServers: { vault: { command: 'true', enabled: false } },
    });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const get = (path: string, headers: Record<string, string> = HTML) => send(`${gateway.url}${path}`, { headers });

  it('is the same for everybody and holds no data', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.text).not.toContain('vault');
    const wrong = await get('/', { ...HTML, authorization: 'Bearer slc_wrong' });
    expect([wrong.status, wrong.text]).toEqual([200, answer.text]);
  });

  it('runs only scripts of its own, and is not framed', async () => {
    const { headers, text } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
  });

  it.each(['/console', '/console/servers/vault', '/console/a/b/c?x=1'])(
    'is at %s, too, with addresses that a proxy may move',
    async (path) => {
      const { status, text } = await get(path);
      expect(status).toBe(200);
      const base = new URL(/<base href="([^"]+)"/.exec(text)?.[1] as string, `${gateway.url}${path}`);
      expect(base.pathname).toBe('/');
      const script = /<script type="module" src="([^"]+)"/.exec(text)?.[1] as string;
      expect(script).not.toMatch(/^\/|:/);
      const asset = await send(new URL(script, base).href);
      expect(asset.status).toBe(200);
      expect(asset.headers['content-type']).toContain('text/javascript');
      expect(asset.headers['cache-control']).toContain('immutable');
    },
  );

  it('says that a file is from another version', async () => {
    const { status, messages } = await get('/console/assets/console-OLD.js', { accept: '*/*' });
    expect(status).toBe(404);
    expect(messages[0]).toMatchObject({ error: { message: expect.stringContaining('reload the page') as string } });
  });

  it.each(['/api/v1/status', '/metrics'])('does not stand for %s', async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(401);
    expect(headers['content-type']).toContain('application/json');
  });
});
