import { describe, expect, test } from 'vitest';
import { moveSecrets } from './move-secrets.ts';

const move = (entry: object, known: Record<string, string> = {}) => {
  const { servers, variables } = moveSecrets({ 'my-server': entry }, known);
  return { entry: servers['my-server'], variables };
};

describe('a secret becomes a reference', () => {
  test.each([
    ['env', { env: { API_KEY: 'abc' } }, { env: { API_KEY: '${API_KEY}' } }, { API_KEY: 'abc' }],
    [
      'env, by its form',
      { env: { AUTH: 'sk-0123456789abcdef' } },
      { env: { AUTH: '${AUTH}' } },
      { AUTH: 'sk-0123456789abcdef' },
    ],
    [
      'env, in an address',
      { env: { DB: 'postgres://me:pw@h/db' } },
      { env: { DB: 'postgres://me:${PASSWORD}@h/db' } },
      { PASSWORD: 'pw' },
    ],
    [
      'headers',
      { headers: { Authorization: 'Bearer abc', 'X-Api-Key': 'def' } },
      { headers: { Authorization: 'Bearer ${MY_SERVER_TOKEN}', 'X-Api-Key': '${MY_SERVER_X_API_KEY}' } },
      { MY_SERVER_TOKEN: 'abc', MY_SERVER_X_API_KEY: 'def' },
    ],
    [
      'args: a flag and its value',
      { args: ['--api-key', 'abc', '--port', '80'] },
      { args: ['--api-key', '${MY_SERVER_API_KEY}', '--port', '80'] },
      { MY_SERVER_API_KEY: 'abc' },
    ],
    [
      'args: --flag=value',
      { args: ['--token=abc'] },
      { args: ['--token=${MY_SERVER_TOKEN}'] },
      { MY_SERVER_TOKEN: 'abc' },
    ],
    [
      'args: docker -e',
      { args: ['-e', 'SLACK_TOKEN=abc', '-e', 'LANG=de'] },
      { args: ['-e', 'SLACK_TOKEN=${MY_SERVER_SLACK_TOKEN}', '-e', 'LANG=de'] },
      { MY_SERVER_SLACK_TOKEN: 'abc' },
    ],
    [
      'args: a header',
      { args: ['--header', 'Authorization: Bearer abc'] },
      { args: ['--header', 'Authorization: Bearer ${MY_SERVER_TOKEN}'] },
      { MY_SERVER_TOKEN: 'abc' },
    ],
    [
      'args: a known form',
      { args: ['ghp_0123456789abcdefghijkl'] },
      { args: ['${MY_SERVER_TOKEN}'] },
      { MY_SERVER_TOKEN: 'ghp_0123456789abcdefghijkl' },
    ],
    [
      'the URL',
      { url: 'https://x.example/mcp?api_key=abc&page=2' },
      { url: 'https://x.example/mcp?api_key=${MY_SERVER_API_KEY}&page=2' },
      { MY_SERVER_API_KEY: 'abc' },
    ],
  ])('%s', (_, given, entry, variables) => expect(move(given)).toEqual({ entry, variables }));
});

test.each([
  { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory', '/home/me/data'] },
  { env: { LANG: 'de', LOG_LEVEL: 'debug', EMPTY_TOKEN: '' } },
  { env: { API_KEY: '${API_KEY}' }, headers: { Authorization: 'Bearer ${TOKEN}' } },
  { url: 'https://example.com/mcp?page=2', headers: { Accept: 'text/plain' } },
  { env: { COUNT: 5 }, args: [7] },
])('%j stays unchanged', (entry) => expect(move(entry)).toEqual({ entry, variables: {} }));

describe('a name that is taken', () => {
  test('by another value in the environment or the .env is not used', () => {
    expect(move({ env: { API_KEY: 'abc' } }, { API_KEY: 'other' }).variables).toEqual({ MY_SERVER_API_KEY: 'abc' });
    expect(move({ env: { API_KEY: 'abc' } }, { API_KEY: 'abc' }).variables).toEqual({ API_KEY: 'abc' });
  });

  test('by another server is not used; the same value gets the same name', () => {
    const { servers, variables } = moveSecrets(
      { a: { env: { KEY: '1' } }, b: { env: { KEY: '2' } }, c: { env: { KEY: '1' } } },
      { B_KEY: 'taken too' },
    );
    expect(variables).toEqual({ KEY: '1', B_KEY_2: '2' });
    expect(servers).toEqual({
      a: { env: { KEY: '${KEY}' } },
      b: { env: { KEY: '${B_KEY_2}' } },
      c: { env: { KEY: '${KEY}' } },
    });
  });
});

test('a server name becomes a valid variable name', () => {
  const { variables } = moveSecrets({ '1st @scope/über': { headers: { Cookie: 'abc' } } }, {});
  expect(Object.keys(variables)).toEqual([expect.stringMatching(/^[A-Z_][A-Z0-9_]*$/) as string]);
});
