const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\]|host\.docker\.internal)$/;

/** Host and port of an address; this machine has several names for itself. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const host = loopback.test(hostname) ? 'localhost' : hostname.toLowerCase();
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
