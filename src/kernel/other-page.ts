/** Whether a browser marks a request as one of another origin. Another port of this host is another origin. */
export const isMarkedElsewhere = (site: string | null | undefined): boolean =>
  typeof site === 'string' && site !== 'same-origin' && site !== 'none';

/**
 * Whether a page of another origin sent a request, as its browser says; no page can change these headers. Programs say nothing.
 * For requests without a proxy in between, which may change the host: so it is while authentication is off.
 */
export function isFromOtherPage(
  header: (name: 'sec-fetch-site' | 'origin' | 'host') => string | null | undefined,
): boolean {
  const site = header('sec-fetch-site');
  if (typeof site === 'string') return isMarkedElsewhere(site);
  // Older browsers send only this.
  const origin = header('origin');
  return typeof origin === 'string' && URL.parse(origin)?.host !== header('host')?.toLowerCase();
}
