/** Whether what comes from a URL can be changed on its way: plain http, and not from this machine. */
export function isPlainHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol !== 'https:' && !isLoopback(parsed.hostname);
}

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

/** Whether a host, as a URL or a setting names it, is this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether who listens on a host listens on every address this machine has. */
export const isEveryAddress = (host: string): boolean => /^(?:0\.0\.0\.0|::|\[::\])$/.test(host);
