import { hasScope, holdsScope, isOfSource, type Principal } from '../../kernel/principal.ts';

/**
 * Whether a principal may use an endpoint at all. A scope of one source is enough for listing and calling: only the
 * tools of that source are then visible and callable.
 */
export function mayUse(principal: Principal, scope: string): boolean {
  if (scope === 'public' || scope === 'anyone' || holdsScope(principal, scope)) return true;
  // An endpoint of a source needs what its tools need.
  if (isOfSource(scope)) return hasScope(principal, scope);
  if (scope === 'tools:read' && holdsScope(principal, 'tools:execute')) return true;
  if (principal.scopes === 'all' || (scope !== 'tools:read' && scope !== 'tools:execute')) return false;
  for (const own of principal.scopes) if (isOfSource(own)) return true;
  return false;
}
