import { describe, expect, it } from 'vitest';
import type { Tree } from '../host/config/tree.ts';
import { configSchema } from '../runtime.ts';
import { authProblems } from './settings.ts';

/** The problems found by the schema, and by the part itself. */
function problems(config: object): string[] {
  const { error, data } = configSchema.safeParse(config);
  const found = error?.issues ?? (data ? authProblems(data, config as Tree) : []);
  return found.map(({ path, message }) => `${path.map(String).join('.')} ${message}`);
}
const issuer = 'https://id.example.com/realm';

describe('the auth section', () => {
  it('accepts an issuer or the built-in server', () => {
    const given = { issuer, audience: 'api://sluice', scopes: { use: ['tools:read'] }, jwksUri: `${issuer}/keys` };
    expect(configSchema.parse({ auth: { mode: 'oauth', oauth: given } }).auth.oauth).toEqual({
      ...given,
      audience: ['api://sluice'],
    });
    const builtin = (value: unknown) =>
      configSchema.parse({ auth: { mode: 'oauth', oauth: { issuer, builtin: value } } }).auth.oauth?.builtin;
    expect(builtin(true)).toEqual({});
    expect(builtin(false)).toBeUndefined();
    expect(builtin({ password: 'long enough to do' })).toEqual({ password: 'long enough to do' });
  });

  it.each([
    [{ auth: { mode: 'oauth' } }, 'auth.mode is oauth, but no authorization server is configured'],
    [
      { auth: { mode: 'both', oauth: { builtin: false } } },
      'auth.mode is both, but no authorization server is configured',
    ],
    [{ auth: { mode: 'oauth', oauth: { issuer } }, server: { host: '0.0.0.0' } }, 'server.publicUrl is missing'],
    [{ auth: { mode: 'oauth', oauth: { issuer: 'http://id.example.com' } } }, 'auth.oauth.issuer must be an https URL'],
    [
      { auth: { mode: 'oauth', oauth: { issuer, jwksUri: 'http://id.example.com/keys' } } },
      'auth.oauth.jwksUri must be an https URL',
    ],
    [
      { auth: { mode: 'oauth', oauth: { builtin: true } }, server: { publicUrl: 'http://sluice.example.com' } },
      'server.publicUrl must be an https URL',
    ],
    [{ auth: { mode: 'oauth', oauth: { builtin: { password: 'short' } } } }, 'auth.oauth.builtin'],
    [
      { auth: { mode: 'oauth', oauth: { builtin: true, console: { clientId: 'a' } } } },
      'auth.oauth.console is a client at auth.oauth.issuer, which is missing',
    ],
    [{ auth: { mode: 'oauth', oauth: { issuer, isuer: 1 } } }, 'auth.oauth Unrecognized'],
    [{ auth: { mode: 'keys', key: 1 } }, 'auth Unrecognized'],
  ])('refuses %j', (config, problem) => {
    expect(problems(config)).toContainEqual(expect.stringContaining(problem));
  });

  it('allows http for keys on this machine', () => {
    const local = { issuer: 'http://127.0.0.1:9000', jwksUri: 'http://localhost:9000/keys' };
    expect(problems({ auth: { mode: 'oauth', oauth: local } })).toEqual([]);
  });

  it('ignores the oauth section while the mode does not use it', () => {
    expect(problems({ auth: { mode: 'keys', oauth: { builtin: true } }, server: { host: '0.0.0.0' } })).toEqual([]);
  });
});
