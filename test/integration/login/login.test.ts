import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startProtected } from '../../fixtures/authorization-server.ts';
import { callTool, connectV1, connectV2, startGateway, textOf } from '../harness.ts';
import { farStatus, linkIn, signIn, untilRunning } from './harness.ts';

const echo = async (client: Parameters<typeof callTool>[0]) => callTool(client, 'far__echo', { text: 'hi' });

describe('a server that wants a login', () => {
  it('is not retried while it waits, and runs as soon as somebody signs in through the link', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const before = await farStatus(gateway);
    expect(before).toMatchObject({ state: 'FAILED', tools: 0, restarts: 0 });
    expect(before).not.toHaveProperty('retryAt');
    expect(before.lastError?.message).toMatch(
      /^The server needs a login at 127\.0\.0\.1:\d+\. Run `sluice login far`\.$/,
    );

    const page = await far.visit(before.login ?? '', 'ana');
    expect(page).toMatchObject({ status: 200 });
    expect(page.text).toContain('Signed in to far');
    await untilRunning(gateway);
    await using client = await connectV1(gateway);
    expect(textOf(await echo(client))).toContain('hi');
    expect(new Set(far.calls.map(({ account }) => account))).toEqual(new Set(['ana']));
  });

  it('works over SSE too', async () => {
    await using far = await startProtected({ transport: 'sse' });
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await using client = await connectV1(gateway);
    expect(textOf(await echo(client))).toContain('hi');
  });

  it('needs no second login after a restart, and its tokens are stored encrypted', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-login-'));
    try {
      await using far = await startProtected();
      const config = { mcpServers: { far: { url: far.url } } };
      {
        await using gateway = await startGateway(config, { home });
        await signIn(gateway, far);
      }
      await using gateway = await startGateway(config, { home });
      await untilRunning(gateway);
      await using client = await connectV2(gateway, { era: 'modern' });
      expect(textOf(await echo(client))).toContain('hi');
      expect(far.tokens.length).toBeGreaterThanOrEqual(2);
      const { events } = await gateway.stored({ type: 'login.*' });
      expect(events.map(({ event_type, data }) => ({ event_type, ...data }))).toContainEqual({
        event_type: 'login.completed',
        backend: 'far',
        issuer: new URL(far.issuer).host,
        principal: 'everybody',
      });
      const files = readdirSync(home)
        .map((file) => join(home, file))
        .filter((file) => !file.endsWith('.sock'));
      const everything = files.map((file) => readFileSync(file).toString('latin1')).join('\n');
      // Make sure that the search works: the issuer is not secret, so it must be found.
      expect(everything).toContain(far.issuer);
      for (const token of far.tokens) expect(everything).not.toContain(token);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

describe('tokens', () => {
  it('that expire are refreshed every time, once for many concurrent calls', async () => {
    await using far = await startProtected({ tokenSeconds: 4 });
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await using client = await connectV2(gateway);
    for (const round of [1, 2]) {
      const before = far.refreshes();
      await vi.waitFor(
        async () => {
          const answers = await Promise.all(Array.from({ length: 20 }, () => echo(client)));
          expect(answers.filter(({ isError }) => isError).map(textOf)).toEqual([]);
          expect(far.refreshes(), `round ${round}`).toBe(before + 1);
        },
        { timeout: 12_000, interval: 100 },
      );
    }
    const { events } = await vi.waitFor(async () => {
      const found = await gateway.stored({ type: 'login.refreshed' });
      expect(found.events.length).toBeGreaterThanOrEqual(2);
      return found;
    }, 10_000);
    expect(JSON.stringify(events)).not.toContain('Bearer');
  }, 45_000);

  it('that were revoked make calls fail with a login link; after the login calls work', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await using client = await connectV2(gateway);
    await echo(client);
    await far.revoke();
    // The gateway does not refresh a token that is only seconds old. Either way a person must sign in.
    const refused = await echo(client);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^far: The server needs a login/);
    expect(textOf(refused)).toContain('`sluice login far`');
    const requests = far.requests.length;
    expect((await echo(client)).isError).toBe(true);
    expect(far.requests.slice(requests).filter((line) => line === 'POST /token')).toEqual([]);

    const link = linkIn(textOf(refused));
    expect((await far.visit(link, 'ben')).text).toContain('Signed in to far');
    expect(textOf(await echo(client))).toContain('hi');
    expect(far.calls.at(-1)?.account).toBe('ben');
  });

  it('the gateway stops refreshing a login that the authorization server has ended', async () => {
    await using far = await startProtected({ tokenSeconds: 4 });
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await far.revoke();
    await using client = await connectV2(gateway);
    await expect.poll(async () => (await echo(client)).isError).toBe(true);
    const tries = () => far.requests.filter((line) => line === 'POST /token').length;
    const before = tries();
    for (let call = 0; call < 5; call++) expect((await echo(client)).isError).toBe(true);
    expect(tries() - before).toBeLessThanOrEqual(1);
  });
});

describe('a call that needs more rights than the login has', () => {
  it('fails with a link to a login with those rights too; other calls keep working', async () => {
    await using far = await startProtected({ scopes: { all: 'mcp:basic', calls: 'mcp:write' } });
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await using client = await connectV2(gateway, { era: 'modern' });
    const refused = await echo(client);
    expect(textOf(refused)).toContain('a login that includes the scope mcp:write');
    expect((await client.listTools()).tools.some(({ name }) => name === 'far__echo')).toBe(true);
    await far.visit(linkIn(textOf(refused)), 'ana');
    expect(textOf(await echo(client))).toContain('hi');
    expect(far.calls.at(-1)?.scope.split(' ')).toEqual(expect.arrayContaining(['mcp:basic', 'mcp:write']));
  });
});

describe('client credentials', () => {
  it('let the gateway sign in by itself', async () => {
    await using far = await startProtected({
      clients: [
        {
          client_id: 'machine',
          client_secret: 'canary-client-secret',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
    });
    const oauth = { clientId: 'machine', clientSecret: 'canary-client-secret', grant: 'client_credentials' };
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url, oauth } } });
    await untilRunning(gateway);
    await using client = await connectV2(gateway);
    expect(textOf(await echo(client))).toContain('hi');
    await vi.waitFor(async () => {
      const { events } = await gateway.stored({ type: 'login.completed' });
      expect(events).toHaveLength(1);
    }, 10_000);
  });

  it('with a wrong secret are reported, without a login link', async () => {
    await using far = await startProtected();
    const oauth = { clientId: 'nobody', clientSecret: 'canary-client-secret', grant: 'client_credentials' };
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url, oauth } } });
    const { lastError, login } = await farStatus(gateway);
    expect(lastError?.message).toContain('does not know Sluice as a client');
    expect(JSON.stringify(lastError)).not.toContain('canary');
    expect(login).toBeUndefined();
  });
});

