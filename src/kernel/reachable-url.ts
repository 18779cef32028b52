import { isEveryAddress } from './plain-http.ts';

/** The URL for reaching a listener from this machine: loopback if it listens on all addresses. */
export function reachableUrl(host: string, port: number): string {
  const near = isEveryAddress(host) ? (host === '0.0.0.0' ? '127.0.0.1' : '::1') : host;
  return addressUrl(near, port);
}

/** The URL of a host and a port, with brackets around an IPv6 address. */
export const addressUrl = (host: string, port: number): string =>
  `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
