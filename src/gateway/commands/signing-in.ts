import type { Place } from '../../host/place.ts';
import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import type { Account } from '../../login/account.ts';
import { openLogins } from '../../login/open.ts';
import { probe, type Probed } from '../../login/probe.ts';
import { createEventLog } from '../../store/event-log.ts';
import type { Store } from '../../store/store.ts';
import { publicLookup } from '../../wire/url-guard.ts';
import { transportFor } from '../backends/principal-template.ts';
import { readsAs, signInTarget } from '../backends/sign-in.ts';
import { applyPresets } from '../config/presets.ts';
import { serverSchema } from '../config/server-entry.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { BackendSettings } from '../settings.ts';

/** The login at one server. */
export interface SigningIn extends AsyncDisposable {
  readonly account: Account;
  /** How the server answers without a login. */
  probe(): Promise<Probed>;
}

/** Works whether or not a gateway runs. */
export async function openSigningIn(
  place: Place<GatewayConfig>,
  server: string,
  file: string | undefined,
): Promise<SigningIn> {
  const { config, env, claims } = await place.load(file);
  const { servers } = await applyPresets(config, { claims, env, cwd: place.cwd });
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await place.store(file));
  const events = stack.use(createEventLog(store.events));
  const logins = stack.use(await openLogins({ store, events, url: () => undefined }));
  const settings = own(servers, server) ?? (await addedServer(store, server, config));
  const target = settings && signInTarget(server, settings);
  if (!settings) throw new AppError('not_found', `There is no server ${server}. ${knownServers(servers)}`);
  const { transport } = settings;
  if (!target || transport.kind === 'stdio') {
    throw new AppError(
      'conflict',
      `${server} needs no sign-in: it is a program, has its secret in "headers", or says "oauth: false".`,
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
}

async function addedServer(
  store: Store,
  name: string,
  { gateway }: GatewayConfig,
): Promise<BackendSettings | undefined> {
  const added = (await store.servers.list()).find((server) => server.name === name);
  const parsed = added && serverSchema.safeParse(added.config);
  return parsed?.success ? { ...parsed.data, allowInternal: gateway.allowInternalUrls } : undefined;
}

function knownServers(servers: Readonly<Record<string, BackendSettings>>): string {
  const names = Object.entries(servers).flatMap(([name, { transport }]) => (transport.kind === 'stdio' ? [] : [name]));
  return names.length > 0 ? `The servers with a URL are ${names.join(', ')}.` : 'No server with a URL is configured.';
}
