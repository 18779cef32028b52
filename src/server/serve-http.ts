import type { EventsApi } from '../events/open.ts';
import type { GatewayApi } from '../gateway/open.ts';
import { openAttachment } from '../host/attach.ts';
import type { Check } from '../host/check.ts';
import { socketPath } from '../host/home.ts';
import type { Log } from '../host/log/log.ts';
import type { Route } from '../kernel/route.ts';
import { createClosing } from './closing.ts';
import type { Shared } from '../kernel/shared.ts';
import type { BufferedEventLog } from '../store/event-log.ts';
import type { BoundInternal } from './internal-listener.ts';
import type { Listening } from './listening.ts';
import { openProtection, type Protected, type Protection } from './protection.ts';
import { type RunningServer, startServer } from './server.ts';
import { createStopping, type Stopping } from './stopping.ts';

/** The gateway to serve, with its parts open. */
export interface Served extends Omit<Protected, 'auth' | 'gateway' | 'telemetry'> {
  readonly apis: Pick<Protected, 'auth' | 'telemetry'> & { readonly gateway: GatewayApi; readonly events: EventsApi };
  readonly home: string;
  readonly version: string;
  readonly routes: readonly Route[];
  readonly log: Log | undefined;
  readonly shared: Shared;
  readonly events: Pick<BufferedEventLog, 'backlog'>;
  isSettled(): boolean;
  served(sessions: () => number): void;
  check(signal: AbortSignal): AsyncIterable<Check>;
}

export interface HttpServing extends AsyncDisposable {
  readonly server: RunningServer;
  readonly protection: Protection;
  /** Where services call without a key, if that is enabled. */
  readonly internal: string | undefined;
  /** Whether this process receives the commands of this home; false while another gateway of the home does. */
  takesCommands(): boolean;
  /** Before it is disposed: lets calls end, and other replicas take over. */
  readonly stopping: Stopping;
}

/** Serves a gateway over HTTP, on the internal listener, and on the socket for the commands of this user. */
export async function serveHttp(
  runtime: Served,
  bound: { listening: Listening; internally?: BoundInternal | undefined },
): Promise<HttpServing> {
  const { apis, version, isSettled, server: settings } = runtime;
  const closing = createClosing(apis.gateway.service);
  const gateway = { ...apis.gateway, service: closing.service };
  await using stack = new AsyncDisposableStack();
  const protection = stack.use(await openProtection({ ...apis, server: settings, url: runtime.url }));
  const rest = { gateway };
  const peering = await openReplica();
  if (peering) stack.use(peering);
  const stopping = createStopping({
    closing,
    drainMs: peering?.drainMs ?? (() => settings().drain ?? 0),
    handOver: peering?.drain,
  });
  const server = stack.use(
    await startServer({
      service: gateway.service,
      closing: closing.hasBegun,
      version,
      peers: peering?.forwarding,
      guard: { ...protection.guard, forwarded: peering?.forwarding.forwarded },
      port: bound.listening,
      ready: isSettled,
      unready: () => (stopping.isStopping() ? 'stopping' : peering?.unready()),
      storeTrouble,
      routes: runtime.routes,
      rest,
      extra: protection.extra,
      insufficient: protection.insufficient,
      security: protection.security,
    }),
  );
  protection.onRevoked(server.dismiss);
  runtime.served(server.sessions);
  const internal = bound.internally && (await openInternally(bound.internally));
  if (internal) stack.use(internal);
  const attachment = stack.use(
    await openAttachment(socketPath(runtime.home), gateway.service, {
      events: apis.events.feed,
      doctor: (_, signal) => examined(runtime, server.url, signal),
    }),
  );

  function storeTrouble() {
    if (runtime.shared.cutOffSince() !== undefined) return 'cut off';
    return runtime.events.backlog().failing ? 'not writable' : undefined;
  }

  async function openReplica() {
    const { shared } = runtime;
    if (!shared.peers) return undefined;
    const { openPeering } = await import('./peering.ts');
    const { url, acceptNoMore } = bound.listening;
    return openPeering({ peers: shared.peers, shared, settings, url, report: gateway.report, acceptNoMore });
  }

  async function openInternally(early: BoundInternal) {
    const { openInternalListener } = await import('./internal-listener.ts');
    const warn = (line: string) => runtime.log?.write('warn', line);
    return openInternalListener({ version, settings, ready: isSettled, rest, warn }, early);
  }

  const owned = stack.move();
  return {
    server,
    protection,
    internal: internal?.at,
    takesCommands: attachment.isOurs,
    stopping,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What `sluice doctor` shows of a running gateway, as lines. */
async function* examined({ version, check }: Served, url: string, signal: AbortSignal): AsyncGenerator<string> {
  const detail = `version ${version} runs at ${url} (process ${process.pid}); the checks ran there, nothing was started`;
  yield `${JSON.stringify({ check: 'gateway', result: 'ok', detail })}\n`;
  for await (const found of check(signal)) yield `${JSON.stringify(found)}\n`;
}
