/** Whether what comes from a URL can be changed on its way: plain http, and not from this machine. */
export function isPlainHttp(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol !== 'https:' && !isThisMachine(parsed.hostname);
}

export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}
