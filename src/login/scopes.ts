/** Each scope once, in order of first appearance; undefined if there is none. */
export function unionOf(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => (list ?? '').split(/\s+/)).filter((scope) => scope !== ''));
  return scopes.size > 0 ? [...scopes].join(' ') : undefined;
}

/** Whether all wanted scopes were granted. */
export function covers(granted: string | undefined, wanted: string | undefined): boolean {
  const has = new Set((granted ?? '').split(/\s+/));
  return (wanted ?? '').split(/\s+/).every((scope) => scope === '' || has.has(scope));
}

const OFFLINE = 'offline_access';

export interface ScopeSources {
  /** The scopes the owner configured. They override the others. */
  configured: readonly string[] | undefined;
  challenged: string | undefined;
  /** The scopes in the server's metadata. */
  listed: readonly string[] | undefined;
  /** The scopes of the login so far: asking for more must not lose them. */
  before: string | undefined;
  /** The scopes the authorization server supports. */
  known: readonly string[] | undefined;
}

/** The scopes to request: only what the server requires, plus offline_access where it is supported. */
export function scopesToAsk({ configured, challenged, listed, before, known }: ScopeSources): string | undefined {
  const base = configured?.join(' ') || challenged || listed?.join(' ');
  const wanted = unionOf(before, base);
  return wanted !== undefined && known?.includes(OFFLINE) ? unionOf(wanted, OFFLINE) : wanted;
}

/** OpenID providers issue a refresh token only if they show a consent page. */
export const mustAsk = (scope: string | undefined): boolean => scope?.split(' ').includes(OFFLINE) ?? false;
