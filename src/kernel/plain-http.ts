/** Whether data from this URL could be altered in transit: plain http, and not from this machine. */
export function isPlainHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol !== 'https:' && !isLoopback(parsed.hostname);
}

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

/** Whether a host, as written in a URL or a setting, is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether listening on this host means all addresses of this machine. */
export const isEveryAddress = (host: string): boolean => /^(?:0\.0\.0\.0|::|\[::\])$/.test(host);
