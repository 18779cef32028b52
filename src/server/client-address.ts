import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The client's address. Behind trusted proxies, one after the other, the address that the first of them saw; never one
 * that the client claims. `proxies` is how many they are; true means one.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: boolean | number): string {
  const direct = plain(socket.remoteAddress ?? 'unknown');
  const forwarded = headers['x-forwarded-for'];
  if (!proxies || forwarded === undefined) return direct;
  // Each proxy appends the address it saw. Everything before those came from the client.
  const seen = (Array.isArray(forwarded) ? forwarded.join() : forwarded).split(',');
  // Fewer addresses than proxies: the client went around the outer ones, and the next one wrote its address first.
  const address = seen.at(-Math.min(Number(proxies), seen.length))?.trim() ?? '';
  return isIP(address) === 0 ? direct : plain(address);
}

function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}
