import type { Effect } from './effect.ts';

/** Who is calling. Without authentication everyone on loopback is the local owner. */
export interface Principal {
  readonly id: string;
  /** What a person calls it. */
  readonly name?: string;
  readonly scopes: ReadonlySet<string> | 'all';
  /** Which tools, as globs over exposed names; absent means every tool its scopes allow. */
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  /** Which effects this principal must confirm. */
  readonly confirm?: 'never' | 'destructive' | 'writes';
  /** How often it may ask, such as 60/min; absent: as often as the configuration says. */
  readonly rate?: string;
  /** When the token it came with expires, in milliseconds: what is open by then is closed. Not for keys. */
  readonly expires?: number;
  /** Whether it can come back with more scopes: a token can be asked for again, a key is what it is. */
  readonly stepUp?: boolean;
  /** What else is known of it (sub, email, …), for templates of headers and environments. */
  readonly attributes?: Readonly<Record<string, string>>;
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

const OF_SOURCE = /^[\w-]+:(?:read|write|execute)$/;

/** Whether it is a scope at all: one of the gateway's own, or `<source>:read`, `:write` or `:execute`. */
export const isScope = (scope: string): boolean =>
  scope === 'admin' || scope === 'health:check' || OF_SOURCE.test(scope);

/** Whether it allows something with the tools of one source alone. */
export const isOfSource = (scope: string): boolean => !scope.startsWith('tools:') && OF_SOURCE.test(scope);

/** Whether a principal holds a scope by name: pages and routes ask for that, since `tools:execute` is about tools. */
export function holdsScope({ scopes }: Principal, scope: string): boolean {
  return scopes === 'all' || scopes.has('admin') || scopes.has(scope);
}

/** Whether a principal may call what needs this scope: `tools:execute` allows every call but an administrator's. */
export function hasScope(principal: Principal, scope: string): boolean {
  return holdsScope(principal, scope) || (scope !== 'admin' && holdsScope(principal, 'tools:execute'));
}

/** Whether it may know of it: `tools:read` shows what it does not allow to call. */
export function maySee(principal: Principal, scope: string): boolean {
  return hasScope(principal, scope) || (scope !== 'admin' && hasScope(principal, 'tools:read'));
}

/** The same text for all that may do the same. */
export function permissionsOf(principal: Principal): string {
  const { scopes, tools, readOnly = false } = principal;
  if (scopes === 'all' && !tools && !readOnly) return 'all';
  let known = permissions.get(principal);
  if (known === undefined) {
    known = JSON.stringify([scopes === 'all' ? scopes : [...scopes].sort(), tools ?? null, readOnly]);
    permissions.set(principal, known);
  }
  return known;
}

/**
 * Whether two are the same one with the same permissions, and the same is known of them: a session must lend one token
 * neither what another allows nor what another says of its bearer.
 */
export function isSame(one: Principal, other: Principal): boolean {
  return one === other || (identityOf(one) === identityOf(other) && permissionsOf(one) === permissionsOf(other));
}

/** The same text for the same one of whom the same is known, and for nobody else: all that a template can refer to. */
export function identityOf(principal: Principal): string {
  let known = identities.get(principal);
  if (known === undefined) {
    const attributes = Object.entries(principal.attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    known = JSON.stringify([principal.id, principal.name ?? null, attributes]);
    identities.set(principal, known);
  }
  return known;
}

const identities = new WeakMap<Principal, string>();
const permissions = new WeakMap<Principal, string>();
