import { isEveryAddress } from './plain-http.ts';

/** Where this machine itself reaches what listens on a host: through loopback if that is every address. */
export function reachableUrl(host: string, port: number): string {
  const near = isEveryAddress(host) ? (host === '0.0.0.0' ? '127.0.0.1' : '::1') : host;
  return addressUrl(near, port);
}

/** The URL of a host and a port: an IPv6 address stands in brackets. */
export const addressUrl = (host: string, port: number): string =>
  `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
