import type { Principal } from '../../kernel/principal.ts';

/** A principal as text, to be sealed. */
export const principalText = (principal: Principal): string =>
  JSON.stringify({ ...principal, scopes: principal.scopes === 'all' ? 'all' : [...principal.scopes] });

export function principalFrom(text: string): Principal {
  const { scopes, ...rest } = JSON.parse(text) as Omit<Principal, 'scopes'> & { scopes: 'all' | string[] };
  return { ...rest, scopes: scopes === 'all' ? 'all' : new Set(scopes) };
}
