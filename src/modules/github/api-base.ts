/**
 * Where the API is. An Enterprise Server has it below /api/v3, and people know the address that they open in a browser.
 */
export function apiBase(url: string): string {
  const { origin, protocol, host, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  if (path !== '') return `${origin}${path}`;
  if (/^(?:www\.)?github\.com$/.test(host)) return 'https://api.github.com';
  if (host.startsWith('api.')) return origin;
  // GitHub Enterprise Cloud with data residency.
  if (host.endsWith('.ghe.com')) return `${protocol}//api.${host}`;
  return `${origin}/api/v3`;
}
