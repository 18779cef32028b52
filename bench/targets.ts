import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey } from '../src/auth/keys.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';
import type { Era } from './client.ts';
import { type PeerName, peers, seedHub } from './peers.ts';

/** How many backends and tools are behind a target. */
export interface Setup {
  backends: number;
  /** Per backend. */
  tools: number;
}

/** What a target is started with. */
interface Site extends Setup {
  port: number;
  /** Fresh for every start: its home, its configuration, its output. */
  directory: string;
  /** The HTTP backend, if the target fronts one. */
  upstream: string;
  /** The program of a peer, or of another build of Sluice; empty for this one. */
  program: string;
}

interface Launch {
  args: string[];
  /** The credential of its callers, if it requires one. */
  key?: string;
  env?: Record<string, string>;
}

export interface Target {
  readonly name: string;
  readonly label: string;
  readonly eras: readonly Era[];
  /** The prefix of a backend's tool names. */
  prefix(backend: number): string;
  readonly fronts?: 'http';
  readonly peer?: PeerName;
  /** The `sluice` of another checkout, for a target that is an earlier build. */
  readonly build?: string;
  /** For orientation only, not part of a goal: a quick run skips it. */
  readonly reference?: boolean;
  /** The backends it can aggregate when 500 tools are listed. */
  readonly wide?: Setup;
  readonly ssePath?: string;
  launch(site: Site): Launch | Promise<Launch>;
}

const floors = fileURLToPath(new URL('../node_modules/.cache/sluice-bench/', import.meta.url));
const sluice = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));
export const floor = (name: string) => join(floors, `${name}.js`);

const bothEras: readonly Era[] = ['legacy', 'modern'];
const tenBackends: Setup = { backends: 10, tools: 50 };
const oneBackend: Setup = { backends: 1, tools: 500 };
const none = () => '';
const serverPrefix = (backend: number) => `b${backend}__`;

function stdioBackend(name: string, tools: number) {
  return { command: process.execPath, args: [floor('echo-stdio'), '--tools', String(tools), '--name', name] };
}

function stdioBackends({ backends, tools }: Setup) {
  const names = Array.from({ length: backends }, (_, index) => `b${index}`);
  return Object.fromEntries(names.map((name) => [name, stdioBackend(name, tools)]));
}

async function launchSluice(
  { directory, port, program }: Site,
  mcpServers: object,
  more: object = {},
): Promise<Launch> {
  const config = join(directory, 'sluice.yaml');
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ mcpServers, ...more }, null, 2));
  return {
    args: [program || sluice, 'serve', '--config', config, '--port', String(port)],
    env: { SLUICE_HOME: join(directory, 'home') },
  };
}

/** With authentication, call events and metrics on. */
async function launchGuarded(site: Site): Promise<Launch> {
  await mkdir(join(site.directory, 'home'), { mode: 0o700 });
  await using store = await openSqlite(join(site.directory, 'home', 'sluice.db'));
  const grant = { name: 'bench', scopes: ['tools:read', 'tools:execute'], createdBy: 'bench' };
  const { key } = await createKey(store.keys, { ...grant, createdAt: new Date().toISOString() });
  return { ...(await launchSluice(site, stdioBackends(site), { auth: { mode: 'keys' } })), key };
}