describe('problems of the authorization server', () => {
  it('if it is down, the error names it and it is retried later', async () => {
    await using far = await startProtected();
    await far.stopIssuing();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const { state, lastError, retryAt } = await farStatus(gateway);
    expect(['FAILED', 'STARTING']).toContain(state);
    expect(lastError?.message).toContain(`${far.issuer} cannot be reached`);
    expect(state === 'STARTING' || retryAt !== undefined).toBe(true);
  });

  it('if it is down, a valid token keeps working', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await far.stopIssuing();
    await using client = await connectV2(gateway);
    expect(textOf(await echo(client))).toContain('hi');
  });

  it('if its metadata name another issuer, there is no login link', async () => {
    await using far = await startProtected();
    // The same server under another name: its metadata still name the original issuer.
    far.moveTo(far.issuer.replace('127.0.0.1', 'localhost'));
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const { lastError, login } = await farStatus(gateway);
    expect(lastError?.message).toContain(`says it is ${far.issuer}, not http://localhost:`);
    expect(login).toBeUndefined();
    expect(far.requests.filter((line) => !line.startsWith('GET /.well-known/'))).toEqual([]);
  });

  it('if the server switches to another one, the new one never sees credentials of the old one', async () => {
    await using far = await startProtected();
    await using other = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await signIn(gateway, far);
    await far.revoke();
    far.moveTo(other.issuer);
    await using client = await connectV2(gateway);
    expect(textOf(await echo(client))).toContain(`needs a login at ${new URL(other.issuer).host}`);
    expect(other.requests.filter((line) => line === 'POST /token')).toEqual([]);
  });

  it('a server that answers 401 without OAuth is reported without a login link', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      await using gateway = await startGateway({ mcpServers: { far: { url: `http://127.0.0.1:${port}/mcp` } } });
      const { lastError, login } = await farStatus(gateway);
      expect(lastError?.message).toContain('The server refuses our credentials (HTTP 401).');
      expect(login).toBeUndefined();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
