/** How this machine itself gets to what listens on a host: on every address, by loopback; an IPv6 address in brackets. */
export function reachableUrl(host: string, port: number): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
}
