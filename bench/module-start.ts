/** A gateway with every module configured and none reachable, beside one without modules. */
import http from 'node:http';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { known } from '../src/modules/known.ts';
import { freePort } from '../test/support/free-port.ts';
import { everyModule } from '../test/support/every-module.ts';
import { connect } from './client.ts';
import { type Running, start } from './process.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));
const STARTS = 9;
const SETTLE_MS = 700;
const READY_MS = 30_000;

export interface Serve extends AsyncDisposable {
  readonly running: Running;
  readonly url: URL;
  /** From the start of the process to the first 200 of /ready. */
  readonly readyMs: number;
}

/** Starts the shipped command, and waits until it is ready. */
export async function startServe(home: string, config: object, flags: readonly string[] = []): Promise<Serve> {
  await writeFile(join(home, 'sluice.json'), JSON.stringify(config));
  const port = await freePort();
  const began = performance.now();
  const running = start([...flags, bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)], home, {
    SLUICE_HOME: home,
    SLUICE_CACHE: home,
  });
  try {
    await untilReady(running, port);
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw error;
  }
  const readyMs = performance.now() - began;
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  return { running, url, readyMs, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

async function untilReady(running: Running, port: number): Promise<void> {
  let end: Error | undefined;
  void running.ended.then((reason) => (end = reason));
  for (const until = performance.now() + READY_MS; performance.now() < until; await delay(2)) {
    if (end) throw end;
    if (await isReady(port)) return;
  }
  throw new Error(`Not ready within ${READY_MS / 1000} s.`);
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/ready', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('error', () => resolve(false));
  });
}

interface Sample {
  readyMs: number;
  rss: number;
}

export interface StartFigures {
  modules: string[];
  without: Sample[];
  all: Sample[];
  /** Bytes of tools/list, whole and for each source. */
  list: { without: number; all: number; sources: Record<string, number> };
  /** Files that `serve` loads until it is ready: our own, and those of packages. */
  loaded: { without: Loaded; all: Loaded };
}

interface Loaded {
  own: number;
  packages: number;
  /** Names of the packages. */
  names: string[];
}

export async function measureModuleStart(root: string, say: (line: string) => void): Promise<StartFigures> {
  const modules = [...known.keys()].filter((name) => Object.hasOwn(everyModule, name));
  const sections = Object.fromEntries(modules.map((name) => [name, everyModule[name]]));
  const configs = { without: {}, all: { modules: sections } };
  const samples: Record<keyof typeof configs, Sample[]> = { without: [], all: [] };
  // The first start of each fills the cache of compiled code.
  for (let n = 0; n <= STARTS; n++)
    for (const which of n % 2 === 0 ? (['without', 'all'] as const) : (['all', 'without'] as const)) {
      say(`modules: start ${n}/${STARTS}, ${which === 'all' ? 'every module' : 'no module'}`);
      const home = await mkdtemp(join(root, 'start-'));
      await using serve = await startServe(home, configs[which]);
      await delay(SETTLE_MS);
      if (n > 0) samples[which].push({ readyMs: serve.readyMs, rss: serve.running.rss() });
    }
  say('modules: size of tools/list, and what is loaded');
  const without = await listBytes(root, configs.without);
  const all = await listBytes(root, configs.all);
  const sources = modules.map((name) => {
    const own = [...all.tools].filter(([tool]) => ['list', 'call', 'read'].some((verb) => tool === `${name}_${verb}`));
    return [name, own.reduce((sum, [, bytes]) => sum + bytes, 0)] as const;
  });
  // A module without tools is not listed.
  const listed = sources.filter(([, bytes]) => bytes > 0);
  return {
    modules,
    ...samples,
    list: { without: without.bytes, all: all.bytes, sources: Object.fromEntries(listed) },
    loaded: { without: await loadedBy(root, configs.without), all: await loadedBy(root, configs.all) },
  };
}

async function listBytes(root: string, config: object): Promise<{ bytes: number; tools: Map<string, number> }> {
  await using serve = await startServe(await mkdtemp(join(root, 'list-')), config);
  const agent = new http.Agent({ keepAlive: true });
  const client = await connect('modern', serve.url, agent);
  const tools: { name: string }[] = [];
  let cursor: unknown;
  do {
    const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...(result.tools as typeof tools));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  agent.destroy();
  return {
    bytes: Buffer.byteLength(JSON.stringify(tools)),
    // With the comma that follows it.
    tools: new Map(tools.map((tool) => [tool.name, Buffer.byteLength(JSON.stringify(tool)) + 1])),
  };
}

const noting = (file: string) => `
import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(${JSON.stringify(file)}, url + '\\n');
    return next(url, context);
  },
});
`;

async function loadedBy(root: string, config: object): Promise<Loaded> {
  const home = await mkdtemp(join(root, 'loaded-'));
  const [list, hook] = [join(home, 'list'), join(home, 'hook.mjs')];
  await writeFile(list, '');
  await writeFile(hook, noting(list));
  {
    await using _ = await startServe(home, config, ['--import', pathToFileURL(hook).href]);
    await delay(SETTLE_MS);
  }
  const files = [...new Set((await readFile(list, 'utf8')).trim().split('\n'))];
  const packaged = files.filter((file) => file.includes('/node_modules/'));
  const names = packaged.map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '');
  return {
    own: files.filter((file) => file.includes('/src/') && !file.includes('/node_modules/')).length,
    packages: packaged.length,
    names: [...new Set(names)].sort(),
  };
}
