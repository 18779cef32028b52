interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** Whether a page of another origin sent the request. Other ports of this host are other origins, too. */
export function isFromElsewhere({ 'sec-fetch-site': site, origin, host }: Headers): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // Old browsers do not say more than the origin.
  return origin !== undefined && URL.parse(String(origin))?.host !== host;
}
