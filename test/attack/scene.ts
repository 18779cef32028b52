import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKey, revokeKey } from '../../src/auth/keys.ts';
import type { Json } from '../../src/kernel/source.ts';
import { openStore } from '../../src/store/open.ts';
import type { KeyGrant } from '../../src/store/store.ts';
import {
  type Hostile,
  type Named,
  startBare,
  startMirror,
  startNamed,
  startTrap,
  startVault,
  type Trap,
} from '../fixtures/hostile-backends.ts';
import { listen, streamableHttp } from '../fixtures/reference/http.ts';
import { createWorld, type World } from '../fixtures/reference/world.ts';
import { serve, type ServeProcess } from '../support/serve-process.ts';
import { type Eavesdropper, startEavesdropper } from './eavesdropper.ts';
import { exchange, jsonOf, type Reply, type Wire } from './exchange.ts';
import { type IdentityProvider, startIdentityProvider, type TokenWish } from './identity-provider.ts';
import { openStack, type Services, type Stack } from './stack.ts';
import { plain, type Stage } from './stages.ts';

export const modes = ['none', 'keys', 'oauth', 'both'] as const;
export type Mode = (typeof modes)[number];

/**
 * The callers that an attack can be sent as. With keys, each is a key; with only OAuth, a token with the same scopes.
 * `narrow` may use only the tools of the server `open`; `partial` also one tool of the vault; `narrowHealth` may also
 * see health.
 */
const people = {
  owner: { scopes: ['tools:read', 'tools:execute'] },
  other: { scopes: ['tools:read', 'tools:execute'] },
  reader: { scopes: ['tools:read'] },
  health: { scopes: ['health:check'] },
  admin: { scopes: ['admin'] },
  narrow: {
    scopes: ['tools:read', 'tools:execute'],
    tools: ['open__*'],
    tokenScopes: ['open:read', 'open:write', 'open:execute'],
  },
  partial: {
    scopes: ['tools:read', 'tools:execute'],
    tools: ['open__*', 'vault__echo'],
    tokenScopes: ['open:read', 'open:write', 'open:execute'],
  },
  narrowHealth: {
    scopes: ['tools:read', 'tools:execute', 'health:check'],
    tools: ['open__*', 'gateway_*', 'get_events'],
    tokenScopes: ['open:read', 'open:write', 'open:execute'],
  },
  readOnly: { scopes: ['tools:read', 'tools:execute'], readOnly: true, tokenScopes: ['open:read', 'vault:read'] },
  source: { scopes: ['open:read'] },
  database: {
    scopes: ['postgres', 'apart'].flatMap((name) => ['read', 'write', 'execute'].map((act) => `${name}:${act}`)),
  },
  approver: { scopes: ['tools:read', 'tools:execute', 'blueprint:approve'] },
} satisfies Record<string, Partial<KeyGrant> & { scopes: string[]; tokenScopes?: string[] }>;

export type Who = keyof typeof people;

const toolsets = {
  ops: { include: ['open__*'] },
  looking: { include: ['open__*', 'vault__*'], readOnly: true },
  searching: { include: ['open__*'], expose: 'search' },
  packed: { include: ['open__*'], expose: 'compact' },
};

export const OWNER_PASSWORD = 'correct horse battery staple';

/** Texts that only certain callers may see. */
export interface Canaries {
  /** In every answer of the server `vault`. */
  readonly vault: string;
  /** A header the gateway sends to `vault`. */
  readonly header: string;
  /** A variable of the child `broken`, and what the child wrote to stderr before it died. */
  readonly env: string;
  readonly stderr: string;
  /** A key that the gateway gives to the child `careless`, which tells it. */
  readonly given: string;
}

/** The servers in this process, which all gateways share. */
export interface Surroundings extends AsyncDisposable {
  readonly canaries: Canaries;
  readonly world: World;
  readonly vault: Hostile;
  readonly bare: Hostile;
  readonly names: Named;
  readonly trap: Trap;
  readonly tlsTrap: Trap;
  readonly idp: IdentityProvider;
  readonly stack: Stack;
  /** A folder that the server `careless` may write to, and one beside it whose name begins alike. */
  readonly folders: { readonly allowed: string; readonly beside: string };
  config(mode: Mode): Json;
}

