import { isEveryAddress, isLoopback } from '../kernel/plain-http.ts';

/** Inside a container, this is the host machine. */
const FROM_CONTAINER = 'host.docker.internal';

/** Host and port of a URL, with one name for all addresses of this machine. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const isHere = isLoopback(hostname) || isEveryAddress(hostname) || hostname === FROM_CONTAINER;
  const host = isHere ? 'localhost' : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
