import type { IncomingMessage, ServerResponse } from 'node:http';
import { localOwner, type Principal } from '../kernel/principal.ts';
import { sendJson } from '../wire/http-reply.ts';

export interface AdmitSettings {
  host: string;
  publicUrl?: string;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function isLoopback(host: string): boolean {
  return loopback.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip'];

/** Who may talk to us at all: the right host, the right origin, and nobody from outside while there is no authentication. */
export function createAdmission(
  settings: () => AdmitSettings,
): (request: IncomingMessage, response: ServerResponse) => Principal | undefined {
  return (request, response) => {
    const { host, publicUrl, allowedHosts, allowedOrigins } = settings();
    const refuse = (status: number, message: string): undefined => {
      request.resume();
      sendJson(response, status, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }));
    };
    const asked = hostname(request.headers.host);
    const own = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
    const known =
      asked !== undefined && (isLoopback(asked) || asked === host || asked === own || allowedHosts.includes(asked));
    if (!known)
      return refuse(403, `Forbidden: the Host ${asked ?? '(none)'} is not one of ours. Add it to server.allowedHosts.`);
    const { origin } = request.headers;
    if (origin !== undefined) {
      const from = originHost(origin);
      const sameSite = from !== undefined && (isLoopback(from) || from === own);
      if (!sameSite && !allowedOrigins.includes(origin))
        return refuse(403, `Forbidden: the Origin ${origin} is not allowed. Add it to server.allowedOrigins.`);
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, MCP-Protocol-Version');
      response.setHeader('vary', 'Origin');
    }
    if (forwarding.some((name) => request.headers[name] !== undefined)) {
      return refuse(
        403,
        'Forbidden: the request came through a proxy, and there is no authentication. Connect directly; serving behind a proxy needs authentication.',
      );
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(204, {
        'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
        'access-control-allow-headers':
          request.headers['access-control-request-headers'] ??
          'content-type, authorization, mcp-session-id, mcp-protocol-version',
        'access-control-max-age': '600',
      });
      response.end();
      return undefined;
    }
    return localOwner;
  };
}

function hostname(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^(\[[^\]]+\]|[^:]*)(?::\d+)?$/.exec(header.trim().toLowerCase())?.[1];
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).hostname;
  } catch {
    return undefined;
  }
}
