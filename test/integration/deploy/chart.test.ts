/** The Helm chart: every shape of it, held against Kubernetes' schemas and its rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { PINNED_N8N } from '../../../src/nodes/which-n8n.ts';
import {
  chartFolder,
  type Rendered,
  rendererIsMissing,
  renderChart,
  renderCharts,
} from '../../support/kubernetes/helm.ts';
import { containerOf, containersOf, find, type Service, type Workload } from '../../support/kubernetes/manifest.ts';
import { referenceProblems } from '../../support/kubernetes/references.ts';
import { restrictedProblems } from '../../support/kubernetes/restricted.ts';
import { schemaProblems } from '../../support/kubernetes/schemas.ts';
import { shapes } from '../../support/kubernetes/shapes.ts';

describe.skipIf(rendererIsMissing)('the Helm chart', () => {
  const rendered = new Map<string, Rendered>();
  const all = Object.entries(shapes);
  beforeAll(() => {
    const results = renderCharts(all.map(([, { values }]) => values));
    for (const [index, [name]] of all.entries()) rendered.set(name, results[index] as Rendered);
  });
  const shape = (name: keyof typeof shapes) => rendered.get(String(name)) as Rendered;
  const workloadOf = (name: string) => find<Workload>(shape(name).manifests, 'Deployment');
  const variablesOf = (name: string, container: string) =>
    new Map(containerOf(workloadOf(name), container).env?.map((one) => [one.name, one.value ?? one.valueFrom]));

  describe.each(all)('%s', (name, { given }) => {
    test('is what Kubernetes accepts', () => {
      const { manifests } = shape(name);
      expect(manifests.length).toBeGreaterThan(2);
      expect(manifests.flatMap((one) => schemaProblems(one).map((problem) => `${one.kind} ${problem}`))).toEqual([]);
    });

    test('refers to nothing that does not exist', () => {
      expect(referenceProblems(shape(name).manifests, given)).toEqual([]);
    });

    test('may run in a namespace with restricted pod security', () => {
      expect(restrictedProblems(workloadOf(name))).toEqual([]);
    });

    test('keeps secrets out of ConfigMaps, pods and notes', () => {
      const { manifests, notes } = shape(name);
      const text = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret')) + notes;
      for (const secret of ['store-password', 'a-secret-key-of', 'a-token-f']) expect(text).not.toContain(secret);
    });

    test('says what to do next', () => {
      expect(shape(name).notes).toMatch(/kubectl (exec|create)|mcp\.enabled/);
      expect(shape(name).notes).not.toContain('<no value>');
    });
  });

  test('the rules find what is wrong', () => {
    const good = workloadOf('as it comes');
    const changed = (change: (copy: any) => void) => {
      const copy = structuredClone(good);
      change(copy);
      return copy;
    };
    const container = (copy: any) => copy.spec.template.spec.containers[0];
    expect(schemaProblems(changed((copy) => (container(copy).imagePolicy = 'Always')))).toEqual([
      '/spec/template/spec/containers/0/imagePolicy: unknown field',
    ]);
    expect(schemaProblems(changed((copy) => (copy.spec.strategie = {})))).toEqual(['/spec/strategie: unknown field']);
    expect(schemaProblems(changed((copy) => (copy.spec.replicas = '2')))[0]).toMatch(/replicas.*integer/);
    expect(schemaProblems(changed((copy) => delete copy.spec.selector))[0]).toMatch(/required.*selector/);
    expect(schemaProblems({ apiVersion: 'apps/v2', kind: 'Deployment' })).toHaveLength(1);
    for (const change of [
      (copy: any) => delete copy.spec.template.spec.securityContext.seccompProfile,
      (copy: any) => (copy.spec.template.spec.hostNetwork = true),
      (copy: any) => copy.spec.template.spec.volumes.push({ name: 'host', hostPath: { path: '/' } }),
      (copy: any) => (container(copy).securityContext.allowPrivilegeEscalation = true),
      (copy: any) => (container(copy).securityContext.capabilities.add = ['NET_ADMIN']),
      (copy: any) => (container(copy).securityContext.runAsUser = 0),
      (copy: any) => delete container(copy).resources.limits,
    ])
      expect(restrictedProblems(changed(change))).toHaveLength(1);
    const { manifests } = shape('as it comes');
    const without = (kind: string) => manifests.filter((one) => one.kind !== kind);
    expect(referenceProblems(without('ConfigMap'))).toEqual(['ConfigMap demo-sluice does not exist']);
    expect(referenceProblems(without('PersistentVolumeClaim'))).toHaveLength(1);
    expect(
      referenceProblems([...without('Deployment'), changed((copy) => (copy.spec.template.metadata.labels = {}))]),
    ).toHaveLength(2);
  });

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
    const claims = (name: string) => shape(name).manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    expect(claims('as it comes')[0]?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    for (const name of [
      'one replica on a claim of yours',
      'one replica without a volume',
      'three replicas on PostgreSQL',
    ])
      expect(claims(name)).toEqual([]);
  });

  test('runs replicas that share a database and a key, and stop one at a time', () => {
    const { spec } = workloadOf('three replicas on PostgreSQL');
    expect(spec).toMatchObject({ replicas: 3, strategy: { type: 'RollingUpdate' } });
    const { terminationGracePeriodSeconds, volumes, containers } = spec.template.spec;
    expect(terminationGracePeriodSeconds).toBe(60);
    expect(containers[0]?.readinessProbe).toMatchObject({ httpGet: { path: '/ready' }, periodSeconds: 2 });
    expect(volumes).toContainEqual({ name: 'data', emptyDir: {} });
    const variables = variablesOf('three replicas on PostgreSQL', 'sluice');
    expect(variables.get('SLUICE_STORE')).toEqual({ secretKeyRef: { name: 'sluice-store', key: 'url' } });
    expect(variables.get('SLUICE_SECRET_KEY_FILE')).toBe('/run/secrets/sluice/key');
    expect(variables.get('POD_IP')).toEqual({ fieldRef: { fieldPath: 'status.podIP' } });
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
    const hosts = (name: string, container: string) => variablesOf(name, container).get('SLUICE_ALLOWED_HOSTS');
    expect(hosts('as it comes', 'sluice')).toBe(inside('demo-sluice'));
    expect(hosts('a sidecar as it comes', 'mcp-server')).toBe(inside('demo-sluice-mcp'));
    expect(hosts('an autoscaler, an Ingress, Prometheus', 'sluice')).toBe(
      `${inside('demo-sluice')},mcp.example.com,mcp.example.org`,
    );
    expect(hosts('a sidecar with everything', 'mcp-server')).toBe(`${inside('ark-n8n-mcp')},mcp.example.com`);
  });

  test('puts n8n and Sluice in one pod, each with its Service, and n8n alone with the labels of its own', () => {
    const { manifests } = shape('a sidecar as it comes');
    const { spec } = workloadOf('a sidecar as it comes');
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const service = (name: string) => find<Service>(manifests, 'Service', name).spec;
    expect(service('demo-sluice').ports).toMatchObject([{ port: 5678, targetPort: 'http' }]);
    expect(service('demo-sluice-mcp')).toMatchObject({
      publishNotReadyAddresses: true,
      ports: [{ port: 8080, targetPort: 'mcp' }],
    });
    expect(spec.template.spec.volumes).toEqual(
      expect.arrayContaining([
        { name: 'n8n-data', persistentVolumeClaim: { claimName: 'demo-sluice-data' } },
        { name: 'tools-shared', emptyDir: {} },
        { name: 'data', persistentVolumeClaim: { claimName: 'demo-sluice-mcp-data' } },
      ]),
    );
    const sluice = containerOf(workloadOf('a sidecar as it comes'), 'mcp-server');
    expect(sluice.livenessProbe).toMatchObject({
      httpGet: { path: '/health' },
      initialDelaySeconds: 10,
      periodSeconds: 30,
    });
    expect(sluice.readinessProbe).toMatchObject({
      httpGet: { path: '/ready' },
      initialDelaySeconds: 5,
      periodSeconds: 10,
    });
    expect(sluice.resources).toEqual({
      requests: { memory: '256Mi', cpu: '200m' },
      limits: { memory: '512Mi', cpu: '500m' },
    });
    const mounts = (name: string) =>
      containerOf(workloadOf('a sidecar as it comes'), name).volumeMounts?.map((one) => `${one.name} ${one.mountPath}`);
    expect(mounts('n8n')).toEqual(['n8n-data /home/node/.n8n', 'tools-shared /tmp/tools']);
    expect(mounts('mcp-server')).toContain('tools-shared /tmp/tools');
    // The hook is signed with a secret of the store, so both need the same one.
    expect(mounts('hook')).toEqual(mounts('mcp-server'));
  });

  test('takes over the values of mcp', () => {
    const name = 'a sidecar with everything';
    const sluice = containerOf(workloadOf(name), 'mcp-server');
    expect(sluice.image).toBe('registry.example.com/sluice:1.2.3');
    expect(containerOf(workloadOf(name), 'hook').image).toBe(sluice.image);
    expect(sluice.resources).toMatchObject({ limits: { memory: '1Gi' } });
    expect(Object.fromEntries(variablesOf(name, 'mcp-server'))).toMatchObject({
      LOG_LEVEL: 'debug',
      SLUICE_BRIDGE_DISCOVERY: 'hooks',
      SLUICE_BRIDGE_POLL: '1m',
      SLUICE_BRIDGE_APPLY: 'ask',
      SLUICE_BRIDGE_AI_TOOLS: 'Support agent,abc123',
      N8N_OWNER_EMAIL: { secretKeyRef: { name: 'n8n-owner', key: 'email' } },
      N8N_OWNER_PASSWORD: { secretKeyRef: { name: 'n8n-owner', key: 'password' } },
      N8N_API_KEY: { secretKeyRef: { name: 'n8n-key', key: 'apiKey' } },
      MCP_AUTH_TOKEN: { secretKeyRef: { name: 'mcp-auth-token', key: 'token' } },
      ALLOWED_ORIGINS: 'https://agents.example.com',
    });
    expect(find(shape(name).manifests, 'Secret').stringData).toEqual({ token: 'a-token-for-agents' });
    expect(Object.fromEntries(variablesOf(name, 'n8n'))).toMatchObject({
      EXTERNAL_HOOK_FILES: '/hooks/mine.js:/tmp/tools/sluice-hook.js',
      N8N_PROXY_HOPS: '1',
      N8N_ENCRYPTION_KEY: { secretKeyRef: { name: 'n8n-encryption', key: 'encryptionKey' } },
    });
    expect(workloadOf(name).spec.template.metadata.labels).toMatchObject({
      team: 'agents',
      'app.kubernetes.io/name': 'sluice',
    });
  });

  test('needs no hook where Sluice asks n8n, and no Sluice where it is off', () => {
    const names = (name: string) => containersOf(workloadOf(name)).map((one) => one.name);
    expect(names('a sidecar that asks n8n')).toEqual(['n8n', 'mcp-server']);
    expect(variablesOf('a sidecar that asks n8n', 'n8n').has('EXTERNAL_HOOK_FILES')).toBe(false);
    expect(names('n8n without Sluice')).toEqual(['n8n']);
    const kinds = shape('n8n without Sluice').manifests.map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service', 'ServiceAccount']);
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
