import {
  Client as V2Client,
  StreamableHTTPClientTransport as V2Http,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { auth as authV1, type OAuthClientProvider as V1Provider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { callTool, startGateway, startReference, textOf } from '../harness.ts';
import { approve, createBrowser } from '../../support/browser.ts';
import { claimsOf } from '../../support/oauth-requests.ts';

const password = 'correct horse battery staple';
const builtin = { mode: 'oauth', oauth: { builtin: { password } } };

/** The OAuth state an application keeps for the SDK. The browser opens on redirect. */
function application(redirectUrl: string) {
  const state: {
    client?: object;
    tokens?: Record<string, unknown>;
    verifier?: string;
    sentTo?: URL;
    discovery?: object;
  } = {};
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Test client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => state.client,
    saveClientInformation: (client: object) => void (state.client = client),
    tokens: () => state.tokens,
    saveTokens: (tokens: object) => void (state.tokens = tokens as Record<string, unknown>),
    redirectToAuthorization: (url: URL) => void (state.sentTo = url),
    saveCodeVerifier: (verifier: string) => void (state.verifier = verifier),
    codeVerifier: () => state.verifier ?? '',
    saveDiscoveryState: (discovery: object) => void (state.discovery = discovery),
    discoveryState: () => state.discovery,
  };
  return { state, provider: provider as unknown as V1Provider };
}

describe('a client of the SDK', () => {
  it.each([
    ['v2', '/mcp'],
    ['v2', '/mcp/only'],
    ['v1', '/mcp'],
  ])('%s connects to %s with only the URL, calls a tool, and refreshes its token', async (generation, path) => {
    await using reference = await startReference('http', 'both');
    await using gateway = await startGateway({
      auth: builtin,
      mcpServers: { ref: reference.entry },
      toolsets: { only: { include: ['ref__*'] } },
    });
    const url = new URL(path, gateway.url);
    const { state, provider } = application('http://localhost:33418/callback');
    const connect = async () => {
      if (generation === 'v1') {
        const client = new V1Client({ name: 'test', version: '1' });
        const transport = new V1Http(url, { authProvider: provider });
        return { client, transport, connecting: client.connect(transport) };
      }
      const client = new V2Client({ name: 'test', version: '1' });
      const transport = new V2Http(url, { authProvider: provider as never });
      return { client, transport, connecting: client.connect(transport) };
    };

    const first = await connect();
    await expect(first.connecting).rejects.toThrow(/unauthori[sz]ed/i);
    expect(state.sentTo?.searchParams.get('resource')).toBe(url.href);
    expect(state.sentTo?.searchParams.get('scope')).toContain('tools:execute');

    const callback = await approve(createBrowser(gateway.url), String(state.sentTo), password);
    expect(callback.href).toMatch(/^http:\/\/localhost:33418\/callback\?/);
    expect(callback.searchParams.get('iss')).toBe(gateway.url);
    await (first.transport as V1Http).finishAuth(
      ...((generation === 'v1' ? [callback.searchParams.get('code')] : [callback.searchParams]) as [string]),
    );

    const { client, connecting } = await connect();
    await connecting;
    expect(textOf(await callTool(client, 'ref__echo', { text: 'hi' }))).toContain('hi');
    expect(claimsOf(state.tokens?.access_token)).toMatchObject({
      iss: gateway.url,
      aud: url.href,
      sub: 'owner',
      scope: 'tools:read tools:execute',
    });

    const before = state.tokens;
    expect(await authV1(provider, { serverUrl: url })).toBe('AUTHORIZED');
    expect(state.tokens?.refresh_token).not.toBe(before?.refresh_token);
    expect(state.tokens?.access_token).not.toBe(before?.access_token);
    expect(textOf(await callTool(client, 'ref__echo', { text: 'again' }))).toContain('again');
    await client.close();
  });

  it('is turned away by the owner', async () => {
    await using gateway = await startGateway({ auth: builtin });
    const { state, provider } = application('http://localhost:33418/callback');
    const client = new V2Client({ name: 'test', version: '1' });
    await expect(client.connect(new V2Http(new URL(gateway.mcp), { authProvider: provider as never }))).rejects.toThrow(
      UnauthorizedError,
    );
    const browser = createBrowser(gateway.url);
    const login = await browser.open(String(state.sentTo));
    const consent = await browser.submit(login, { password }, 'login');
    const { url } = await browser.submit(consent, {}, 'deny');
    expect(new URL(url).searchParams.get('error')).toBe('access_denied');
  });
});
