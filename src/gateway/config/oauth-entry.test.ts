import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverSchema } from './server-entry.ts';
import { load as loadConfig } from '../../runtime.ts';

const url = 'https://far.example/mcp';

function problemsOf(entry: object) {
  const { error } = serverSchema.safeParse(entry);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}

describe('oauth', () => {
  it('is optional, can be off, and says how to sign in', () => {
    expect(serverSchema.parse({ url })).not.toHaveProperty('oauth');
    expect(serverSchema.parse({ url, oauth: false }).oauth).toBe(false);
    expect(serverSchema.parse({ url, oauth: {} }).oauth).toEqual({ grant: 'authorization_code' });
    const all = {
      clientId: 'a',
      clientSecret: 'b',
      scopes: ['x', 'y'],
      grant: 'client_credentials',
      issuer: 'https://as.example',
      callbackPort: 8765,
      clientMetadataUrl: 'https://me.example/client.json',
    };
    expect(serverSchema.parse({ url, oauth: all }).oauth).toEqual(all);
  });

  it.each([
    [{ url, oauth: true }, 'oauth must be false, or say how to sign in'],
    [{ command: 'x', oauth: {} }, 'oauth is for servers with a URL'],
    [
      { url, headers: { authorization: 'Bearer x' }, oauth: {} },
      'oauth and an Authorization header are two ways to sign in',
    ],
    [{ url, oauth: { grant: 'client_credentials' } }, 'oauth.grant is client_credentials, which needs a client'],
    [{ url, oauth: { clientSecret: 'x' } }, 'oauth.clientSecret has no clientId'],
    [{ url, oauth: { clientMetadataUrl: 'http://a.example/c' } }, 'oauth.clientMetadataUrl is not an https address'],
    [{ url, oauth: { scopes: ['a b'] } }, 'oauth'],
  ])('%j is refused', (entry, message) => {
    expect(problemsOf(entry).join('\n')).toContain(message);
  });
});

describe('${principal.…}', () => {
  it('stays in the settings until a caller is known, and needs a private connection', () => {
    const headers = { 'X-User': '${principal.id}' };
    expect(problemsOf({ url, headers, isolation: 'principal' })).toEqual([]);
    expect(problemsOf({ url, headers, isolation: 'session' })).toEqual([]);
    expect(problemsOf({ url, headers })).toEqual([
      'headers.X-User refers to principal.id, but one connection serves everybody',
    ]);
    expect(problemsOf({ command: 'x', env: { A: '${principal.name:-x}' } })).toEqual([
      'env.A refers to principal.name, but one connection serves everybody',
    ]);
    expect(problemsOf({ command: 'x', args: ['a', '${principal.id}'] })).toEqual([
      'args.1 refers to principal.id, but one connection serves everybody',
    ]);
  });

  it.each([
    [
      'headers',
      { url, isolation: 'principal', headers: { A: '${principal.email}' } },
      'refers to principal.email, which does not exist',
    ],
    ['url', { url: 'https://far.example/${principal.id}', isolation: 'principal' }, 'url cannot refer to the caller'],
  ])('is refused if it makes no sense: %s', (_, entry, message) => {
    expect(problemsOf(entry).join('\n')).toContain(message);
  });

  it('is not read as an environment variable', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-config-'));
    try {
      await writeFile(
        join(home, 'sluice.yaml'),
        'mcpServers:\n  far: { url: "https://far.example/mcp", isolation: principal, headers: { A: "${principal.id} ${B}" } }\n',
      );
      const { config } = await loadConfig({ cwd: home, home, env: { B: 'b', principal: 'wrong' } });
      expect(config.mcpServers.far?.transport).toMatchObject({ headers: { A: '${principal.id} b' } });
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
