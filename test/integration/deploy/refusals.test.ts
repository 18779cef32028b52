/** What the Helm chart refuses, and what it says then. */
import { describe, expect, test } from 'vitest';
import { refusalOf, rendererIsMissing, renderChart, type Values } from '../../support/kubernetes/helm.ts';

const sidecar = { mode: 'sidecar' };
const postgres = { store: { existingSecret: 'store' } };
const gateway = { enabled: true, parentRefs: [{ name: 'gateway' }] };

const refused: [string, Values, RegExp][] = [
  ['a mode that does not exist', { mode: 'side-car' }, /mode is "side-car"\. Set it to standalone .* or sidecar/],
  ['replicas on SQLite', { replicas: 2 }, /replicas is 2, but Sluice stores its data in SQLite.*store\.existingSecret/],
  [
    'an autoscaler on SQLite',
    { autoscaling: { enabled: true, maxReplicas: 4 } },
    /autoscaling\.maxReplicas is 4, but Sluice stores its data in SQLite/,
  ],
  ['replicas without a secret key', { ...postgres, replicas: 2 }, /secretKey is not set.*openssl rand -hex 32/],
  ['PostgreSQL without a secret key', postgres, /secretKey is not set, and every new pod would make a key/],
  [
    'an autoscaler with its bounds reversed',
    { ...postgres, secretKey: { existingSecret: 'key' }, autoscaling: { enabled: true, minReplicas: 9 } },
    /minReplicas is 9, but maxReplicas is 5/,
  ],
  ['no authentication', { config: { auth: { mode: 'none' } } }, /config\.auth\.mode is none\. .*keys, oauth or both/],
  ['signing in without an address', { config: { auth: { mode: 'both' } } }, /Set publicUrl/],
  [
    'a sidecar without authentication',
    { ...sidecar, mcp: { auth: { enabled: false } } },
    /mcp\.auth\.enabled is false\. Then everybody .*kubectl create secret generic mcp-auth-token --namespace prod/s,
  ],
  ['a sidecar without a Secret', { ...sidecar, mcp: { auth: { secretName: '' } } }, /mcp\.auth\.secretName is empty/],
  ['several n8n', { ...sidecar, replicas: 2 }, /n8n runs once/],
  ['the other token in a sidecar', { ...sidecar, token: { existingSecret: 'x' } }, /mcp\.auth\.secretName/],
  [
    'an n8n that would forget its key',
    { ...sidecar, app: { persistence: { enabled: false } } },
    /could not read its credentials\. Set app\.encryptionKey\.existingSecret/,
  ],
  [
    'another port of n8n',
    { ...sidecar, app: { env: { N8N_PORT: 80 } } },
    /app\.env\.N8N_PORT is 80\..*app\.service\.port/,
  ],
  ['a sidecar on PostgreSQL without a key', { ...sidecar, ...postgres }, /secretKey is not set/],
  ['a short token', { token: { value: 'short' } }, /token\.value has fewer than 16 characters/],
  [
    'a short token of a sidecar',
    { ...sidecar, mcp: { auth: { token: 'short' } } },
    /mcp\.auth\.token has fewer than 16/,
  ],
  ['a short key', { ...postgres, secretKey: { value: 'short' } }, /secretKey\.value has fewer than 32 characters/],
  ['another database', { store: { value: 'mysql://db' } }, /store\.value is not the URL of a PostgreSQL/],
  [
    'a store in the file',
    { config: { store: 'postgres://db/sluice' } },
    /config\.store would override.*store\.existingSecret/,
  ],
  [
    'an address in the file',
    { config: { server: { port: 80 } } },
    /config\.server\.port would override.*service\.port/,
  ],
  [
    'a secret in the file',
    { config: { mcpServers: { a: { url: 'https://a', headers: { Authorization: 'Bearer abc' } } } } },
    /config\.mcpServers\.a\.headers\.Authorization holds a secret.*\$\{NAME\}/,
  ],
  [
    'a password in a list in the file',
    { config: { events: { webhooks: [{ client_secret: 'x' }] } } },
    /config\.events\.webhooks\.0\.client_secret holds a secret/,
  ],
  [
    'a password in a URL in the file',
    { config: { modules: { redis: { url: 'redis://:pass@redis:6379' } } } },
    /config\.modules\.redis\.url holds a secret/,
  ],
  [
    'Prometheus without a key',
    { metrics: { serviceMonitor: { enabled: true } }, networkPolicy: { enabled: false } },
    /Prometheus has no key\..*health:check/,
  ],
  [
    'an Ingress that the policy keeps out',
    { ingress: { enabled: true, hosts: ['a.example.com'] }, httpRoute: gateway },
    /ingress, httpRoute is enabled, but the NetworkPolicy would keep it out\. .*networkPolicy\.extraFrom/,
  ],
  ['an Ingress without hosts', { ingress: { enabled: true } }, /ingress\.hosts is empty/],
  ['a route without a gateway', { httpRoute: { enabled: true } }, /httpRoute\.parentRefs is empty/],
  [
    'an Ingress of n8n without hosts',
    { ...sidecar, app: { ingress: { enabled: true } } },
    /app\.ingress\.hosts is empty/,
  ],
];

