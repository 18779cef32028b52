import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../kernel/plain-http.ts';
import type { Refusal } from './admission.ts';

export interface GateSettings {
  host: string;
  publicUrl?: string;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

/** Headers that proxies, tunnels and load balancers add. A direct client sends none of them. */
const forwarding: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-remote-ip',
  'x-remote-addr',
  'x-originating-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
  'x-proxyuser-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-ray',
  'cf-visitor',
  'cdn-loop',
  'fastly-client-ip',
  'fly-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-amzn-trace-id',
  'x-nf-client-connection-ip',
]);

const forwardingPrefixes = ['x-forwarded', 'x-envoy-', 'x-vercel-', 'tailscale-'];

/** If one of these is sent twice, a proxy and we could read different values. */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'x-api-key', 'origin', 'mcp-session-id']);

/** Why a request was refused, without anything the caller sent. */
type RefusalKind = 'repeated header' | 'host' | 'proxy' | 'origin' | 'forwarding';

export type Gate = (
  request: IncomingMessage,
) => { headers: Record<string, string> } | { refusal: Refusal; kind: RefusalKind };

/** Checks every request, no matter who sends it: known host, allowed origin, nothing ambiguous. */
export function createGate(settings: () => GateSettings, authenticated: () => boolean): Gate {
  return (request) => {
    const { host, publicUrl, allowedHosts, allowedOrigins } = settings();
    const twice = repeated(request.rawHeaders);
    if (twice !== undefined) return refuse('repeated header', 400, `Bad request: ${twice} was sent twice.`);
    const asked = hostname(request.headers.host);
    const own = publicUrl === undefined ? undefined : hostOf(publicUrl);
    const known =
      asked !== undefined &&
      (isLoopback(asked) ||
        asked === host ||
        asked === own ||
        allowedHosts.includes(asked) ||
        isOwnAddress(asked, request));
    if (!known) return refuse('host', 403, `Forbidden: unknown Host ${shown(asked)}. Add it to server.allowedHosts.`);
    if (!authenticated() && cameThroughProxy(request.headers)) {
      return refuse(
        'proxy',
        403,
        'Forbidden: the request came through a proxy, but authentication is off. Connect directly, or turn authentication on: auth.mode.',
      );
    }
    const { origin } = request.headers;
    if (origin === undefined) return open;
    const from = originHost(origin);
    const sameSite = from !== undefined && (isLoopback(from) || from === own);
    if (!sameSite && !allowedOrigins.includes(origin))
      return refuse(
        'origin',
        403,
        `Forbidden: the Origin ${shown(origin)} is not allowed. Add it to server.allowedOrigins.`,
      );
    return {
      headers: {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After',
        vary: 'Origin',
        ...(request.method === 'OPTIONS' && {
          'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
          'access-control-allow-headers':
            request.headers['access-control-request-headers'] ??
            'content-type, authorization, x-api-key, mcp-session-id, mcp-protocol-version',
          'access-control-max-age': '600',
        }),
      },
    };
  };
}

const open = { headers: {} };

const hosts = new Map<string, string>();

function hostOf(url: string): string {
  let known = hosts.get(url);
  if (known === undefined) hosts.set(url, (known = new URL(url).hostname));
  return known;
}

function refuse(kind: RefusalKind, status: 400 | 403, message: string): { refusal: Refusal; kind: RefusalKind } {
  return { refusal: { status, message, headers: {} }, kind };
}

function cameThroughProxy(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) {
    if (forwarding.has(name) || forwardingPrefixes.some((prefix) => name.startsWith(prefix))) return true;
  }
  return false;
}

function repeated(rawHeaders: readonly string[]): string | undefined {
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!single.has(name)) continue;
    if (seen?.includes(name)) return name;
    (seen ??= []).push(name);
  }
  return undefined;
}

/** DNS rebinding needs a name. A Host that is the very address the client connected to cannot come from DNS. */
function isOwnAddress(asked: string, { socket }: IncomingMessage): boolean {
  const bare = asked.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 && socket.localAddress?.replace(/^::ffff:/, '') === bare;
}

function hostname(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, name, port = '0'] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(header.trim().toLowerCase()) ?? [];
  // With a larger port it would not be part of a valid URL later.
  return Number(port) < 65_536 ? name : undefined;
}

function shown(text: string | undefined): string {
  return text === undefined || text === '' ? '(none)' : text.slice(0, 100);
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).hostname;
  } catch {
    return undefined;
  }
}
