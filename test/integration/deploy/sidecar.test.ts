/** What the Helm chart makes of its values: n8n and Sluice in one pod. */
import { describe, expect, test } from 'vitest';
import { rendererIsMissing } from '../../support/kubernetes/helm.ts';
import { containerOf, containersOf, find } from '../../support/kubernetes/manifest.ts';
import { shape, variablesOf, workloadOf } from '../../support/kubernetes/shapes.ts';

describe.skipIf(rendererIsMissing)('the sidecar of the Helm chart', () => {
  test('puts n8n and Sluice in one pod, each with its Service', () => {
    const { manifests } = shape('a sidecar as it comes');
    const { spec } = workloadOf('a sidecar as it comes');
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const service = (name: string) => find(manifests, 'Service', name).spec;
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
    expect(variablesOf(name, 'mcp-server')).toMatchObject({
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
    expect(variablesOf(name, 'n8n')).toMatchObject({
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
    expect(variablesOf('a sidecar that asks n8n', 'n8n')).not.toHaveProperty('EXTERNAL_HOOK_FILES');
    expect(names('n8n without Sluice')).toEqual(['n8n']);
    const kinds = shape('n8n without Sluice').manifests.map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service', 'ServiceAccount']);
  });
});
