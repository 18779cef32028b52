import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Other people's gateways, and another node catalogue, pinned to the versions we publish figures for. */
export const peers = {
  'mcp-hub': { version: '4.2.1', bin: 'dist/cli.js' },
  'mcp-proxy': { version: '6.7.19', bin: 'dist/bin/mcp-proxy.mjs' },
  // Without its native module it falls back to a slower one without full-text search, which would be unfair.
  // That module, at the version it asks for, aborts the process on Node 24.19 and newer when a statement is collected.
  'n8n-mcp': { version: '2.87.0', bin: 'dist/mcp/stdio-wrapper.js', compiled: 'better-sqlite3', node: '22.23.3' },
} as const;

export type PeerName = keyof typeof peers;

export type Peer =
  | { state: 'installed'; program: string /** The Node to run it with. */; node: string }
  | { state: 'not available'; reason: string };

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice', 'bench');

/** The program of a peer, installed with npm on first use and kept outside the checkout. */
export async function installPeer(name: PeerName, say: (line: string) => void): Promise<Peer> {
  const peer: { version: string; bin: string; compiled?: string; node?: string } = peers[name];
  const { version, bin, compiled } = peer;
  const home = join(cache, [name, version, ...(peer.node === undefined ? [] : ['node', peer.node])].join('-'));
  const program = join(home, 'node_modules', name, bin);
  const node = peer.node === undefined ? process.execPath : join(home, 'node_modules', ownNode, 'bin', 'node');
  if (existsSync(program)) return { state: 'installed', program, node };
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  say(`installing ${name} ${version}, once, into ${home}`);
  const ticker = setInterval(() => say(`installing ${name} ${version}: ${seconds()}`), 5_000);
  try {
    await mkdir(cache, { recursive: true });
    // Install beside the final place and then move it there, so that an interrupted install never looks complete.
    const partial = await mkdtemp(join(cache, 'partial-'));
    try {
      const own = peer.node === undefined ? [] : [`${ownNode}@${peer.node}`];
      await npm(['install', ...own, '--ignore-scripts', '--save-exact', `${name}@${version}`], partial);
      if (compiled !== undefined) await npm(['rebuild', compiled, '--ignore-scripts=false'], partial);
      await rename(partial, home);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    say(`installed ${name} ${version} in ${seconds()}`);
    return { state: 'installed', program, node };
  } catch (error) {
    return { state: 'not available', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(ticker);
  }
}

/** A Node with the headers that native modules need to compile. */
const ownNode = `node-linux-${process.arch}`;

async function npm(words: readonly string[], directory: string): Promise<void> {
  const manifest = join(directory, 'package.json');
  if (!existsSync(manifest)) await writeFile(manifest, '{ "private": true }\n');
  // --prefix, because under `npm run` the environment points npm at this checkout.
  const args = [...words, '--prefix', directory, '--no-audit', '--no-fund'];
  const nodedir = join(directory, 'node_modules', ownNode);
  const own = existsSync(nodedir) && {
    npm_config_nodedir: nodedir,
    // The compiler's scripts ask the first `node` on the PATH which version to compile for.
    PATH: [join(nodedir, 'bin'), process.env.PATH].join(delimiter),
  };
  const env = { ...process.env, ...own };
  const child = spawn('npm', args, { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let problems = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const reason = /^npm error code (.+)$/m.exec(problems)?.[1] ?? `exit code ${code}`;
  throw new Error(`npm ${words.join(' ')} failed with ${reason}; it needs the package registry once.`);
}

/** mcp-hub downloads a catalogue before it serves; a fresh copy on disk keeps it offline. */
export async function seedHub(home: string): Promise<Record<string, string>> {
  const data = join(home, 'data');
  await mkdir(join(data, 'mcp-hub', 'cache'), { recursive: true });
  const servers = [{ id: 'none', name: 'none', description: 'Keeps the catalogue from being empty.' }];
  const registry = { registry: { servers }, lastFetchedAt: Date.now(), serverDocumentation: {} };
  await writeFile(join(data, 'mcp-hub', 'cache', 'registry.json'), JSON.stringify(registry));
  return { XDG_DATA_HOME: data, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: join(home, 'config') };
}

/** Keeps n8n-mcp from writing to the stream that carries MCP, and from reporting its queries. */
export const quietPeer = {
  MCP_MODE: 'stdio',
  LOG_LEVEL: 'error',
  DISABLE_CONSOLE_OUTPUT: 'true',
  N8N_MCP_TELEMETRY_DISABLED: 'true',
};
