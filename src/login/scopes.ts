/** Each scope once, in the order of their first mention; undefined where there is none. */
export function unionOf(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => (list ?? '').split(/\s+/)).filter((scope) => scope !== ''));
  return scopes.size > 0 ? [...scopes].join(' ') : undefined;
}

/** Whether everything that is wanted was granted. */
export function covers(granted: string | undefined, wanted: string | undefined): boolean {
  const has = new Set((granted ?? '').split(/\s+/));
  return (wanted ?? '').split(/\s+/).every((scope) => scope === '' || has.has(scope));
}

const OFFLINE = 'offline_access';

export interface ScopeSources {
  /** What the owner wrote; it goes before all else. */
  configured: readonly string[] | undefined;
  challenged: string | undefined;
  /** What the server lists in its metadata. */
  listed: readonly string[] | undefined;
  /** What the login had so far: asking for more must not lose it. */
  before: string | undefined;
  /** What the authorization server knows. */
  known: readonly string[] | undefined;
}

/** What to ask for: no more than the server says is needed, and to stay signed in where that can be asked for. */
export function scopesToAsk({ configured, challenged, listed, before, known }: ScopeSources): string | undefined {
  const base = configured?.join(' ') || challenged || listed?.join(' ');
  const wanted = unionOf(before, base);
  return wanted !== undefined && known?.includes(OFFLINE) ? unionOf(wanted, OFFLINE) : wanted;
}

/** Without a page that asks, OpenID providers give no refresh token. */
export const mustAsk = (scope: string | undefined): boolean => scope?.split(' ').includes(OFFLINE) ?? false;
