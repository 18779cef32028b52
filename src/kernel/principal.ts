import type { Effect } from './effect.ts';

/** Who is calling. Without authentication everyone on loopback is the local owner. */
export interface Principal {
  readonly id: string;
  readonly scopes: ReadonlySet<string> | 'all';
  /** Which tools, as globs over exposed names; absent means every tool its scopes allow. */
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  /** Which effects this principal must confirm. */
  readonly confirm?: 'never' | 'destructive' | 'writes';
}

export const localOwner: Principal = { id: 'local', scopes: 'all' };

const verbOf: Record<Effect, 'read' | 'write' | 'execute'> = {
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'write',
  execute: 'execute',
};

/** The scope a source's tool needs unless it names its own. */
export function scopeFor(source: string, effect: Effect): string {
  return `${source}:${verbOf[effect]}`;
}

export function hasScope(principal: Principal, scope: string): boolean {
  return principal.scopes === 'all' || principal.scopes.has('admin') || principal.scopes.has(scope);
}
