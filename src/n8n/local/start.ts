import { messageOf } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import type { Env } from '../../host/part.ts';
import type { Terminal } from '../../host/terminal.ts';
import { checkedN8n, PINNED_N8N } from '../../nodes/which-n8n.ts';
import type { ConnectedN8n } from '../connected.ts';
import { localN8n, type N8nConfig, type N8nHost } from '../settings.ts';
import { keepN8n, type KeepOptions } from './keep.ts';
import { localHealth } from './health.ts';
import { awaitLocal } from './local.ts';
import { instancePlaces } from './places.ts';
import { showProgress, stateLine } from './progress.ts';
import type { LocalState } from './state.ts';

/** The settings of a local n8n. */
export interface LocalSettings extends Pick<KeepOptions, 'port' | 'postgres' | 'extra'> {
  readonly version: string;
  readonly env: KeepOptions['env'];
}

/** The file overrides the environment, which overrides the defaults. */
export function localSettings(config: Pick<N8nConfig, 'n8n'>, env: Env, name: string): LocalSettings {
  const { version, port, database, env: extra } = localN8n.parse(own(config.n8n, name)?.local ?? {});
  return {
    version: version ?? checkedN8n(env.SLUICE_N8N_VERSION || PINNED_N8N),
    env,
    postgres: database === 'postgres',
    extra,
    ...(port !== undefined && { port }),
  };
}

/**
 * `serve --with-n8n`: starts the local n8n beside the gateway, which does not wait for it. If `sluice n8n up` already runs
 * one, it is used and left running. Otherwise n8n ends with the gateway.
 */
export function startLocalN8n(
  host: N8nHost,
  terminal: Terminal,
  n8n: Pick<ConnectedN8n, 'connect' | 'localIs'>,
  hookFile: KeepOptions['hookFile'],
): AsyncDisposable {
  const stopping = new AbortController();
  const name = 'default';
  const show = (state: LocalState) => n8n.localIs(localHealth(state));
  const tell = (told: { state: 'preparing' } | { state: 'failed'; reason: string }) =>
    show({
      pid: process.pid,
      keptBy: 'gateway',
      version: PINNED_N8N,
      restarts: 0,
      since: new Date().toISOString(),
      ...told,
    });
  tell({ state: 'preparing' });

  const connect = () => {
    n8n.connect().then(
      () => terminal.say('n8n is connected: its tools are listed.'),
      (error: unknown) => terminal.say(`n8n could not be connected: ${messageOf(error)}`),
    );
  };

  async function bringUp(): Promise<AsyncDisposable | undefined> {
    const settings = localSettings(host.settings(), host.env, name);
    const kept = await keepN8n({
      ...settings,
      home: host.home,
      ...(hookFile && { hookFile }),
      name,
      cache: host.cache,
      keptBy: 'gateway',
      onProgress: showProgress(terminal, settings.version),
      onState(state) {
        show(state);
        const line = stateLine(state);
        if (line !== undefined) terminal.say(line);
      },
      onReady: connect,
    });
    if (!kept) {
      const running = await awaitLocal(instancePlaces(host.home, name), {
        signal: stopping.signal,
        onState: show,
      });
      terminal.say(`n8n is ready at ${running.url}; it was already running and stays when the gateway ends`);
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
