/** Whether what comes from a URL can be changed on its way: plain http, and not from this machine. */
export function isPlainHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol !== 'https:' && !isLoopback(parsed.hostname);
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return loopback.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}