export async function startSurroundings(services: Stack = openStack()): Promise<Surroundings> {
  await using stack = new AsyncDisposableStack();
  const random = () => randomBytes(9).toString('hex');
  const canaries = {
    vault: `canary-vault-${random()}`,
    header: `canary-header-${random()}`,
    env: `canary-env-${random()}`,
    stderr: `canary-stderr-${random()}`,
    given: `sk-ant-${random()}`,
  };
  const directory = await mkdtemp(join(tmpdir(), 'sluice-attacked-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const folders = { allowed: join(directory, 'allowed'), beside: join(directory, 'allowed-not') };
  for (const folder of Object.values(folders)) await mkdir(folder);
  const world = createWorld();
  const open = await listen(streamableHttp(world, 'both'), 0);
  stack.defer(async () => {
    const closed = new Promise((resolve) => open.close(resolve));
    open.closeAllConnections();
    await closed;
  });
  const vault = stack.use(await startVault({ canary: canaries.vault }));
  const bare = stack.use(await startBare(['open__vendor', 'gateway_usage', 'find_tools']));
  const names = stack.use(await startNamed());
  const mirror = stack.use(await startMirror());
  const trap = stack.use(await startTrap());
  const tlsTrap = stack.use(await startTrap());
  const idp = stack.use(await startIdentityProvider());
  const openUrl = `http://127.0.0.1:${open.port}/mcp`;
  const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url));
  const oauth = { issuer: idp.url, console: { clientId: 'console' }, builtin: { password: OWNER_PASSWORD } };

  const mcpServers = {
    // First in the list, so that it would win if the first to offer a name got it.
    bare: { ...bare.entry, prefix: '' },
    open: { url: openUrl },
    vault: {
      ...vault.entry,
      headers: { 'X-Vault-Token': canaries.header },
      tools: { rename: { hidden: 'renamed' } },
    },
    ask: { ...vault.entry, confirm: ['write'] },
    strict: { ...vault.entry, confirm: 'human', tools: { include: ['write'] } },
    person: {
      ...mirror.entry,
      isolation: 'principal',
      headers: { 'X-Mail': '${principal.attributes.email:-none}', 'X-User': '${principal.id}' },
    },
    child: {
      command: process.execPath,
      args: [fixture('environment-server'), '--for', '${principal.attributes.email:-none}'],
      env: { WHO: '${principal.attributes.email:-none}' },
      isolation: 'principal',
    },
    names: names.entry,
    broken: {
      command: process.execPath,
      args: ['-e', `console.error(${JSON.stringify(canaries.stderr)}); process.exit(1)`],
      env: { API_TOKEN: canaries.env },
    },
    owned: { url: `http://127.0.0.1:${trap.port}/owned`, timeout: '2s' },
    careless: {
      command: process.execPath,
      args: [fixture('careless-server')],
      env: { SECRET: canaries.given },
      callTimeout: '20s',
      allowedPaths: [{ tool: 'write', argument: 'path', directories: [folders.allowed] }],
    },
  };
  const owned = stack.move();
  return {
    canaries,
    world,
    vault,
    bare,
    names,
    trap,
    tlsTrap,
    idp,
    stack: services,
    folders,
    config: (mode) => ({
      server: { allowedOrigins: ['https://app.example.com'] },
      auth: { mode, ...((mode === 'oauth' || mode === 'both') && { oauth }) },
      mcpServers,
      toolsets,
      // It would ask npm for n8n's packages.
      nodes: { build: 'manual' },
      gateway: {
        routes: [{ tool: 'open__echo', when: { text: 'to the vault*' }, to: 'vault' }],
      },
    }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A running gateway in one mode, and everything that can be sent to it. */
export interface Scene extends AsyncDisposable {
  readonly mode: Mode;
  readonly url: string;
  readonly around: Surroundings;
  readonly gateway: ServeProcess;
  readonly hasKeys: boolean;
  readonly hasTokens: boolean;
  /** The services of its stage that this run has. */
  readonly services: Partial<Services>;
  /** The second replica, in a stage that has one, and somebody on the line to the first. */
  readonly second: ServeProcess | undefined;
  readonly eavesdropper: Eavesdropper | undefined;
  /** A caller's credential for that path, as a header; empty if none is required. */
  as(who: Who, path?: string): readonly (readonly [string, string])[];
  /** The text of a caller's credential. */
  credential(who: Who | 'revoked' | 'expired'): string;
  /** A token of the identity provider, by default for this gateway. */
  token(wish?: TokenWish, path?: string): Promise<string>;
  /** Sends a request, each time from another address; to the first replica, unless another is named. */
  send(wire: Wire, to?: { readonly url: string }): Promise<Reply>;
  /** Calls an MCP method like an honest client, and returns its result. */
  call(who: Who, method: string, params: object, path?: string): Promise<Record<string, unknown>>;
  /** Aborted once nothing more may be sent. */
  readonly signal: AbortSignal;
  /** How many requests were sent so far. */
  sent(): number;
  /** Stops the gateway and starts it again with the same home. */
  restart(change?: (config: Record<string, unknown>) => object): Promise<void>;
  /** Starts the gateway again if an attack has ended it. */
  revive(): Promise<void>;
  /** Values that attacks of one class keep for others, by name. */
  readonly kept: Map<string, string>;
}

/** `signal` ends it: nothing more is sent, and what waits for an answer waits no longer. */
export async function startScene(
  mode: Mode,
  around: Surroundings,
  stage: Stage = plain,
  signal: AbortSignal = new AbortController().signal,
): Promise<Scene> {
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'sluice-attack-'));
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const hasKeys = mode === 'keys' || mode === 'both';
  const hasTokens = mode === 'oauth' || mode === 'both';
  const services: Partial<Services> = {};
  for (const name of stage.services)
    if (around.stack.lacks(name) === undefined) Object.assign(services, { [name]: await around.stack.get(name) });
  const credentials = hasKeys ? await makeKeys(join(directory, 'home'), stage, services) : new Map<string, string>();
  const config = { ...around.config(mode), ...stage.config(services) };
  const eavesdropper = stage.replicas > 1 ? stack.use(await startEavesdropper()) : undefined;
  const begin = async (given: object) => {
    const env = { ...stage.env, ...(eavesdropper && { SLUICE_PEER_URL: eavesdropper.url }) };
    const started = await serve(directory, given, { env });
    eavesdropper?.leadTo(started.url);
    await settled(started).catch(async (error: unknown) => {
      await stopped(started);
      throw error;
    });
    return started;
  };
  let gateway = await begin(config);
  stack.defer(() => stopped(gateway));
  const second =
    stage.replicas > 1
      ? stack.adopt(await serve(join(directory, 'second'), config, { env: stage.env }), stopped)
      : undefined;
  if (second) await settled(second);
  const token: Scene['token'] = (wish, path = '/mcp') => around.idp.sign(`${gateway.url}${path}`, wish);
  if (!hasKeys && hasTokens) await signTokens();
  const end = () => {
    for (const one of [gateway, second]) void one?.end('SIGTERM');
  };
  signal.addEventListener('abort', end);
  stack.defer(() => signal.removeEventListener('abort', end));
  signal.throwIfAborted();
  const owned = stack.move();
  let sent = 0;
  let reviving: Promise<void> | undefined;
  /** Addresses of this machine, if it has all of 127.0.0.0/8. */
  const from = (wanted = `127.${1 + (sent >> 16)}.${(sent >> 8) & 255}.${sent & 255}`) =>
    process.platform === 'linux' ? wanted : undefined;

  /** After a restart, the port, and with it the audience, may differ. */
  async function signTokens(): Promise<void> {
    for (const [who, grant] of Object.entries(people)) {
      const scopes = 'tokenScopes' in grant ? grant.tokenScopes : grant.scopes;
      const claims = { sub: who, email: `${who}@example.com`, scope: scopes.join(' ') };
      credentials.set(who, await token({ claims }));
      // Each toolset is a resource of its own, and a token is valid for one.
      for (const name of Object.keys(toolsets)) {
        credentials.set(`${who} /mcp/${name}`, await token({ claims }, `/mcp/${name}`));
      }
    }
  }

  async function startAgain(given: object): Promise<void> {
    gateway = await begin(given);
    if (!hasKeys && hasTokens) await signTokens();
  }

  const scene: Scene = {
    mode,
    get url() {
      return gateway.url;
    },
    get gateway() {
      return gateway;
    },
    around,
    hasKeys,
    hasTokens,
    services,
    second,
    eavesdropper,
    kept: new Map(),
    as(who, path = '/mcp') {
      if (mode === 'none') return [];
      const toolset = /^\/mcp\/\w+/.exec(path)?.[0];
      const own = toolset === undefined ? undefined : credentials.get(`${who} ${toolset}`);
      return [['Authorization', `Bearer ${own ?? scene.credential(who)}`]];
    },
    credential(who) {
      const known = credentials.get(who);
      if (known === undefined) throw new Error(`In the mode ${mode} there is no credential for ${who}.`);
      return known;
    },
    token,
    signal,
    async send(wire, to = gateway) {
      signal.throwIfAborted();
      sent++;
      return await exchange(to.url, wire, from(wire.from));
    },
    async call(who, method, params, path = '/mcp') {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const reply = await scene.send({ path, headers: scene.as(who, path), body, patience: PATIENCE_MS });
      const result = jsonOf(reply)?.result;
      if (typeof result !== 'object') throw new Error(`${method} as ${who} was answered: ${reply.text.slice(0, 1000)}`);
      return result as Record<string, unknown>;
    },
    sent: () => sent,
    async restart(change = (same) => same) {
      await gateway.end('SIGTERM');
      await startAgain(change(structuredClone(config)));
    },
    async revive() {
      if (isRunning(gateway.pid)) return;
      // Several attacks at once may notice that it has ended.
      reviving ??= startAgain(config).finally(() => {
        reviving = undefined;
      });
      await reviving;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return scene;
}

const PATIENCE_MS = 60_000;

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Write straight into the store before the gateway opens it: `sluice keys create` would take a process for each. */
async function makeKeys(
  home: string,
  { env, replicas }: Stage,
  { postgres }: Partial<Services>,
): Promise<Map<string, string>> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const settings =
    replicas > 1 && postgres
      ? { kind: 'postgres' as const, url: postgres.url, connections: 4 }
      : { kind: 'sqlite' as const };
  await using store = await openStore({ home, version: '0', settings, env });
  const createdAt = new Date().toISOString();
  const make = async (name: string, grant: Omit<KeyGrant, 'name' | 'createdAt' | 'createdBy'>) =>
    createKey(store.keys, { ...grant, name, createdAt, createdBy: 'attack' });
  const made = new Map<string, string>();
  for (const [who, given] of Object.entries(people)) {
    const { tokenScopes: _, ...grant } = { tokenScopes: [], ...given };
    made.set(who, (await make(who, grant)).key);
  }
  made.set('expired', (await make('expired', { scopes: ['admin'], expiresAt: new Date(0).toISOString() })).key);
  const revoked = await make('revoked', { scopes: ['admin'] });
  await revokeKey(store.keys, revoked.id, new Date());
  made.set('revoked', revoked.key);
  return made;
}

const STOP_MS = 10_000;

/** It stops its own processes, unless an attack has made it deaf. */
async function stopped(gateway: ServeProcess): Promise<void> {
  await Promise.race([gateway.end('SIGTERM'), delay(STOP_MS, undefined, { ref: false })]);
  await gateway[Symbol.asyncDispose]();
}

async function settled({ pid, url, output }: ServeProcess): Promise<void> {
  for (;;) {
    const { status } = await exchange(url, { method: 'GET', path: '/ready' });
    if (status === 200) return;
    if (!isRunning(pid)) throw new Error(`The gateway ended before it was ready:\n${output()}`);
    await delay(50);
  }
}
