import { mkdir } from 'node:fs/promises';
import { duplexPair } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { cacheDirectory, homeDirectory } from './host/home.ts';
import { loadConfig, schemesOf } from './host/config/load.ts';
import type { AnyPart, Env } from './host/part.ts';
import type { GatewayOptions, Place, StartedGateway } from './host/place.ts';
import { migrationsOf } from './host/runtime.ts';
import type { Terminal } from './host/terminal.ts';
import type { CommandEntry } from './kernel/command.ts';
import { toAppError } from './kernel/errors.ts';
import { localOwner } from './kernel/principal.ts';
import { parts } from './parts.ts';
import { type Config, load, type Runtime, startRuntime } from './runtime.ts';
import { openStore } from './store/open.ts';
import { version } from './version.ts';
import { serveStream } from './wire/stream.ts';

export type WholePlace = Place<Config, Runtime['apis']>;

/** Every command, in the order in which `--help` lists them: what serves comes first. */
export const commands: ReadonlyMap<string, CommandEntry<WholePlace>> = new Map(
  Object.values<AnyPart>(parts)
    .toReversed()
    .flatMap((part) => Object.entries(part.commands ?? {}) as [string, CommandEntry<WholePlace>][]),
);

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

export function placeOf(env: Env, terminal: Terminal, cwd: string = process.cwd()): WholePlace {
  const home = homeDirectory(env);
  const here = { home, cwd, env };
  const place: WholePlace = {
    ...here,
    cache: cacheDirectory(env),
    version,
    terminal,
    self: { command: process.execPath, args: [bin] },
    ownNames: () =>
      Object.values<AnyPart>(parts)
        .flatMap((part) => part.claims?.({}) ?? [])
        .filter(({ yields }) => !yields)
        .map(({ name }) => name),
    load: (file, flags) => load({ ...here, ...(file !== undefined && { file }), ...(flags && { flags }) }),
    async store(file) {
      const { place: where, options } = await place.whichStore(file);
      await mkdir(home, { recursive: true, mode: 0o700 });
      return openStore(where, options);
    },
    async whichStore(file) {
      const asked = { ...here, ...(file !== undefined && { file }), only: ['store'], schemes: schemesOf(parts) };
      const { config, env: given } = await loadConfig({ store: parts.store }, asked);
      return {
        place: { home, version, settings: config.store, env: given },
        options: { migrations: migrationsOf(parts) },
      };
    },
    start: (options, loaded) => startRuntime({ ...here, ...options }, loaded),
    gateway: (options) => startGateway(place, options),
  };
  return place;
}

async function startGateway(
  place: WholePlace,
  { file, expose, toolset, tool, signal }: GatewayOptions,
): Promise<StartedGateway> {
  const loaded = await place.load(file);
  await using stack = new AsyncDisposableStack();
  const runtime = stack.use(await place.start(file === undefined ? {} : { file }, loaded));
  const { registry, service } = runtime.apis.gateway;
  await Promise.race([
    runtime.settled,
    ...(tool === undefined ? [] : [untilListed(registry, tool)]),
    ...(signal ? [untilAborted(signal)] : []),
  ]);
  const [near, far] = duplexPair();
  const view = { ...(expose && { expose }), ...(toolset !== undefined && { toolset }) };
  serveStream({ input: far, output: far, service, principal: localOwner, view, id: 'command' });
  const owned = stack.move();
  return { stream: near, checks: runtime.check, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Settles as soon as the tool is listed, though other servers are still starting. */
function untilListed(registry: Runtime['apis']['gateway']['registry'], tool: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!registry.find(tool)) return;
      stop();
      resolve();
    };
    const stop = registry.onChange(look);
    look();
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(toAppError(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
