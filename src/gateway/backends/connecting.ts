import type { LookupFunction } from 'node:net';
import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { CallContext, Json } from '../../kernel/source.ts';
import { childEnvironment } from '../../wire/child.ts';
import type { Credentials } from '../../wire/credentials.ts';
import { refusesLegacy } from '../../wire/handshake.ts';
import { openHttpLink } from '../../wire/http-link.ts';
import { openSseLink } from '../../wire/sse-link.ts';
import { openStdioLink } from '../../wire/stdio-link.ts';
import { Upstream, type UpstreamOptions } from '../../wire/upstream.ts';
import { atBorder } from '../border.ts';
import type { BackendSettings } from '../settings.ts';
import type { Lane } from './lane.ts';
import type { GivenSecrets } from './given-secrets.ts';
import type { Offer } from './offer.ts';
import { transportFor } from './principal-template.ts';
import { readsAs, type SignIn, signInTarget } from './sign-in.ts';

type Links = Pick<UpstreamOptions, 'open' | 'openFallback'>;

/** How to open one connection. */
export interface Way {
  links: Links;
  client: UpstreamOptions['client'];
  session: string | undefined;
  lane(): Lane;
  /** A 2025 connection beside one of 2026, for 2025 clients. */
  isCompanion?: boolean;
}

/** Opens connections to one server, in the era that it speaks. */
export function createConnecting(options: {
  server: string;
  settings(): BackendSettings;
  /** The environment children inherit from. */
  environment: NodeJS.ProcessEnv;
  /** Resolves names to public addresses only. */
  publicLookup: LookupFunction;
  signIn(): SignIn | undefined;
  offer: Offer;
  given: GivenSecrets;
  redact(text: string): string;
  failed(error: AppError): void;
  notified(method: string, params: Json, lane: Lane): void;
  /** A server's request that belongs to no call. */
  ask(session: string | undefined, method: string, params: Json | undefined): ReturnType<CallContext['ask']>;
  noise(): void;
  /** What its processes write to stderr. */
  heard(text: string): void;
}) {
  const { offer, given } = options;

  async function connect(
    { links, client, session, lane, isCompanion }: Way,
    signal: AbortSignal,
    era = offer.knownLegacy() ? ('legacy' as const) : undefined,
  ): Promise<Upstream> {
    let upstream: Upstream | undefined;
    upstream = await Upstream.connect({
      ...atBorder(links),
      client,
      timeoutMs: options.settings().timeout,
      signal,
      ...(era && { prior: era }),
      events: {
        notification: (method, params) => {
          // The lane's own connection gets list and resource changes too, and handles them.
          if (!isCompanion || method.startsWith('notifications/tasks')) options.notified(method, params, lane());
        },
        ask: (method, params) => options.ask(session, method, params),
        noise: options.noise,
        closed: (error) => {
          const told = new AppError(error.code, options.redact(error.message), { cause: error.cause });
          if (upstream) lane().lost(upstream, told);
        },
      },
    });
    return upstream;
  }

  /** Connects in 2025 to a server that speaks 2026; undefined if it does not speak both. */
  async function connectLegacy(way: Way, signal: AbortSignal): Promise<Upstream | undefined> {
    if (offer.catalogue()?.era !== 'modern' || offer.speaksLegacy() === false) return undefined;
    const { open } = way.links;
    const upstream = await connect({ ...way, links: { open } }, signal, 'legacy').catch((error: unknown) => {
      const cause = toAppError(error);
      if (refusesLegacy(cause)) return undefined;
      const told = new AppError(cause.code, `Its 2025 protocol cannot be used: ${messageOf(error)}`, { cause });
      if (!signal.aborted) options.failed(told);
      throw error;
    });
    const spoken = upstream?.canAsk === true;
    offer.learnLegacy(spoken);
    if (spoken) return upstream;
    await upstream?.close();
    return undefined;
  }

  /** Links to the server, at one of its URLs if it has several: for one caller, or for everybody. */
  function links(principal: Principal | undefined, at: string | undefined): Links {
    const settings = options.settings();
    const transport = transportFor(settings.transport, principal ?? readsAs, principal === undefined);
    given.addTransport(transport);
    if (transport.kind === 'stdio') {
      const env = childEnvironment(transport.env, options.environment);
      return { open: (events) => openStdioLink({ ...transport, env }, events, options.heard) };
    }
    const guard = settings.allowInternal ? {} : { lookup: options.publicLookup };
    const place = signInTarget(options.server, settings);
    const credentials = place && options.signIn()?.credentials(place, principal ?? readsAs);
    const target = {
      url: new URL(at ?? transport.url),
      headers: transport.headers,
      ...(credentials && { credentials: noted(credentials, given) }),
      ...guard,
    };
    if (transport.kind === 'sse') return { open: (events, signal) => openSseLink(target, events, signal) };
    return {
      open: async (events) => openHttpLink(target, events),
      openFallback: (events, signal) => openSseLink(target, events, signal),
    };
  }

  return { connect: (way: Way, signal: AbortSignal) => connect(way, signal), connectLegacy, links };
}

/** The same credentials; what they give to the server is remembered. */
function noted(credentials: Credentials, given: GivenSecrets): Credentials {
  const note = <H extends Readonly<Record<string, string>>>(headers: H): H => {
    given.addHeaders(headers);
    return headers;
  };
  return {
    headers() {
      const headers = credentials.headers();
      return headers instanceof Promise ? headers.then(note) : note(headers);
    },
    refused: (...asked) => credentials.refused(...asked),
  };
}
