import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
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
}

/** How long a signature holds, on the clock of the database. */
const VALID_MS = 60_000;

/** How long a replica has to remember a header: it may be signed by a clock that is ahead. */
export const REMEMBERED_MS = 2 * VALID_MS;

type Signing = Pick<Peers, 'self' | 'all' | 'sign' | 'isSigned'>;
type Signed = Pick<IncomingMessage, 'method' | 'url'>;

export function forwardedHeader(peers: Signing, request: Signed, to: string, address: string): string {
  const fields = { from: peers.self, to, at: now(peers), nonce: randomUUID(), address };
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${payload}.${peers.sign(textOf(request, payload))}`;
}

/**
 * What the header says, if another replica signed it for this very request a moment ago, and it comes for the first time:
 * somebody who read it on the way can do nothing with it.
 */
export function readForwarded(
  peers: Signing,
  request: Signed,
  header: string,
  isNew: (nonce: string) => boolean,
): Forwarded | undefined {
  const dot = header.indexOf('.');
  const payload = header.slice(0, Math.max(0, dot));
  if (!peers.isSigned(textOf(request, payload), header.slice(dot + 1))) return undefined;
  // The signature is good, so a replica wrote it: perhaps one of another version.
  const { from, to, at, nonce, address } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof address !== 'string') return undefined;
  if (typeof at !== 'number' || Math.abs(now(peers) - at) > VALID_MS) return undefined;
  return typeof nonce === 'string' && isNew(nonce) ? { from, to, address } : undefined;
}

const textOf = ({ method, url }: Signed, payload: string) => `forward\n${method} ${url}\n${payload}`;

/** The time of the database: clocks of replicas may be minutes apart. */
const now = (peers: Signing) => Math.round(Date.now() - (peers.all()[0]?.skewMs ?? 0));
