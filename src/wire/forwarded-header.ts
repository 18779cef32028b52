import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Peers } from '../kernel/shared.ts';
import type { Json } from '../kernel/source.ts';

/** Says which replica forwards a request, and for whom. */
export const FORWARDED = 'sluice-forwarded';

export interface Forwarded {
  readonly from: string;
  /** The replica that must answer. */
  readonly to: string;
  /** The address of the client, as the forwarding replica saw it. */
  readonly address: string;
  /** The digest of the body. Undefined from a replica of an older version. */
  readonly body: string | undefined;
}

export interface Passed extends Pick<IncomingMessage, 'method' | 'url'> {
  /** As they are sent. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer;
}

/** How long a signature holds, on the clock of the database. */
const VALID_MS = 60_000;

/** How long a replica has to remember a header: it may be signed by a clock that is ahead. */
export const REMEMBERED_MS = 2 * VALID_MS;

type Signing = Pick<Peers, 'self' | 'all' | 'sign' | 'isSigned'>;
type Arrived = Pick<IncomingMessage, 'method' | 'url' | 'headersDistinct'>;

/**
 * They say who asks, from which page and in which session. Proxies between replicas may add or change other headers, which
 * therefore are not signed.
 */
const SIGNED = ['authorization', 'x-api-key', 'cookie', 'origin', 'sec-fetch-site', 'mcp-session-id'];

export function forwardedHeader(peers: Signing, request: Passed, to: string, address: string): string {
  const { headers = {}, body = '' } = request;
  const digests = { caller: callerIn(headers), body: digestOf(body) };
  const fields = { from: peers.self, to, at: now(peers), nonce: randomUUID(), address, ...digests };
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${payload}.${peers.sign(textOf(request, payload))}`;
}

/**
 * What the header says, if another replica signed it for this very request a moment ago, and it comes for the first time:
 * somebody who read it on the way can do nothing with it. The body has not come yet: compare its digest.
 */
export function readForwarded(
  peers: Signing,
  request: Arrived,
  header: string,
  isNew: (nonce: string) => boolean,
): Forwarded | undefined {
  const dot = header.indexOf('.');
  const payload = header.slice(0, Math.max(0, dot));
  if (!peers.isSigned(textOf(request, payload), header.slice(dot + 1))) return undefined;
  // The signature is good, so a replica wrote it: perhaps one of another version.
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json;
  const { from, to, at, nonce, address, caller, body } = fields;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof address !== 'string') return undefined;
  if (typeof at !== 'number' || Math.abs(now(peers) - at) > VALID_MS) return undefined;
  if (caller !== undefined && caller !== callerIn(request.headersDistinct)) return undefined;
  if (typeof nonce !== 'string' || !isNew(nonce)) return undefined;
  return { from, to, address, body: typeof body === 'string' ? body : undefined };
}

export const digestOf = (body: Buffer | string): string => hash('sha256', body, 'base64url');

/** Several values of a header may be sent as one. */
const callerIn = (headers: OutgoingHttpHeaders): string =>
  digestOf(JSON.stringify(SIGNED.map((name) => [headers[name] ?? []].flat().join(name === 'cookie' ? '; ' : ', '))));

const textOf = ({ method, url }: Pick<Passed, 'method' | 'url'>, payload: string) =>
  `forward\n${method} ${url}\n${payload}`;

/** The time of the database: clocks of replicas may be minutes apart. */
const now = (peers: Signing) => Math.round(Date.now() - (peers.all()[0]?.skewMs ?? 0));
