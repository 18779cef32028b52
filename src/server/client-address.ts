import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Where a request came from: behind a proxy that is trusted, what that proxy saw, and never what the client claims. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const direct = plain(socket.remoteAddress ?? 'unknown');
  if (!trustProxy) return direct;
  // The proxy appends what it saw; everything before it was sent by the client.
  const forwarded = headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(',').at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? plain(last) : direct;
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}
