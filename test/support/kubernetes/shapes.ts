/** Values with which people install the chart, and the Secrets and claims that each expects to exist. */
import { type Rendered, renderChart, type Values } from './helm.ts';
import { type Container, containerOf, find, type Manifest, type Workload } from './manifest.ts';

interface Shape {
  readonly values: Values;
  readonly given?: readonly string[];
}

const postgres = {
  store: { existingSecret: 'sluice-store', key: 'url' },
  secretKey: { existingSecret: 'sluice-key' },
};
const prometheus = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
const ingressPods = {
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
  podSelector: { matchLabels: { 'app.kubernetes.io/name': 'ingress-nginx' } },
};
const placed = {
  podAnnotations: { 'example.com/note': 'yes' },
  podLabels: { team: 'agents', 'app.kubernetes.io/name': 'not this' },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'agents', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  priorityClassName: 'high',
  imagePullSecrets: [{ name: 'registry' }],
  extraVolumes: [{ name: 'ca', configMap: { name: 'demo-sluice' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  env: [{ name: 'GITHUB_TOKEN', valueFrom: { secretKeyRef: { name: 'github', key: 'token' } } }],
  envFrom: [{ secretRef: { name: 'sluice-env' } }],
};
const route = { enabled: true, parentRefs: [{ name: 'gateway', namespace: 'infra' }], hostnames: ['mcp.example.com'] };

export const shapes: Readonly<Record<string, Shape>> = {
  'as it comes': { values: {} },
  'one replica on a claim of yours': { values: { persistence: { existingClaim: 'mine' } }, given: ['mine'] },
  'one replica without a volume': { values: { persistence: { enabled: false } } },
  'three replicas on PostgreSQL': { values: { ...postgres, replicas: 3 }, given: ['sluice-store', 'sluice-key'] },
  'an autoscaler, an Ingress, Prometheus': {
    values: {
      ...postgres,
      autoscaling: { enabled: true },
      publicUrl: 'https://mcp.example.com',
      ingress: {
        enabled: true,
        className: 'nginx',
        hosts: ['mcp.example.com', 'mcp.example.org'],
        annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' },
        tls: { secretName: 'certificate' },
      },
      metrics: {
        serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, token: { existingSecret: 'scrape' } },
      },
      networkPolicy: { extraFrom: [ingressPods, prometheus] },
    },
    given: ['sluice-store', 'sluice-key'],
  },
  'an HTTPRoute, and metrics for everybody': {
    values: {
      httpRoute: { ...route, timeouts: { request: '0s' } },
      metrics: { public: true, serviceMonitor: { enabled: true } },
      networkPolicy: { extraFrom: [prometheus] },
      config: { auth: { mode: 'both', oauth: { builtin: true } }, metrics: { maxTools: 100 } },
      publicUrl: 'https://mcp.example.com',
    },
  },
  'secrets from values': {
    values: {
      replicas: 2,
      store: { value: 'postgres://sluice:store-password@db:5432/sluice' },
      secretKey: { value: 'a-secret-key-of-thirty-two-characters' },
      token: { value: 'a-token-from-values' },
    },
  },
  'placed and extended': { values: placed, given: ['github'] },
  'without a policy, an account or a budget': {
    values: {
      ...postgres,
      replicas: 2,
      networkPolicy: { enabled: false },
      serviceAccount: { create: false },
      podDisruptionBudget: { enabled: false },
    },
    given: ['sluice-store', 'sluice-key'],
  },
  'pinned by digest': {
    values: { image: { repository: 'registry.example.com/sluice', digest: `sha256:${'a'.repeat(64)}` } },
  },
  'a sidecar as it comes': { values: { mode: 'sidecar' }, given: ['mcp-auth-token'] },
  'a sidecar with everything': {
    values: {
      ...placed,
      mode: 'sidecar',
      fullnameOverride: 'ark-n8n',
      extraVolumes: [{ name: 'ca', configMap: { name: 'ark-n8n' } }],
      mcp: {
        image: { repository: 'registry.example.com/sluice', tag: '1.2.3', pullPolicy: 'Always' },
        logLevel: 'debug',
        resources: { limits: { memory: '1Gi', cpu: '1' }, requests: { memory: '512Mi', cpu: '300m' } },
        discovery: { method: 'hooks', refreshInterval: '1m' },
        auth: { token: 'a-token-for-agents' },
        apply: 'ask',
        aiTools: ['Support agent', 'abc123'],
        n8n: { owner: { existingSecret: 'n8n-owner' }, apiKey: { existingSecret: 'n8n-key' } },
      },
      app: {
        env: { WEBHOOK_URL: 'https://n8n.example.com', N8N_PROXY_HOPS: 1, EXTERNAL_HOOK_FILES: '/hooks/mine.js' },
        extraEnv: [
          { name: 'DB_POSTGRESDB_PASSWORD', valueFrom: { secretKeyRef: { name: 'n8n-db', key: 'password' } } },
        ],
        encryptionKey: { existingSecret: 'n8n-encryption' },
        ingress: { enabled: true, hosts: ['n8n.example.com'] },
        httpRoute: { ...route, hostnames: ['n8n.example.com'] },
      },
      httpRoute: route,
      metrics: { serviceMonitor: { enabled: true, token: { existingSecret: 'scrape' } } },
      networkPolicy: { extraFrom: [prometheus, ingressPods] },
      publicUrl: 'https://mcp.example.com',
      allowedOrigins: ['https://agents.example.com'],
    },
    given: ['n8n-owner', 'n8n-key', 'n8n-db', 'n8n-encryption', 'github'],
  },
  'a sidecar that asks n8n': {
    values: { mode: 'sidecar', mcp: { discovery: { method: 'api' } } },
    given: ['mcp-auth-token'],
  },
  'a sidecar on PostgreSQL': {
    values: { ...postgres, mode: 'sidecar' },
    given: ['sluice-store', 'sluice-key', 'mcp-auth-token'],
  },
  'n8n without Sluice': { values: { mode: 'sidecar', mcp: { enabled: false } } },
  'sections that are empty': {
    values: { config: null, podLabels: null, app: { env: null }, mode: 'sidecar' },
    given: ['mcp-auth-token'],
  },
};

const rendered = new Map<string, Rendered>();

/** A shape, rendered once. */
export function shape(name: keyof typeof shapes): Rendered {
  const known = rendered.get(name) ?? renderChart((shapes[name] as Shape).values);
  rendered.set(name, known);
  return known;
}

export const workloadOf = (name: keyof typeof shapes): Workload => find(shape(name).manifests, 'Deployment');

export const claimsOf = (name: keyof typeof shapes): Manifest[] =>
  shape(name).manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim');

/** The variables of a container: their values, or where they come from. */
export const variablesOf = (name: keyof typeof shapes, container: string): Record<string, unknown> =>
  variablesIn(containerOf(workloadOf(name), container));

const variablesIn = ({ env = [] }: Container) =>
  Object.fromEntries(env.map((one) => [one.name, one.value ?? one.valueFrom]));
