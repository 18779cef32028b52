/**
 * A Vault for tests. With TEST_VAULT_URL and TEST_VAULT_TOKEN (a root token of a server in dev mode) it is a real Vault or
 * OpenBao; otherwise a fake in this process, written from Vault's API documentation (KV v1 and v2, /sys/health,
 * /sys/seal-status, /sys/mounts, /sys/internal/ui/mounts, /sys/policies/acl, /sys/capabilities-self, /auth/token, AppRole,
 * Kubernetes). Suites set both up through the API, so the fake refuses what Vault would refuse.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Engine, kvOne, kvTwo, ok, refuse, type Reply } from './vault/kv-engine.ts';
import { capabilitiesAt, defaultPolicy, type Policy, policyBody, touches } from './vault/policy.ts';

const { TEST_VAULT_URL: realUrl, TEST_VAULT_TOKEN: realToken } = process.env;

/** Whether the suite runs against a real server: then nothing can be made to fail. */
export const isRealVault = realUrl !== undefined;

export interface Sent {
  readonly method: string;
  /** Below /v1, decoded. */
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** Answers instead of the fake. */
export type Fault = (sent: Sent, response: ServerResponse) => boolean;

export interface TestVault extends AsyncDisposable {
  readonly url: string;
  /** The root token. */
  readonly root: string;
  /** Asks the API with the root token. Returns `data`, or `auth` of a login. Throws what is refused. */
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** A token with one policy: capabilities by path. */
  token(capabilities: Readonly<Record<string, readonly string[]>>, more?: object): Promise<string>;
}

export interface FakeVault extends TestVault {
  /** All that was sent to it. */
  readonly sent: readonly Sent[];
  /** Lets time pass for tokens. */
  advance(seconds: number): void;
  seal(sealed: boolean): void;
  fail(fault: Fault | undefined): void;
}

interface Token {
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly renewable: boolean;
  readonly ttl: number;
  readonly path: string;
  until: number;
}

interface Mount {
  readonly type: string;
  readonly description: string;
  readonly options: { version: string } | null;
  readonly engine: Engine | undefined;
}

/** The policy with a token: by the API, so that it works with a real server. */
async function tokenOf(vault: Pick<TestVault, 'api'>, capabilities: object, more: object): Promise<string> {
  const name = `test-${randomUUID()}`;
  const path = Object.fromEntries(Object.entries(capabilities).map(([at, list]) => [at, { capabilities: list }]));
  await vault.api('PUT', `sys/policies/acl/${name}`, { policy: JSON.stringify({ path }) });
  const { client_token } = await vault.api('POST', 'auth/token/create', { policies: [name], ...more });
  return String(client_token);
}

const answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  auth: z.record(z.string(), z.unknown()).nullish(),
});

