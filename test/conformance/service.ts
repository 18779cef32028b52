import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';

/** A child process that serves a URL until it is disposed of. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  /** Everything it printed. */
  readonly output: () => string;
}

export type BackendEras = 'both' | 'legacy' | 'modern';

const START_MS = 30_000;
const STOP_MS = 5000;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const packages = createRequire(import.meta.url);

export function startReference(era: BackendEras): Promise<Service> {
  const args = [here('../fixtures/reference-server.ts'), '--port', '0', '--era', era];
  return start(args, { stream: 'stderr', find: (printed) => /^listening (http:\S+)$/m.exec(printed)?.[1] });
}

/**
 * Another reference server, from its source: a program that serves both eras on the port in PORT and
 * prints its URL, as test/conformance/src/everythingServer.ts of the TypeScript SDK's repository does.
 */
export async function startForeignReference(source: string): Promise<Service> {
  const find = (printed: string) => /http:\/\/\S+\/mcp\b/.exec(printed)?.[0];
  return start([resolve(source)], { stream: 'stdout', find }, { env: { PORT: String(await freePort()) } });
}

/** The gateway as a user starts it, in its own home, with these servers. */
export async function startGateway(mcpServers: Record<string, object>): Promise<Service> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-home-'));
  const config = join(home, 'sluice.json');
  // Some scenarios call every tool and count every list: those of the servers are meant.
  await writeFile(
    config,
    JSON.stringify({ mcpServers, memory: false, graph: false, blueprints: false, projects: false }),
  );
  const args = [here('../../bin/sluice.js'), 'serve', '--config', config, '--port', '0'];
  const removeHome = () => rm(home, { recursive: true, force: true });
  try {
    const own = { cwd: home, env: { SLUICE_HOME: home } };
    const gateway = await start(args, { stream: 'stdout', find: ownUrl(mcpServers) }, own);
    await ready(gateway);
    return {
      ...gateway,
      async [Symbol.asyncDispose]() {
        await gateway[Symbol.asyncDispose]();
        await removeHome();
      },
    };
  } catch (thrown) {
    await removeHome();
    throw thrown;
  }
}

// What it prints about its servers can look like its own address.
function ownUrl(mcpServers: Record<string, object>) {
  const theirs = new Set(Object.values(mcpServers).map((server) => 'url' in server && server.url));
  return (printed: string) => printed.match(/http:\/\/127\.0\.0\.1:\d+\/mcp\b/g)?.find((url) => !theirs.has(url));
}

/** Two servers we did not write, under their own names: the measured server must not notice them. */
export const decoys = {
  everything: {
    command: process.execPath,
    args: [packages.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
  memory: {
    command: process.execPath,
    args: [packages.resolve('@modelcontextprotocol/server-memory/dist/index.js')],
    env: { MEMORY_FILE_PATH: join(tmpdir(), 'sluice-conformance-memory.jsonl') },
  },
};

interface Announcement {
  readonly stream: 'stdout' | 'stderr';
  readonly find: (printed: string) => string | undefined;
}

async function start(
  args: string[],
  announced: Announcement,
  { cwd, env }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Service> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  let output = '';
  let searched = '';
  // A run that breaks off must not leave servers behind.
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  const stop = () => end(child);
  try {
    const url = await new Promise<string>((found, failed) => {
      const timer = setTimeout(() => failed(new Error(`No URL within ${START_MS} ms:\n${output}`)), START_MS);
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          if (name === announced.stream) searched += chunk;
          const url = announced.find(searched);
          if (url === undefined) return;
          clearTimeout(timer);
          found(url);
        });
      }
      child.once('error', failed);
      child.once('exit', (code) => {
        clearTimeout(timer);
        failed(new Error(`${args.join(' ')} ended with code ${code} before it served:\n${output}`));
      });
    });
    return { url, output: () => output, [Symbol.asyncDispose]: stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timer);
}

async function ready({ url, output }: Service): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const response = await fetch(new URL('/ready', url));
    await response.body?.cancel();
    if (response.ok) return;
    await delay(50);
  }
  throw new Error(`The gateway was not ready within ${START_MS} ms:\n${output()}`);
}
