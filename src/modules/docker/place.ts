import type { Address } from '../module.ts';

/** Where the Engine API is: a socket file, or a URL of HTTP. */
export type Place = { readonly socketPath: string } | { readonly base: string };

export const DEFAULT_URL = 'unix:///var/run/docker.sock';

const TLS_PORT = '2376';

/** Reads a URL as DOCKER_HOST has it. A text says what is wrong with it. */
export function placeIn(url: string, hasTls: boolean): Place | string {
  if (url.startsWith('/')) return { socketPath: url };
  if (/^unix:\/\//i.test(url)) {
    const socketPath = url.slice('unix://'.length);
    return socketPath.startsWith('/')
      ? { socketPath }
      : 'must name a socket with its whole path: unix:///var/run/docker.sock';
  }
  if (/^ssh:\/\//i.test(url))
    return 'cannot be ssh://. Forward the socket (ssh -NL /tmp/docker.sock:/var/run/docker.sock user@host) and write unix:///tmp/docker.sock';
  if (/^(?:npipe|fd):/i.test(url))
    return `cannot be ${url.split(':')[0]}:. Write unix:///…, tcp://host:2375 or https://host:2376`;
  const http = url.replace(/^tcp:\/\//i, 'http://');
  if (!/^https?:\/\//i.test(http) || !URL.canParse(http))
    return 'must be unix:///path/to/docker.sock, tcp://host:2375, http://host:2375 or https://host:2376';
  const { protocol, hostname, port, pathname, username, password } = new URL(http);
  const secure = protocol === 'https:' || (/^tcp:/i.test(url) && (hasTls || port === TLS_PORT));
  const credentials = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  // A URL drops the port that is usual for its protocol, and that is not the one of Docker.
  const given = port || /:(80|443)(?:[/?#]|$)/.exec(http.slice(8))?.[1] || (secure ? TLS_PORT : '2375');
  return { base: `${secure ? 'https' : 'http'}://${credentials}${hostname}:${given}${pathname.replace(/\/+$/, '')}` };
}

export function addressIn(place: Place): Address {
  if ('socketPath' in place) return { socket: place.socketPath };
  const { hostname, port, protocol } = new URL(place.base);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}
