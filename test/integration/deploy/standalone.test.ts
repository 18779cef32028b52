/** What the Helm chart makes of its values: Sluice by itself, and what both shapes share. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { PINNED_N8N } from '../../../src/nodes/which-n8n.ts';
import { chartFolder, rendererIsMissing, renderChart } from '../../support/kubernetes/helm.ts';
import { containerOf, containersOf, find } from '../../support/kubernetes/manifest.ts';
import { referenceProblems } from '../../support/kubernetes/references.ts';
import { claimsOf, shape, shapes, variablesOf, workloadOf } from '../../support/kubernetes/shapes.ts';

describe.skipIf(rendererIsMissing)('the Helm chart', () => {
  test('has the versions of this package and of its n8n', () => {
    const about = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as {
      version: string;
      appVersion: string;
    };
    expect(about).toMatchObject({ apiVersion: 'v2', version: packageJson.version, appVersion: packageJson.version });
    const { image } = containerOf(workloadOf('as it comes'), 'sluice');
    expect(image).toBe(`ghcr.io/sluice/sluice:${packageJson.version}`);
    expect(containerOf(workloadOf('a sidecar as it comes'), 'n8n').image).toBe(`docker.n8n.io/n8nio/n8n:${PINNED_N8N}`);
  });

  test('stores data in SQLite on a volume that one pod at a time opens', () => {
    const { spec } = workloadOf('as it comes');
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(spec.template.spec.volumes).toContainEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'demo-sluice-data' },
    });
    const kinds = shape('as it comes').manifests.map(({ kind }) => kind);
    expect(kinds).not.toContain('PodDisruptionBudget');
    expect(claimsOf('as it comes')[0]?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    for (const name of [
      'one replica on a claim of yours',
      'one replica without a volume',
      'three replicas on PostgreSQL',
    ])
      expect(claimsOf(name)).toEqual([]);
  });

  test('runs replicas that share a database and a key, and stop one at a time', () => {
    const { spec } = workloadOf('three replicas on PostgreSQL');
    expect(spec).toMatchObject({ replicas: 3, strategy: { type: 'RollingUpdate' } });
    const { terminationGracePeriodSeconds, volumes, containers } = spec.template.spec;
    expect(terminationGracePeriodSeconds).toBe(60);
    expect(containers[0]?.readinessProbe).toMatchObject({ httpGet: { path: '/ready' }, periodSeconds: 2 });
    expect(volumes).toContainEqual({ name: 'data', emptyDir: {} });
    const variables = variablesOf('three replicas on PostgreSQL', 'sluice');
    expect(variables.SLUICE_STORE).toEqual({ secretKeyRef: { name: 'sluice-store', key: 'url' } });
    expect(variables.SLUICE_SECRET_KEY_FILE).toBe('/run/secrets/sluice/key');
    expect(variables.POD_IP).toEqual({ fieldRef: { fieldPath: 'status.podIP' } });
    expect(find(shape('three replicas on PostgreSQL').manifests, 'PodDisruptionBudget').spec).toMatchObject({
      maxUnavailable: 1,
    });
  });

  test('leaves the number of replicas to the autoscaler', () => {
    const name = 'an autoscaler, an Ingress, Prometheus';
    expect(workloadOf(name).spec).not.toHaveProperty('replicas');
    expect(find(shape(name).manifests, 'HorizontalPodAutoscaler').spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 5,
    });
    expect(find(shape(name).manifests, 'ServiceMonitor')).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: {
        endpoints: [
          { port: 'mcp', path: '/metrics', authorization: { credentials: { name: 'scrape', key: 'token' } } },
        ],
      },
    });
  });

  test('knows every name by which it is called', () => {
    const inside = (service: string) =>
      [service, `${service}.prod`, `${service}.prod.svc`, `${service}.prod.svc.cluster.local`].join(',');
    const hosts = (name: string, container: string) => variablesOf(name, container).SLUICE_ALLOWED_HOSTS;
    expect(hosts('as it comes', 'sluice')).toBe(inside('demo-sluice'));
    expect(hosts('a sidecar as it comes', 'mcp-server')).toBe(inside('demo-sluice-mcp'));
    expect(hosts('an autoscaler, an Ingress, Prometheus', 'sluice')).toBe(
      `${inside('demo-sluice')},mcp.example.com,mcp.example.org`,
    );
    expect(hosts('a sidecar with everything', 'mcp-server')).toBe(`${inside('ark-n8n-mcp')},mcp.example.com`);
  });

  test('mounts the configuration as a directory, so that changes reach a running pod', () => {
    for (const name of Object.keys(shapes)) {
      for (const { volumeMounts = [] } of containersOf(workloadOf(name)))
        expect(volumeMounts.filter(({ subPath }) => subPath !== undefined)).toEqual([]);
      expect(JSON.stringify(workloadOf(name))).not.toContain('checksum');
    }
  });

  test('keeps numbers, lists and references of the configuration as they are', () => {
    const config = {
      mcpServers: {
        files: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-everything'],
          env: { TOKEN: '${FILES_TOKEN}' },
        },
      },
      limits: { sessions: 1_000_000 },
      bridge: { discovery: { refreshInterval: '30s' } },
      n8n: { default: { url: 'http://n8n:5678', apiKey: '${N8N_API_KEY}' } },
    };
    const { data } = find(renderChart({ config }).manifests, 'ConfigMap');
    expect(parse(data?.['sluice.yaml'] ?? '')).toEqual({ ...config, auth: { mode: 'keys' } });
  });

  test('cuts long names, and keeps them apart', () => {
    const long = 'a'.repeat(53);
    const { manifests } = renderChart(
      { mode: 'sidecar', mcp: { auth: { token: 'a-token-for-agents' } } },
      { name: long },
    );
    expect(referenceProblems(manifests)).toEqual([]);
    expect(renderChart({}, { name: 'sluice' }).manifests.map(({ metadata }) => metadata.name)).toContain('sluice');
  });
});
