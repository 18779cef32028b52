import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Gateways of others, at the versions their figures are known for. */
export const peers = {
  'mcp-hub': { version: '4.2.1', bin: 'dist/cli.js' },
  'mcp-proxy': { version: '6.7.19', bin: 'dist/bin/mcp-proxy.mjs' },
} as const;

export type PeerName = keyof typeof peers;

export type Peer = { state: 'installed'; program: string } | { state: 'not available'; reason: string };

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sluice', 'bench');

/** The program of a peer, installed with npm on first use and kept outside the checkout. */
export async function installPeer(name: PeerName, say: (line: string) => void): Promise<Peer> {
  const { version, bin } = peers[name];
  const home = join(cache, `${name}-${version}`);
  const program = join(home, 'node_modules', name, bin);
  if (existsSync(program)) return { state: 'installed', program };
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  say(`installing ${name} ${version}, once, into ${home}`);
  const ticker = setInterval(() => say(`installing ${name} ${version}: ${seconds()}`), 5_000);
  try {
    await mkdir(cache, { recursive: true });
    // Installed beside its place and then moved there: an interrupted install is never taken for a whole one.
    const partial = await mkdtemp(join(cache, 'partial-'));
    try {
      await install(`${name}@${version}`, partial);
      await rename(partial, home);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    say(`installed ${name} ${version} in ${seconds()}`);
    return { state: 'installed', program };
  } catch (error) {
    return { state: 'not available', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(ticker);
  }
}

async function install(spec: string, directory: string): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n');
  // --prefix, because under `npm run` the environment points npm at this checkout.
  const args = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', spec];
  const npm = spawn('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  let problems = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
  const [code] = await once(npm, 'close');
  if (code === 0) return;
  const reason = /^npm error code (.+)$/m.exec(problems)?.[1] ?? `exit code ${code}`;
  throw new Error(`npm install ${spec} failed with ${reason}; it needs the package registry once.`);
}

/** mcp-hub fetches a catalogue from the Internet before it serves; a fresh copy on disk keeps it on this machine. */
export async function seedHub(home: string): Promise<Record<string, string>> {
  const data = join(home, 'data');
  await mkdir(join(data, 'mcp-hub', 'cache'), { recursive: true });
  const servers = [{ id: 'none', name: 'none', description: 'Keeps the catalogue from being empty.' }];
  const registry = { registry: { servers }, lastFetchedAt: Date.now(), serverDocumentation: {} };
  await writeFile(join(data, 'mcp-hub', 'cache', 'registry.json'), JSON.stringify(registry));
  return { XDG_DATA_HOME: data, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: join(home, 'config') };
}