function apiAt(url: string, root: string, namespace?: string): TestVault['api'] {
  const ask: TestVault['api'] = async (method, path, body) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': root, ...(namespace !== undefined && { 'x-vault-namespace': namespace }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // A real one prepares a new engine in the background.
    if (response.status === 400 && text.includes('Upgrading from non-versioned')) {
      await delay(100);
      return await ask(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const { data, auth } = answer.parse(text === '' ? {} : JSON.parse(text));
    return auth ?? data ?? {};
  };
  return ask;
}

/** The server of a suite that needs no faults. */
export async function startVault(): Promise<TestVault> {
  if (realUrl === undefined) return await startFakeVault();
  const api = apiAt(realUrl, realToken ?? '');
  return {
    url: realUrl,
    root: realToken ?? '',
    api,
    token: (capabilities, more = {}) => tokenOf({ api }, capabilities, more),
    async [Symbol.asyncDispose]() {},
  };
}

export async function startFakeVault({
  namespace,
  port = 0,
}: {
  namespace?: string;
  port?: number;
} = {}): Promise<FakeVault> {
  const root = `hvs.${randomUUID()}`;
  const sent: Sent[] = [];
  const tokens = new Map<string, Token>();
  const policies = new Map<string, Policy>([['default', defaultPolicy]]);
  const roles = new Map<string, { roleId: string; secretIds: Set<string>; ttl: number; policies: string[] }>();
  const mounts = new Map<string, Mount>([
    ['cubbyhole/', { type: 'cubbyhole', description: 'per-token private storage', options: null, engine: undefined }],
    ['sys/', { type: 'system', description: 'system endpoints', options: null, engine: undefined }],
  ]);
  const authMounts = new Map<string, string>();
  let passed = 0;
  let sealed = false;
  let fault: Fault | undefined;
  const now = () => Date.now() + passed;

  function issue(given: Pick<Token, 'policies' | 'ttl' | 'path'> & { renewable?: boolean | undefined }) {
    const { policies: names, ttl, path, renewable = true } = given;
    const token = `hvs.${randomUUID()}`;
    const until = ttl === 0 ? Number.POSITIVE_INFINITY : now() + ttl * 1000;
    const all = [...new Set(['default', ...names])].sort();
    tokens.set(token, { accessor: randomUUID(), policies: all, renewable, ttl, path, until });
    return granted(token, tokens.get(token) as Token);
  }

  const granted = (token: string, { accessor, policies: names, ttl, renewable }: Token): Reply => ({
    status: 200,
    body: {
      request_id: 'fake',
      data: null,
      auth: { client_token: token, accessor, policies: names, lease_duration: ttl, renewable },
    },
  });

  const rulesOf = (token: string): readonly Policy[] | 'all' =>
    token === root ? 'all' : (tokens.get(token)?.policies ?? []).flatMap((name) => policies.get(name) ?? []);

  const may = (token: string, capability: string, path: string): boolean => {
    const rules = rulesOf(token);
    return rules === 'all' || capabilitiesAt(rules, path).includes(capability);
  };

  const reaches = (token: string, mount: string): boolean => {
    const rules = rulesOf(token);
    return rules === 'all' || touches(rules, mount);
  };

  const described = ({ engine: _, ...rest }: Mount) => ({ ...rest, accessor: 'kv_fake', local: false });

  const mountOf = (path: string) => [...mounts].find(([mount]) => `${path}/`.startsWith(mount));

  /** What Vault tells everybody. */
  function openly({ method, path, body }: Sent, query: URLSearchParams): Reply | undefined {
    if (method === 'GET' && path === 'sys/health') {
      const usual = sealed ? 503 : 200;
      const status = sealed ? Number(query.get('sealedcode') ?? usual) : usual;
      const health = { initialized: true, sealed, standby: false, version: '1.17.2', cluster_name: 'fake' };
      return { status, body: health };
    }
    if (method === 'GET' && path === 'sys/seal-status')
      return { status: 200, body: { type: 'shamir', initialized: true, sealed, t: 3, n: 5, progress: 0 } };
    if (sealed) return refuse(503, 'Vault is sealed');
    const [, mount, method_] = /^auth\/(.+)\/(login)$/.exec(path) ?? [];
    if (method_ === undefined || method !== 'POST') return undefined;
    if (authMounts.get(`${mount}/`) === 'approle') return appRoleLogin(body);
    if (authMounts.get(`${mount}/`) === 'kubernetes') {
      const given = z.strictObject({ role: z.string(), jwt: z.string() }).safeParse(body);
      const role = given.data && roles.get(`kubernetes ${given.data.role}`);
      if (!role || !role.secretIds.has(given.data?.jwt ?? '')) return refuse(403, 'permission denied');
      return issue({ policies: role.policies, ttl: role.ttl, path });
    }
    return refuse(403, 'permission denied');
  }

  function appRoleLogin(body: unknown): Reply {
    const given = z.strictObject({ role_id: z.string(), secret_id: z.string().optional() }).safeParse(body);
    if (!given.success) return refuse(400, 'missing role_id');
    const role = [...roles.values()].find(({ roleId }) => roleId === given.data.role_id);
    if (!role || !role.secretIds.has(given.data.secret_id ?? '')) return refuse(400, 'invalid role or secret ID');
    return issue({ policies: role.policies, ttl: role.ttl, path: 'auth/approle/login' });
  }

  function system({ method, path, body }: Sent, token: string): Reply | undefined {
    if (method === 'GET' && path === 'sys/internal/ui/mounts') {
      const seen = [...mounts].filter(([mount]) => reaches(token, mount));
      return ok({ auth: {}, secret: Object.fromEntries(seen.map(([mount, one]) => [mount, described(one)])) });
    }
    if (method === 'GET' && path.startsWith('sys/internal/ui/mounts/')) {
      const found = mountOf(path.slice('sys/internal/ui/mounts/'.length));
      if (found && reaches(token, found[0])) return ok({ path: found[0], ...described(found[1]) });
      const at = found?.[0] ?? path.slice('sys/internal/ui/mounts/'.length);
      return refuse(
        403,
        `preflight capability check returned 403, please ensure client's policies grant access to path "${at}"`,
      );
    }
    if (!path.startsWith('sys/') && !path.startsWith('auth/')) return undefined;
    const capability = { GET: 'read', LIST: 'list', DELETE: 'delete' }[method] ?? 'update';
    if (!may(token, capability, path)) return refuse(403, '1 error occurred:\n\t* permission denied\n\n');
    if (path === 'auth/token/lookup-self' && method === 'GET') return lookedUp(token);
    if (path === 'auth/token/renew-self' && method === 'POST') return renewed(token);
    if (path === 'sys/capabilities-self' && method === 'POST') {
      const { paths } = z.strictObject({ paths: z.array(z.string()).min(1) }).parse(body);
      const rules = rulesOf(token);
      const each = paths.map((one) => [one, rules === 'all' ? ['root'] : capabilitiesAt(rules, one)] as const);
      return ok({ ...Object.fromEntries(each), capabilities: each[0]?.[1] });
    }
    return administered(method, path, body);
  }

  /** What suites set up. */
  function administered(method: string, path: string, body: unknown): Reply {
    if (path === 'sys/mounts' && method === 'GET')
      return ok(Object.fromEntries([...mounts].map(([mount, one]) => [mount, described(one)])));
    const [, mount] = /^sys\/mounts\/(.+)$/.exec(path) ?? [];
    if (mount !== undefined && method === 'POST') {
      const given = z
        .strictObject({
          type: z.string(),
          description: z.string().default(''),
          options: z.strictObject({ version: z.string() }).optional(),
        })
        .parse(body);
      const kv = given.options?.version === '2' ? kvTwo() : kvOne();
      const options = given.options ?? null;
      mounts.set(`${mount}/`, { ...given, options, engine: given.type === 'kv' ? kv : undefined });
      return { status: 204 };
    }
    const [, policy] = /^sys\/policies\/acl\/(.+)$/.exec(path) ?? [];
    if (policy !== undefined && method === 'PUT') {
      policies.set(policy, policyBody.parse(JSON.parse(z.object({ policy: z.string() }).parse(body).policy)));
      return { status: 204 };
    }
    const [, auth] = /^sys\/auth\/(.+)$/.exec(path) ?? [];
    if (auth !== undefined && method === 'POST') {
      authMounts.set(`${auth}/`, z.object({ type: z.string() }).parse(body).type);
      return { status: 204 };
    }
    if (path === 'auth/token/create' && method === 'POST') {
      const given = z
        .strictObject({ policies: z.array(z.string()), ttl: z.string().optional(), renewable: z.boolean().optional() })
        .parse(body);
      const ttl = Number.parseInt(given.ttl ?? '2764800', 10);
      return issue({ policies: given.policies, ttl, renewable: given.renewable, path });
    }
    if (path === 'auth/token/revoke' && method === 'POST') {
      tokens.delete(z.strictObject({ token: z.string() }).parse(body).token);
      return { status: 204 };
    }
    const [, at, name, what] = /^auth\/([^/]+)\/role\/([^/]+)(?:\/(role-id|secret-id))?$/.exec(path) ?? [];
    const kind = at === undefined ? undefined : authMounts.get(`${at}/`);
    return kind === undefined
      ? refuse(404, `no handler for route "${path}". route entry not found.`)
      : role(kind, String(name), what, body);
  }

  function role(kind: string, name: string, what: string | undefined, body: unknown): Reply {
    const key = kind === 'kubernetes' ? `kubernetes ${name}` : name;
    if (what === undefined) {
      const given = z
        .object({
          token_policies: z.array(z.string()),
          token_ttl: z.string(),
          bound_service_account_names: z.array(z.string()).default([]),
        })
        .parse(body);
      // The fake takes the name of a service account for its token.
      const secretIds = new Set(given.bound_service_account_names);
      roles.set(key, {
        roleId: randomUUID(),
        secretIds,
        ttl: Number.parseInt(given.token_ttl, 10),
        policies: given.token_policies,
      });
      return { status: 204 };
    }
    const found = roles.get(key);
    if (!found) return refuse(404);
    if (what === 'role-id') return ok({ role_id: found.roleId });
    const secret_id = randomUUID();
    found.secretIds.add(secret_id);
    return ok({ secret_id, secret_id_accessor: randomUUID() });
  }

  function lookedUp(id: string): Reply {
    if (id === root)
      return ok({
        id,
        accessor: 'root',
        policies: ['root'],
        ttl: 0,
        path: 'auth/token/root',
        type: 'service',
        orphan: true,
        display_name: 'root',
        num_uses: 0,
        expire_time: null,
      });
    const { until, ...token } = tokens.get(id) as Token;
    const { accessor, policies: names, renewable, path } = token;
    return ok({
      id,
      accessor,
      policies: names,
      renewable,
      path,
      ttl: Math.round((until - now()) / 1000),
      creation_ttl: token.ttl,
      type: 'service',
      orphan: false,
      display_name: 'token',
      num_uses: 0,
      expire_time: new Date(until).toISOString(),
    });
  }

  function renewed(id: string): Reply {
    const token = tokens.get(id);
    if (!token?.renewable) return refuse(400, 'lease is not renewable');
    token.until = now() + token.ttl * 1000;
    return granted(id, token);
  }

  function secrets(request: Sent, query: URLSearchParams, token: string, contentType: string | undefined): Reply {
    const { method, path, body } = request;
    const found = mountOf(path);
    const engine = found?.[1].engine;
    const below = path.slice(found?.[0].length ?? 0);
    const writes = engine?.exists(below) ? 'update' : 'create';
    const capability = { GET: 'read', LIST: 'list', DELETE: 'delete', PATCH: 'patch' }[method] ?? writes;
    if (!may(token, capability, path)) return refuse(403, '1 error occurred:\n\t* permission denied\n\n');
    if (!found) return refuse(404, `no handler for route "${path}". route entry not found.`);
    if (!engine) return refuse(405, 'unsupported operation');
    return engine.answer({ method, path: below, query, body, contentType });
  }

  async function replyTo(incoming: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
    const url = new URL(incoming.url ?? '', 'http://vault');
    const token = one(incoming.headers['x-vault-token']);
    const text = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const lists = url.searchParams.get('list') === 'true' && incoming.method === 'GET';
    const method = lists ? 'LIST' : String(incoming.method);
    const path = decodeURIComponent(url.pathname.replace(/^\/v1\//, ''));
    const request: Sent = { method, path: method === 'LIST' ? `${path.replace(/\/$/, '')}/` : path, token, body };
    sent.push(request);
    if (fault?.(request, response)) return undefined;
    if (!url.pathname.startsWith('/v1/')) return refuse(404);
    const open = openly(request, url.searchParams);
    if (open) return open;
    if (token === undefined) return refuse(400, 'missing client token');
    const known = tokens.get(token);
    const isKnown = token === root || (known !== undefined && known.until > now());
    if (!isKnown || one(incoming.headers['x-vault-namespace']) !== namespace)
      return refuse(403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n');
    return system(request, token) ?? secrets(request, url.searchParams, token, one(incoming.headers['content-type']));
  }

  const server = createServer((incoming, response) => {
    replyTo(incoming, response)
      .catch((error: unknown) => refuse(400, `the request is not as documented: ${String(error)}`))
      .then(
        (reply) => {
          if (!reply) return;
          response.writeHead(reply.status, { 'content-type': 'application/json' });
          response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
        },
        () => response.destroy(),
      );
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = apiAt(url, root, namespace);
  return {
    url,
    root,
    api,
    sent,
    token: (capabilities, more = {}) => tokenOf({ api }, capabilities, more),
    advance(seconds) {
      passed += seconds * 1000;
    },
    seal(value) {
      sealed = value;
    },
    fail(next) {
      fault = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);
