import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The client's address. Behind a trusted proxy, the address that proxy saw; never one that the client claims. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const direct = plain(socket.remoteAddress ?? 'unknown');
  if (!trustProxy) return direct;
  // The proxy appends the address it saw. Everything before it came from the client.
  const forwarded = headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(',').at(-1)?.trim();
  return last !== undefined && isIP(last) !== 0 ? plain(last) : direct;
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}
