import { isEveryAddress, isLoopback } from '../kernel/plain-http.ts';

/** What a container calls the machine it runs on. */
const FROM_CONTAINER = 'host.docker.internal';

/** Host and port of an address; this machine has several names for itself. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const isHere = isLoopback(hostname) || isEveryAddress(hostname) || hostname === FROM_CONTAINER;
  const host = isHere ? 'localhost' : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
