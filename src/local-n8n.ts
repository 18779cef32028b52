import { fileURLToPath } from 'node:url';
import { writeLocalHook } from './bridge-hook.ts';
import { homeDirectory } from './host/home.ts';
import type { LocalSettings, N8nDeps } from './cli/n8n.ts';
import { showProgress, stateLine } from './cli/n8n-progress.ts';
import type { Terminal } from './cli/terminal.ts';
import type { Env } from './host/config/load.ts';
import { localN8n } from './n8n/local/settings.ts';
import { messageOf } from './kernel/errors.ts';
import { makeHook } from './hook-command.ts';
import { keepN8n } from './n8n/local/keep.ts';
import { awaitLocal } from './n8n/local/local.ts';
import type { LocalState } from './n8n/local/state.ts';
import { cacheDirectory, checkedVersion, instancePlaces, PINNED_VERSION } from './n8n/local/places.ts';
import { loadOrFail, type RuntimeOptions } from './runtime.ts';
import { own } from './kernel/own.ts';

const bin = fileURLToPath(new URL('../bin/sluice.js', import.meta.url));

/** As the file says, else the environment, else as we know it best. */
async function settingsOf(options: RuntimeOptions, name: string): Promise<LocalSettings> {
  const { config, env } = await loadOrFail(options);
  const { version, port, database, env: extra } = localN8n.parse(own(config.n8n, name)?.local ?? {});
  return {
    version: version ?? checkedVersion(env.SLUICE_N8N_VERSION || PINNED_VERSION),
    env,
    postgres: database === 'postgres',
    extra,
    hookFile: writeLocalHook,
    ...(port !== undefined && { port }),
  };
}

export function n8nDeps(env: Env): N8nDeps {
  const home = homeDirectory(env);
  return {
    home,
    cache: cacheDirectory(env),
    settings: (name, file) => settingsOf({ home, cwd: process.cwd(), env, ...(file !== undefined && { file }) }, name),
    self: { command: process.execPath, args: [bin], env },
    hook: ({ instance, url, file }) =>
      makeHook({ home, cwd: process.cwd(), env, ...(file !== undefined && { file }) }, instance, url),
  };
}

/**
 * `serve --with-n8n`: brings the local n8n up beside the gateway, which does not wait for it. One that runs already, by
 * `sluice n8n up`, is used and left running; ours ends with us.
 */
export function startLocalN8n(
  options: RuntimeOptions,
  terminal: Terminal,
  onReady: () => Promise<void>,
  onState: (state: LocalState) => void,
): AsyncDisposable {
  const stopping = new AbortController();
  const name = 'default';
  const tell = (told: { state: 'preparing' } | { state: 'failed'; reason: string }) =>
    onState({
      pid: process.pid,
      keptBy: 'gateway',
      version: PINNED_VERSION,
      restarts: 0,
      since: new Date().toISOString(),
      ...told,
    });
  tell({ state: 'preparing' });

  const connect = () => {
    onReady().then(
      () => terminal.say('n8n is connected: its tools are listed.'),
      (error: unknown) => terminal.say(`n8n could not be connected: ${messageOf(error)}`),
    );
  };

  async function bringUp(): Promise<AsyncDisposable | undefined> {
    const settings = await settingsOf(options, name);
    const kept = await keepN8n({
      ...settings,
      home: options.home,
      name,
      cache: cacheDirectory(options.env),
      keptBy: 'gateway',
      onProgress: showProgress(terminal, settings.version),
      onState(state) {
        onState(state);
        const line = stateLine(state);
        if (line !== undefined) terminal.say(line);
      },
      onReady: connect,
    });
    if (!kept) {
      const running = await awaitLocal(instancePlaces(options.home, name), { signal: stopping.signal, onState });
      terminal.say(`n8n is ready at ${running.url}; it was running already, and stays when the gateway ends`);
      connect();
    }
    return kept;
  }

  const brought = bringUp().catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    terminal.say(`n8n could not be started: ${messageOf(error)}`);
    tell({ state: 'failed', reason: messageOf(error) });
    return undefined;
  });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await (await brought)?.[Symbol.asyncDispose]();
    },
  };
}
