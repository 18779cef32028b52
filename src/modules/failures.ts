import type { Address } from './module.ts';

/** Where a service is, for messages. */
export const placeOf = (address: Address): string => {
  if ('text' in address) return address.text;
  return 'socket' in address ? address.socket : `${bracketed(address.host)}:${address.port}`;
};

const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** Host and port of a URL, without its credentials. `port` is the usual one of the service, if it is not HTTP. */
export function addressOf(url: string, port?: number): Address {
  const { protocol, hostname, port: given } = new URL(url);
  const usual = port ?? (protocol === 'https:' ? 443 : 80);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: given === '' ? usual : Number(given) };
}