/** Found by the schema of the values, as Helm does before it renders. */
const misspelled: [Values, RegExp][] = [
  [{ replica: 2 }, /replica/],
  [{ replicas: '2' }, /\/replicas must be integer/],
  [{ replicas: 0 }, /\/replicas must be >= 1/],
  [{ mode: 'side-car' }, /\/mode must be equal to one of the allowed values.*sidecar/],
  [{ mcp: { discovery: { method: 'hook' } } }, /\/mcp\/discovery\/method.*shared-volume/],
  [{ mcp: { discovery: { refreshInterval: 30 } } }, /\/mcp\/discovery\/refreshInterval must be string/],
  [{ mcp: { auth: { secret: 'x' } } }, /\/mcp\/auth .*secret/],
  [{ image: { tag: 1.2 } }, /\/image\/tag must be string/],
  [{ publicUrl: 'mcp.example.com' }, /\/publicUrl must match/],
  [{ networkPolicy: { ark: { pods: [{}] } } }, /\/networkPolicy\/ark\/pods\/0/],
  [{ networkPolicy: { extraFrom: [{ namespaceselector: {} }] } }, /namespaceselector/],
  [{ ingress: { hosts: ['https://a.example.com'] } }, /\/ingress\/hosts\/0/],
  [{ store: { existingSecret: 'Not A Name' } }, /\/store\/existingSecret/],
  [{ terminationGracePeriodSeconds: 5 }, /\/terminationGracePeriodSeconds must be >= 20/],
];

describe.skipIf(rendererIsMissing)('the Helm chart refuses', () => {
  test.each(refused)('%s', (_, values, reason) => {
    expect(refusalOf(values)).toMatch(reason);
  });

  test.each(misspelled)('%j', (values, reason) => {
    expect(() => renderChart(values)).toThrow(reason);
  });

  test('everything at once', () => {
    const reason = refusalOf({ replicas: 2, config: { auth: { mode: 'none' }, store: 'x' } });
    for (const part of ['SQLite', 'secretKey', 'auth.mode is none', 'config.store']) expect(reason).toContain(part);
    // The values themselves may be secrets.
    expect(
      refusalOf({ config: { auth: { token: 'a-token-in-clear' } }, secretKey: { value: 'tiny-key' } }),
    ).not.toMatch(/a-token-in-clear|tiny-key/);
  });

  test('nothing that is not a secret', () => {
    const config = {
      auth: { oauth: { issuer: 'https://issuer.example.com' }, token: '${TOKEN}' },
      n8n: {
        default: { url: 'http://n8n:5678', apiKey: '${N8N_API_KEY}', owner: { email: 'a@b.c', password: '${P}' } },
      },
      modules: { redis: { url: 'redis://user:${REDIS_PASSWORD}@redis:6379' }, vault: { token: '' } },
      mcpServers: { a: { url: 'https://a.example.com:8443/@me', headers: { Authorization: 'Bearer ${A}' } } },
    };
    expect(refusalOf({ config })).toBe('');
  });
});
