import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogins } from './login/open.ts';
import { homeDirectory } from './host/home.ts';
import type { LoginDeps } from './cli/login.ts';
import type { Env } from './host/part.ts';
import { applyPresets } from './gateway/config/presets.ts';
import { serverSchema } from './gateway/config/server-entry.ts';
import { publicLookup } from './wire/url-guard.ts';
import { transportFor } from './gateway/backends/principal-template.ts';
import type { BackendSettings } from './gateway/settings.ts';
import { readsAs, signInTarget } from './gateway/backends/sign-in.ts';
import { AppError } from './kernel/errors.ts';
import { probe } from './login/probe.ts';
import { type Config, loadOrFail } from './runtime.ts';
import { createEventLog } from './store/event-log.ts';
import { openSqlite } from './store/sqlite.ts';
import type { Store } from './store/store.ts';
import { own } from './kernel/own.ts';

/** For `sluice login`: works whether or not a gateway runs. */
export function loginDeps(env: Env): LoginDeps {
  const home = homeDirectory(env);
  return {
    async open(server, file) {
      const loaded = await loadOrFail({ home, cwd: process.cwd(), env, ...(file !== undefined && { file }) });
      const { config, env: whole, claims } = loaded;
      const { servers } = await applyPresets(config, { claims, env: whole, cwd: process.cwd() });
      await mkdir(home, { recursive: true, mode: 0o700 });
      await using stack = new AsyncDisposableStack();
      const store = stack.use(await openSqlite(join(home, 'sluice.db')));
      const events = stack.use(createEventLog(store.events));
      const logins = stack.use(await openLogins({ store, events, url: () => undefined }));
      const settings = own(servers, server) ?? (await addedServer(store, server, config));
      const target = settings && signInTarget(server, settings);
      if (!settings) throw new AppError('not_found', `There is no server ${server}. ${knownServers(servers)}`);
      const { transport } = settings;
      if (!target || transport.kind === 'stdio') {
        throw new AppError(
          'conflict',
          `${server} is not signed in to: it is a program, has its secret in "headers", or says "oauth: false".`,
        );
      }
      const account = logins.account(target, readsAs);
      const { kind, url } = transport;
      const { headers } = transportFor(transport, readsAs, true) as typeof transport;
      const guard = settings.allowInternal ? {} : { lookup: publicLookup };
      const owned = stack.move();
      return {
        account,
        probe: () => probe({ kind, url, headers, ...guard }),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
    },
    openBrowser: (url) => openBrowser(url, env),
  };
}

async function addedServer(store: Store, name: string, { gateway }: Config): Promise<BackendSettings | undefined> {
  const added = (await store.servers.list()).find((server) => server.name === name);
  const parsed = added && serverSchema.safeParse(added.config);
  return parsed?.success ? { ...parsed.data, allowInternal: gateway.allowInternalUrls } : undefined;
}

function knownServers(servers: Readonly<Record<string, BackendSettings>>): string {
  const names = Object.entries(servers).flatMap(([name, { transport }]) => (transport.kind === 'stdio' ? [] : [name]));
  return names.length > 0 ? `Those with a URL are ${names.join(', ')}.` : 'No server with a URL is configured.';
}

/** Whether a browser could be asked to open a page. */
function openBrowser(url: string, env: Env): Promise<boolean> {
  const commands: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [command = 'xdg-open', ...args] = commands[process.platform] ?? [];
  if (command === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
