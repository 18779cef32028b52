import { expect, it } from 'vitest';
import { masked } from './masked.ts';

const redact = (text: string): string => text.replaceAll('known-secret', '[redacted]');
const show = (value: unknown, written: unknown = value): unknown => masked(value, { written, key: 'server', redact });

it('hides values by their names, and every value of headers and variables', () => {
  expect(
    show({
      apiKey: 'abc',
      retries: 3,
      token: 42,
      headers: { Accept: 'text/html' },
      env: { MODE: 'quiet', EMPTY: '' },
      password: ['a', 'b'],
    }),
  ).toEqual({
    apiKey: '••••••',
    retries: 3,
    token: '••••••',
    headers: { Accept: '••••••' },
    env: { MODE: '••••••', EMPTY: '' },
    password: ['••••••', '••••••'],
  });
});

it('shows references as they are written, never what they stand for', () => {
  expect(
    show(
      { headers: { Authorization: 'Bearer abc' }, url: 'https://a.example/x', odd: { key: 'pre-abc-post' } },
      {
        headers: { Authorization: 'Bearer ${TOKEN:-abc}' },
        url: '${URL:-https://a.example/x}',
        odd: { key: 'pre-${A}-post' },
      },
    ),
  ).toEqual({
    headers: { Authorization: 'Bearer ${TOKEN}' },
    url: '${URL:-https://a.example/x}',
    odd: { key: '••••••${A}••••••' },
  });
});

it('hides passwords in addresses and arguments', () => {
  expect(
    show({
      store: 'postgres://user:p%40ss@127.0.0.1/db?sslmode=require',
      url: 'https://example.com/mcp?access=abc&b=c#top',
      args: ['--token', 'abc', '--password=abc', '-v', '--key'],
    }),
  ).toEqual({
    store: 'postgres://user:••••••@127.0.0.1/db?sslmode=••••••',
    url: 'https://example.com/mcp?access=••••••&b=••••••#top',
    args: ['--token', '••••••', '--password=••••••', '-v', '--key'],
  });
});

it.each([
  ['mcp-remote https://example.com/mcp --header', 'mcp-remote https://example.com/mcp --header'],
  ['run -e MODE=quiet --env NAME -e GITHUB_PAT=abc', 'run -e MODE=•••••• --env NAME -e GITHUB_PAT=••••••'],
  ['API_KEY=abc --pat abc --auth=abc -v', 'API_KEY=•••••• --pat •••••• --auth=•••••• -v'],
  ['-H X-One:two ghp_abcdefghijklmnopqrstuvwxyz', '-H X-One:•••••• ••••••'],
  ['--header Authorization:${AUTH} token', '--header Authorization:${AUTH} token'],
])('hides what stands in the arguments %s', (args, shown) => {
  expect(show({ args: args.split(' ') })).toEqual({ args: shown.split(' ') });
});

it('hides what stands in one argument with spaces', () => {
  const args = [
    'Authorization: Bearer abc-1',
    '--header=X-Team: blue',
    '-c',
    'cd /x && API_TOKEN=abc exec',
    'see the token',
  ];
  expect(show({ args })).toEqual({
    args: ['Authorization: ••••••', '--header=X-Team: ••••••', '-c', 'cd /x && API_TOKEN=•••••• exec', 'see the token'],
  });
});

it.each([
  ['https://ghp-token@example.com/x', 'https://••••••@example.com/x'],
  ['https://abc:x-oauth-basic@example.com', 'https://••••••@example.com'],
  ['postgres://me:pa/ss#1@db/x', 'postgres://me:••••••@db/x'],
  ['redis://:${PASSWORD}@cache', 'redis://:${PASSWORD}@cache'],
  [
    'https://hooks.example.com/services/T00000000/B00000000/Ab12Cd34Ef56Gh78',
    'https://hooks.example.com/services/T00000000/B00000000/••••••',
  ],
  ['https://n8n.example.com/mcp/6f9619ff-8b86-4d01-b42d-00cf4fc964ff/sse', 'https://n8n.example.com/mcp/••••••/sse'],
  ['https://example.com/api/v1/my-long-project-name-2/mcp', 'https://example.com/api/v1/my-long-project-name-2/mcp'],
  ['https://example.com/x?Ab12Cd34Ef56Gh78#token=abc', 'https://example.com/x?••••••#token=••••••'],
  ['https://example.com/@scope/name@2', 'https://example.com/@scope/name@2'],
])('hides what opens the address %s', (address, shown) => {
  expect(show({ urls: [address] })).toEqual({ urls: [shown] });
});

it('hides the second half of a login, too', () => {
  expect(show({ appRole: { roleId: 'r', secretId: 'abc' }, passphrase: 'abc', credentials: { a: 'abc' } })).toEqual({
    appRole: { roleId: 'r', secretId: '••••••' },
    passphrase: '••••••',
    credentials: { a: '••••••' },
  });
});

it('hides what is known to be a secret wherever it stands, and keeps names of every object as data', () => {
  const odd = JSON.parse('{"__proto__": {"password": "x"}, "note": "it is known-secret"}') as object;
  expect(JSON.stringify(show(odd, {}))).toBe('{"__proto__":{"password":"••••••"},"note":"it is [redacted]"}');
});
