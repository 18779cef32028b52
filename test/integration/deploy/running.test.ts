/** Sluice itself, started with the variables, arguments and files that the chart gives to its containers. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPlace, type Place } from '../../support/command-line.ts';
import { freePort } from '../../support/free-port.ts';
import { rendererIsMissing, renderCharts, type Values } from '../../support/kubernetes/helm.ts';
import { type Container, containerOf, containersOf, find } from '../../support/kubernetes/manifest.ts';
import { documentedVariables, environmentOf } from '../../support/kubernetes/pod.ts';
import { shapes } from '../../support/kubernetes/shapes.ts';
import { raw, request } from '../../support/raw-http.ts';

const token = 'a-token-for-agents';

describe.skipIf(rendererIsMissing)('a container of the chart', () => {
  /** A pod on this machine, with its configuration and with its volumes where the place has them. */
  async function podOf(values: Values) {
    const { manifests } = renderCharts([values])[0] ?? { manifests: [] };
    const place = await createPlace();
    const { data } = find(manifests, 'ConfigMap');
    await writeFile(join(place.project, 'sluice.yaml'), data?.['sluice.yaml'] ?? '');
    const workload = find(manifests, 'Deployment');
    return { place, container: (name: string) => containerOf(workload, name) };
  }

  /** The same variables, with addresses and folders of this machine. */
  function variables(container: Container, { home, project }: Place, port: number): Record<string, string> {
    const secrets = {
      'mcp-auth-token/token': token,
      'sluice-token/token': token,
      'n8n-owner/email': 'owner@example.com',
      'n8n-owner/password': 'Owner-passw0rd',
    };
    const env = environmentOf(container, secrets);
    return {
      ...env,
      SLUICE_HOME: env.SLUICE_HOME?.replace('/data/sluice', home) ?? '',
      SLUICE_CACHE: env.SLUICE_CACHE?.replace('/data', home) ?? '',
      ...(env.TOOLS_SHARED_PATH && { TOOLS_SHARED_PATH: env.TOOLS_SHARED_PATH.replace('/tmp', project) }),
      ...(env.N8N_INTERNAL_URL && { N8N_INTERNAL_URL: env.N8N_INTERNAL_URL.replace('5678', '9') }),
      ...(env.PORT && { PORT: String(port) }),
    };
  }

  async function served(values: Values, name: string, use: (gateway: Gateway) => Promise<void>): Promise<void> {
    const { place, container } = await podOf(values);
    await using _ = place;
    const port = await freePort();
    const started = place.start(['serve'], { env: variables(container(name), place, port) });
    try {
      await started.printed('Ready:');
      await use({ port, container: container(name), place });
    } finally {
      started.child.kill('SIGTERM');
      await started.finished;
    }
    const { stdout, stderr } = await started.finished;
    expect(stdout + stderr).not.toContain(token);
  }

  interface Gateway {
    readonly port: number;
    readonly container: Container;
    readonly place: Place;
  }

  async function statusOf({ port }: Gateway, path: string, host?: string, headers: Record<string, string> = {}) {
    const url = `http://127.0.0.1:${port}`;
    const sent = Object.entries({ ...(host && { host }), ...headers });
    return (await raw(url, request(url, { method: 'GET', path, headers: sent }))).statuses[0];
  }

  test.each([
    ['standalone', { token: { existingSecret: 'sluice-token' } }, 'sluice', 'demo-sluice'],
    [
      'sidecar',
      { mode: 'sidecar', mcp: { n8n: { owner: { existingSecret: 'n8n-owner' } } } },
      'mcp-server',
      'demo-sluice-mcp',
    ],
  ])('of %s is healthy and ready, and known by the names of its Service', async (_, values, name, service) => {
    await served(values, name, async (gateway) => {
      const { container } = gateway;
      for (const probe of [container.livenessProbe, container.readinessProbe])
        await expect.poll(() => statusOf(gateway, probe?.httpGet.path ?? '')).toBe(200);
      const names = [service, `${service}.prod`, `${service}.prod.svc`, `${service}.prod.svc.cluster.local`];
      for (const host of names) {
        expect(await statusOf(gateway, '/health', `${host}:8080`)).toBe(200);
        expect(await statusOf(gateway, '/api/v1/status', host)).toBe(401);
        expect(await statusOf(gateway, '/api/v1/status', host, { authorization: `Bearer ${token}` })).toBe(200);
      }
      expect(await statusOf(gateway, '/health', 'evil.example.com')).toBe(403);
      expect(await statusOf(gateway, '/health', `${service}.other`)).toBe(403);
    });
  });

  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

  test.skipIf(address === undefined)(
    'answers probes of the kubelet, which knows only the address of the pod',
    async () => {
      await served({ token: { existingSecret: 'sluice-token' } }, 'sluice', async ({ port, container }) => {
        for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
          await expect
            .poll(async () => (await fetch(`http://${address}:${port}${probe?.httpGet.path}`)).status)
            .toBe(200);
      });
    },
  );

  test('writes the hook with the secret that Sluice then knows', async () => {
    const { place, container } = await podOf({ mode: 'sidecar' });
    await using _ = place;
    const hook = container('hook');
    expect(hook.args?.slice(0, 2)).toEqual(['n8n', 'hook']);
    const args = (hook.args ?? []).map((one) => one.replace('/tmp/tools', join(place.project, 'tools')));
    const { code, stdout, stderr } = await place.run(args, { env: variables(hook, place, 0) });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const file = join(place.project, 'tools', 'sluice-hook.js');
    expect(stdout.trim()).toBe(file);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('http://127.0.0.1:8080/');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // Another pod on the same volume writes the same secret: a restart leaves a running n8n valid.
    await place.run(args, { env: variables(hook, place, 0) });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('reads a configuration of yours, with its secrets from variables', async () => {
    const config = {
      mcpServers: { one: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${ONE}' } } },
    };
    const env = [{ name: 'ONE', value: 'from-a-secret' }];
    const values = { config, env, token: { existingSecret: 'sluice-token' } };
    await served(values, 'sluice', async (gateway) => {
      const { stdout } = await gateway.place.run(['status', '--json']);
      expect(stdout).toContain('"one"');
    });
  });

  test('gets only variables that Sluice reads', () => {
    const known = documentedVariables();
    expect(known.size).toBeGreaterThan(30);
    const all = renderCharts(Object.values(shapes).map(({ values }) => values));
    const ours = all.flatMap(({ manifests }) =>
      containersOf(find(manifests, 'Deployment')).filter(({ name }) => name !== 'n8n'),
    );
    const names = new Set(ours.flatMap(({ env = [] }) => env.map(({ name }) => name)));
    // Added by the values of a shape.
    names.delete('GITHUB_TOKEN');
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
  });
});