/** In the order of measurement: targets that are compared are next to each other. */
export const targets: readonly Target[] = [
  {
    name: 'direct',
    reference: true,
    label: 'direct HTTP',
    eras: bothEras,
    prefix: none,
    wide: oneBackend,
    launch: ({ port, tools }) => ({ args: [floor('echo-http'), '--port', String(port), '--tools', String(tools)] }),
  },
  {
    name: 'byte-proxy',
    reference: true,
    label: 'floor: bare byte proxy',
    eras: bothEras,
    prefix: none,
    fronts: 'http',
    launch: ({ port, upstream }) => ({ args: [floor('byte-proxy'), '--port', String(port), '--upstream', upstream] }),
  },
  {
    name: 'raw-http',
    label: 'floor: raw aggregator → HTTP',
    eras: bothEras,
    prefix: serverPrefix,
    fronts: 'http',
    launch: ({ port, upstream }) => ({ args: [floor('raw-http'), '--port', String(port), '--upstream', upstream] }),
  },
  {
    name: 'sluice-http',
    label: '**Sluice → HTTP**',
    eras: bothEras,
    prefix: serverPrefix,
    fronts: 'http',
    launch: (site) => launchSluice(site, { b0: { url: site.upstream } }),
  },
  {
    name: 'raw-stdio',
    label: 'floor: raw aggregator → stdio',
    eras: bothEras,
    prefix: serverPrefix,
    wide: tenBackends,
    launch: ({ port, backends, tools }) => {
      const size = ['--backends', String(backends), '--tools', String(tools)];
      return { args: [floor('raw-stdio'), '--port', String(port), '--backend', floor('echo-stdio'), ...size] };
    },
  },
  {
    name: 'sluice-stdio',
    label: '**Sluice → stdio**',
    eras: ['legacy', 'modern', 'sse'],
    prefix: serverPrefix,
    wide: tenBackends,
    ssePath: '/sse',
    launch: (site) => launchSluice(site, stdioBackends(site)),
  },
  {
    name: 'sluice-unguarded',
    label: 'Sluice → stdio, without keys, call events and metrics',
    eras: bothEras,
    prefix: serverPrefix,
    launch: (site) =>
      launchSluice(site, stdioBackends(site), { events: { calls: false }, metrics: { enabled: false } }),
  },
  {
    name: 'sluice-guarded',
    label: 'Sluice → stdio, with keys, call events and metrics',
    eras: bothEras,
    prefix: serverPrefix,
    launch: launchGuarded,
  },
  {
    name: 'mcp-proxy',
    label: `mcp-proxy ${peers['mcp-proxy'].version} → stdio`,
    eras: bothEras,
    prefix: none,
    peer: 'mcp-proxy',
    wide: oneBackend,
    launch: ({ program, port, tools }) => {
      const { command, args } = stdioBackend('b0', tools);
      return { args: [program, '--host', '127.0.0.1', '--port', String(port), '--', command, ...args] };
    },
  },
  {
    name: 'mcp-hub',
    reference: true,
    label: `mcp-hub ${peers['mcp-hub'].version} → stdio`,
    // Despite its name, its /mcp is an HTTP+SSE endpoint.
    eras: ['sse'],
    prefix: serverPrefix,
    peer: 'mcp-hub',
    wide: tenBackends,
    ssePath: '/mcp',
    launch: async (site) => {
      const config = join(site.directory, 'mcp-hub.json');
      await writeFile(config, JSON.stringify({ mcpServers: stdioBackends(site) }));
      const args = [site.program, '--port', String(site.port), '--config', config];
      return { args, env: await seedHub(site.directory) };
    },
  },
  {
    name: 'sdk-v1',
    reference: true,
    label: 'SDK v1 server alone',
    eras: ['legacy'],
    prefix: none,
    wide: oneBackend,
    launch: ({ port, tools }) => ({ args: [floor('sdk-v1'), '--port', String(port), '--tools', String(tools)] }),
  },
  {
    name: 'sdk-v2',
    reference: true,
    label: 'SDK v2 server alone',
    eras: bothEras,
    prefix: none,
    wide: oneBackend,
    launch: ({ port, tools }) => ({ args: [floor('sdk-v2'), '--port', String(port), '--tools', String(tools)] }),
  },
];

/** Another checkout's build, measured in the same rounds. Without keys, which would need a store that both can read. */
export function besideBuild(checkout: string, chosen: readonly Target[]): Target[] {
  const build = join(resolve(checkout), 'bin', 'sluice.js');
  return chosen.flatMap((target) =>
    compared.includes(target.name)
      ? [{ ...target, name: buildName(target.name), label: `${target.label}, other build`, build }, target]
      : [target],
  );
}

/** The targets that are compared with another build. */
export const compared: readonly string[] = ['sluice-http', 'sluice-stdio'];
export const buildName = (name: string) => `${name}-build`;
