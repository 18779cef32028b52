/** Whether a browser says that another site sent the request. Other ports of this host are others, too. */
export const isFromElsewhere = (site: string | null | undefined): boolean =>
  site !== null && site !== undefined && site !== 'same-origin' && site !== 'none';
