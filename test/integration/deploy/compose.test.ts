/** The Compose files, as the real Docker Compose reads them. test/integration/deploy/image.test.ts runs them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/host/config/load.ts';
import { parts } from '../../../src/parts.ts';
import { PINNED_N8N } from '../../../src/nodes/which-n8n.ts';
import { version } from '../../../src/version.ts';
import { checkout, compose, composeIsMissing } from '../../support/image/compose.ts';

const run = promisify(execFile);
const variants = ['port-3000', 'port-8000', 'traefik', 'cloudflare'] as const;
type Variant = (typeof variants)[number];
const filesOf = (variant?: Variant): string[] => {
  const file = `deploy/compose/${variant}.yaml`;
  if (variant === undefined) return ['compose.yaml'];
  return variant.startsWith('port') ? [file] : ['compose.yaml', file];
};

interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  network_mode?: string;
  tmpfs?: string[];
  volumes?: { type: string; source: string; target: string; read_only?: boolean }[];
  ports?: { host_ip?: string; published: string; target: number }[];
  environment?: Record<string, string>;
  labels?: Record<string, string>;
  healthcheck?: { test?: string[] };
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}

describe('the example of .env', () => {
  test('has every variable of the Compose files, and none that nothing reads', async () => {
    const given = Object.keys(parseEnv(await readFile(join(checkout, '.env.example'), 'utf8')));
    const texts = await Promise.all(
      ['compose.yaml', 'deploy/compose/traefik.yaml', 'deploy/compose/cloudflare.yaml'].map((file) =>
        readFile(join(checkout, file), 'utf8'),
      ),
    );
    const read = new Set(texts.join('\n').match(/(?<=\$\{)[A-Z0-9_]+/g));
    // Compose itself reads this one.
    expect(new Set(given)).toEqual(new Set([...read, 'COMPOSE_PROFILES']));
  });
});

describe.skipIf(composeIsMissing())('the Compose files', () => {
  let folder: string;
  const env: Record<string, Record<string, string>> = {};
  const settings = {
    CLOUDFLARE_TUNNEL_TOKEN: 'a-tunnel',
    SLUICE_PUBLIC_URL: 'https://mcp.example.com',
    N8N_HOST: 'http://n8n.internal:5678',
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-env-'));
    for (const databases of ['', 'postgres', 'valkey']) {
      const root = join(folder, databases);
      await mkdir(join(root, 'deploy'), { recursive: true });
      await cp(join(checkout, 'deploy', 'compose'), join(root, 'deploy', 'compose'), { recursive: true });
      await cp(join(checkout, '.env.example'), join(root, '.env.example'));
      const script = join(root, 'deploy', 'compose', 'new-env.sh');
      await run('sh', [script, ...(databases === '' ? [] : [databases])]);
      env[databases] = parseEnv(await readFile(join(root, '.env'), 'utf8')) as Record<string, string>;
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function read(variant?: Variant, databases = '', more: Record<string, string> = settings) {
    const args = ['--env-file', join(folder, databases, '.env'), ...filesOf(variant).flatMap((file) => ['-f', file])];
    const { code, output } = await compose([...args, 'config', '--format', 'json'], { N8N_API_KEY: 'a-key', ...more });
    if (code !== 0) throw new Error(output);
    return (JSON.parse(output.slice(output.indexOf('{'))) as { services: Record<string, Service> }).services;
  }

  test('need a .env, and say how to write it', async () => {
    const { code, output } = await compose(['--env-file', '/dev/null', '-f', 'compose.yaml', 'config', '--quiet'], {});
    expect(code).not.toBe(0);
    // Compose names any one of those that are missing.
    expect(output).toMatch(/required variable \w+ is missing a value: .*sh deploy\/compose\/new-env\.sh/);
  });

  test('get new secrets with one command, which only the owner can read and which are never replaced', async () => {
    const secrets = [
      'MCP_AUTH_TOKEN',
      'N8N_OWNER_PASSWORD',
      'N8N_ENCRYPTION_KEY',
      'SLUICE_SECRET_KEY',
      'POSTGRES_PASSWORD',
    ];
    const values = Object.values(env).flatMap((one) => secrets.map((name) => one[name] as string));
    expect(new Set(values).size).toBe(values.length);
    for (const one of Object.values(env)) {
      for (const name of secrets) expect(one[name]?.length, name).toBeGreaterThanOrEqual(32);
      expect(one.N8N_OWNER_PASSWORD).toMatch(/(?=.*[A-Z])(?=.*\d)/);
    }
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    await expect(run('sh', [join(folder, 'deploy', 'compose', 'new-env.sh')])).rejects.toThrow('is not replaced');
    await expect(run('sh', [join(folder, 'deploy', 'compose', 'new-env.sh'), 'mysql'])).rejects.toThrow('Usage');
  });

  test('start the databases that .env names, and only those', async () => {
    expect(Object.keys(await read()).sort()).toEqual(['hook', 'n8n', 'sluice']);
    expect(Object.keys(await read(undefined, 'postgres')).sort()).toEqual(['hook', 'n8n', 'postgres', 'sluice']);
    expect(Object.keys(await read(undefined, 'valkey')).sort()).toEqual([
      'hook',
      'n8n',
      'postgres',
      'sluice',
      'valkey',
    ]);
  });

  test('point Sluice and n8n at databases of their own', async () => {
    const { sluice, hook, n8n } = await read(undefined, 'valkey');
    const { POSTGRES_PASSWORD: password } = env.valkey as Record<string, string>;
    expect(sluice?.environment).toMatchObject({
      SLUICE_STORE: `postgres://sluice:${password}@postgres:5432/sluice?sslmode=disable`,
      SLUICE_REDIS: 'redis://valkey:6379',
    });
    expect(hook?.environment).toEqual(sluice?.environment);
    expect(n8n?.environment).toMatchObject({
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_DATABASE: 'n8n',
      DB_POSTGRESDB_USER: 'n8n',
    });
    expect((await read()).n8n?.environment).toMatchObject({ DB_TYPE: 'sqlite' });
  });

  test.each([undefined, ...variants])('%s: every service is locked down, and on loopback only', async (variant) => {
    for (const [name, service] of Object.entries(await read(variant, 'valkey'))) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.cap_add ?? service.privileged ?? service.network_mode, name).toBeUndefined();
      expect(service.user, name).toMatch(/^(?!0|root)/);
      // A number of a version, so that an update is a decision.
      expect(service.image, name).toMatch(/:\d[\w.-]*$/);
      for (const { host_ip } of service.ports ?? []) expect(host_ip, name).toBe('127.0.0.1');
      for (const { type, source, read_only } of service.volumes ?? []) {
        expect(source, name).not.toContain('docker.sock');
        if (type === 'bind') expect(read_only, name).toBe(true);
      }
    }
  });

  test.each([undefined, ...variants])('%s: Sluice can load what it is given', async (variant) => {
    const services = await read(variant, 'valkey');
    const [name, { environment = {}, image }] = Object.entries(services).find(([, one]) =>
      one.image.includes('/sluice:'),
    ) as [string, Service];
    expect(image).toBe(`ghcr.io/sluice/sluice:${version}`);
    const { config } = await loadConfig(parts, {
      cwd: folder,
      home: folder,
      env: { SLUICE_HOST: '0.0.0.0', ...environment },
    });
    expect(config.auth.token, name).toBe(environment.MCP_AUTH_TOKEN);
  });

  test('give each other time: the hook first, and longer to stop than either takes', async () => {
    const { sluice, n8n, postgres } = await read(undefined, 'postgres');
    for (const one of [sluice, n8n])
      expect(one?.depends_on?.hook).toMatchObject({ condition: 'service_completed_successfully' });
    expect(n8n?.depends_on?.postgres).toMatchObject({ condition: 'service_healthy', required: false });
    expect([sluice, n8n, postgres].map((one) => one?.stop_grace_period)).toEqual(['30s', '40s', '1m0s']);
  });

  test('run the n8n that Sluice knows, with the versions of the images in .env', async () => {
    expect((await read()).n8n?.image).toBe(`docker.n8n.io/n8nio/n8n:${PINNED_N8N}`);
    const given = await read(undefined, '', { ...settings, N8N_VERSION: '9.9.9', SLUICE_VERSION: '8.8.8' });
    expect(given.n8n?.image).toMatch(/:9\.9\.9$/);
    expect(given.sluice?.image).toMatch(/:8\.8\.8$/);
  });

  test('trust as many proxies as there are', async () => {
    const trust = async (variant?: Variant, more = {}) =>
      (await read(variant, '', { ...settings, ...more })).sluice?.environment?.SLUICE_TRUST_PROXY;
    expect(await trust()).toBe('false');
    expect(await trust('cloudflare')).toBe('1');
    expect(await trust('traefik')).toBe('1');
    // Cloudflare in front of Traefik.
    expect(await trust('traefik', { SLUICE_TRUST_PROXY: '2' })).toBe('2');
  });

  test('behind a proxy, open no port of Sluice', async () => {
    for (const variant of ['traefik', 'cloudflare'] as const)
      expect((await read(variant)).sluice?.ports ?? []).toEqual([]);
    const { sluice } = await read('traefik');
    expect(sluice?.labels).toMatchObject({
      'traefik.http.routers.sluice.rule': 'Host(`mcp.example.com`)',
      'traefik.http.services.sluice.loadbalancer.server.port': '3500',
    });
  });

  test.each([
    ['port-3000', 'n8n-mcp', 3000],
    ['port-8000', 'api-gateway', 8000],
  ] as const)('%s serves %s at the port of before', async (variant, name, port) => {
    const { [name]: service } = await read(variant);
    expect(service?.environment).toMatchObject({ PORT: String(port) });
    expect(service?.ports).toMatchObject([{ published: String(port), target: port }]);
  });
});
