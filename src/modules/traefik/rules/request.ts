import { isIP } from 'node:net';
import { AppError } from '../../../kernel/errors.ts';

/** A request as Traefik sees it when it chooses a router. */
export interface Request {
  readonly method: string;
  readonly isTls: boolean;
  /** In lower case, without the port. */
  readonly host: string;
  /** That of the URL, or the usual one. */
  readonly port: number;
  /** With characters that are not reserved decoded. */
  readonly path: string;
  /** By lower-case name. Without Host, which Go keeps elsewhere. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly clientIp?: string | undefined;
}

export interface Asked {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly client_ip?: string | undefined;
}

export function requestOf({ url, method = 'GET', headers = {}, query = {}, client_ip: clientIp }: Asked): Request {
  const parsed = urlOf(url);
  if (clientIp !== undefined && isIP(clientIp) === 0)
    throw new AppError('invalid_input', `client_ip: "${clientIp.slice(0, 60)}" is not an IP address.`);
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const host = given.find(([name]) => name === 'host')?.[1] ?? parsed.host;
  return {
    method: method.toUpperCase(),
    isTls: parsed.protocol === 'https:' || parsed.protocol === 'wss:',
    host: canonicalHost(host),
    port: parsed.port === '' ? (/^(?:https|wss):/.test(parsed.protocol) ? 443 : 80) : Number(parsed.port),
    path: routingPath(parsed.pathname),
    headers: grouped(given.filter(([name]) => name !== 'host')),
    query: grouped([...queryIn(parsed.search), ...Object.entries(query)]),
    clientIp,
  };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^(?:https?|wss?):$/.test(url.protocol)) return url;
  throw new AppError(
    'invalid_input',
    `url: "${text.slice(0, 100)}" is not a URL. Write all of it: https://example.com/path?query.`,
  );
}

/** Lower case, without port and brackets. A dot at the end stays. */
function canonicalHost(host: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d*)?$/.exec(host.trim()) ?? [];
  const name = bracketed ?? host.trim().replace(/^([^:]*):[^:]*$/, '$1');
  return name.toLowerCase();
}

/** Reserved by RFC 3986, and the percent sign: they stay encoded. */
const RESERVED = new Set(Buffer.from(":/?#[]@!$&'()*+,;=%"));

/**
 * The path that rules are compared with: Traefik removes double slashes and dot segments, and decodes what is not
 * reserved. `/a%20b` is `/a b`, and `/a%2fb` is `/a%2Fb`.
 */
function routingPath(pathname: string): string {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [piece] of pathname.replace(/\/{2,}/g, '/').matchAll(/%[\da-fA-F]{2}|[^%]+|%/g)) {
    const code = piece.length === 3 && piece.startsWith('%') ? Number.parseInt(piece.slice(1), 16) : undefined;
    if (code !== undefined && !RESERVED.has(code)) bytes.push(code);
    else bytes.push(...encoder.encode(code === undefined ? piece : piece.toUpperCase()));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Parameters as Go reads them: without those that have a semicolon or a wrong encoding. */
function queryIn(search: string): [string, string][] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !pair.includes(';') && !/%(?![\da-fA-F]{2})/.test(pair))
    .flatMap((pair) => [...new URLSearchParams(pair)]);
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const [name, value] of pairs) made.set(name, [...(made.get(name) ?? []), value]);
  return made;
}
