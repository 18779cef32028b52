import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { assertPublicUrl, publicLookup } from './url-guard.ts';

const resolve = async (host: string): Promise<string[]> => {
  const known: Record<string, string[]> = {
    'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    'inside.example': ['10.1.2.3'],
    'half.example': ['93.184.215.14', 'fd00::1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'empty.example': [],
  };
  const found = known[host];
  if (!found) throw new Error('ENOTFOUND');
  return found;
};

async function codeOf(url: string): Promise<string> {
  try {
    await assertPublicUrl(url, { resolve });
    return 'allowed';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

test.each([
  'https://example.com/mcp',
  'http://example.com:8080/mcp',
  'https://example.com./mcp',
  'https://93.184.215.14/mcp',
  'https://172.32.0.1/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/mcp',
])('%s is public', async (url) => {
  expect(await codeOf(url)).toBe('allowed');
});

test.each([
  ['ftp://example.com', 'other scheme'],
  ['file:///etc/passwd', 'other scheme'],
  ['https://user:pass@example.com', 'credentials'],
  ['https://user@example.com', 'credentials'],
  ['http://localhost:3500', 'loopback by name'],
  ['http://LOCALHOST.', 'loopback by name'],
  ['http://a.localhost', 'loopback by name'],
  ['http://127.0.0.1', 'loopback'],
  ['http://127.1', 'loopback, short'],
  ['http://2130706433', 'loopback as a number'],
  ['http://0x7f000001', 'loopback in hex'],
  ['http://0177.0.0.1', 'loopback in octal'],
  ['http://0.0.0.0', 'this host'],
  ['http://[::1]', 'loopback'],
  ['http://[::]', 'unspecified'],
  ['http://10.0.0.1', 'private'],
  ['http://172.16.0.1', 'private'],
  ['http://172.31.255.255', 'private'],
  ['http://192.168.1.1', 'private'],
  ['http://169.254.169.254/latest/meta-data', 'metadata'],
  ['http://metadata.google.internal', 'metadata'],
  ['http://168.63.129.16', 'metadata'],
  ['http://100.64.0.1', 'CGNAT'],
  ['http://100.100.100.200', 'CGNAT, metadata'],
  ['http://224.0.0.1', 'multicast'],
  ['http://255.255.255.255', 'broadcast'],
  ['http://[fd00::1]', 'ULA'],
  ['http://[fe80::1]', 'link-local'],
  ['http://[ff02::1]', 'multicast'],
  ['http://[::ffff:10.0.0.1]', 'mapped'],
  ['http://[::ffff:93.184.215.14]', 'mapped'],
  ['http://[::10.0.0.1]', 'compatible'],
  ['http://[64:ff9b::10.0.0.1]', 'NAT64'],
  ['http://[2002:7f00:1::]', '6to4'],
  ['http://[2001:0:1::]', 'Teredo'],
  ['http://redis:6379', 'a name without a domain'],
  ['http://printer.local', 'mDNS'],
  ['http://inside.example', 'private after resolution'],
  ['http://half.example', 'one of its addresses is private'],
  ['http://mapped.example', 'mapped after resolution'],
])('%s is refused: %s', async (url) => {
  expect(await codeOf(url)).toBe('forbidden');
});

test.each(['not a url', '', 'https://unknown.example', 'https://empty.example'])(
  '%j is not a valid address',
  async (url) => {
    expect(await codeOf(url)).toBe('invalid_input');
  },
);

test('the refusal says who can allow it, but neither the secret nor the resolved address', async () => {
  const message = (url: string) => assertPublicUrl(url, { resolve }).catch((error: Error) => error.message);
  expect(await message('http://inside.example')).toMatch(/^inside\.example is an internal address.*allowInternalUrls/);
  expect(await message('http://inside.example')).not.toContain('10.1.2.3');
  expect(await message('https://user:hunter2@example.com')).not.toContain('hunter2');
});

test('a connection applies the same rule when it resolves names', async () => {
  // The one name that resolves everywhere without a network.
  expect(await lookup('localhost', { all: true })).not.toEqual([]);
  for (const all of [true, false]) {
    const error = await new Promise((done) => {
      publicLookup('localhost', { all }, (refused) => done(refused));
    });
    expect(error).toMatchObject({ code: 'forbidden' });
  }
});
