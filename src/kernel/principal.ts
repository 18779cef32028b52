import type { Effect } from './effect.ts';

/** The caller. Without authentication every program on loopback is the local owner. */
export interface Principal {
  readonly id: string;
  /** Display name. */
  readonly name?: string;
  readonly scopes: ReadonlySet<string> | 'all';
  /** Globs over exposed names of tools; absent means every tool its scopes allow. */
  readonly tools?: readonly string[];
  readonly readOnly?: boolean;
  /** Which calls this principal must confirm. */
  readonly confirm?: 'never' | 'destructive' | 'writes';
  /** Rate limit, for example 60/min; absent means the configured one. */
  readonly rate?: string;
  /** Expiry of its token in milliseconds. Everything still open then is closed. Not set for keys. */
  readonly expires?: number;
  /** Whether it can come back with more scopes: a client can request a new token, but a key is fixed. */
  readonly stepUp?: boolean;
  /** Whether it is a page that a browser of this machine shows. It has no literal scope and never speaks for a person. */
  readonly isForeignPage?: true;
  /** What else is known about it (sub, email, …), for templates of headers and environments. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export const localOwner: Principal = { id: 'local', scopes: 'all' };

/** Without authentication, every page of another origin: nobody knows whose it is. */
export const foreignPage: Principal = {
  id: 'page',
  name: 'a page of another origin',
  scopes: 'all',
  isForeignPage: true,
};

/** The end of a sentence that names a scope. */
export const whyLacking = ({ isForeignPage }: Principal): string =>
  isForeignPage
    ? "which a page of another origin cannot have. Use Sluice's console, or turn authentication on: auth.mode."
    : 'which this key does not have.';

const verbOf: Record<Effect, 'read' | 'write' | 'execute'> = {
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'write',
  execute: 'execute',
};

/** The default scope of a source's tool. */
export function scopeFor(source: string, effect: Effect): string {
  return `${source}:${verbOf[effect]}`;
}

const OF_SOURCE = /^[\w-]+:(?:read|write|execute)$/;

/** Scopes that no other scope but `admin` implies: what they allow is more than calling a tool. */
export const literalScopes: ReadonlySet<string> = new Set([
  'admin',
  'blueprint:approve',
  'docker:exec',
  'vault:reveal',
]);

/** Whether this is a valid scope: one of the gateway's own, or `<source>:read`, `:write` or `:execute`. */
export const isScope = (scope: string): boolean =>
  literalScopes.has(scope) || scope === 'health:check' || OF_SOURCE.test(scope);

/** Whether the scope covers the tools of one source only. */
export const isOfSource = (scope: string): boolean => !scope.startsWith('tools:') && OF_SOURCE.test(scope);

/** Whether a principal has this very scope. Pages and routes check this, since `tools:execute` is about tools only. */
export function holdsScope({ scopes, isForeignPage }: Principal, scope: string): boolean {
  if (isForeignPage && literalScopes.has(scope)) return false;
  return scopes === 'all' || scopes.has('admin') || scopes.has(scope);
}

/** Whether a principal may call a tool with this scope. `tools:execute` allows every call but those of literal scopes. */
export function hasScope(principal: Principal, scope: string): boolean {
  return holdsScope(principal, scope) || (!literalScopes.has(scope) && holdsScope(principal, 'tools:execute'));
}

/** Whether it may see the tool: `tools:read` also shows tools it may not call. */
export function maySee(principal: Principal, scope: string): boolean {
  return hasScope(principal, scope) || (scope !== 'admin' && hasScope(principal, 'tools:read'));
}

/** The same text for principals with the same permissions. */
export function permissionsOf(principal: Principal): string {
  const { scopes, tools, readOnly = false, isForeignPage = false } = principal;
  if (scopes === 'all' && !tools && !readOnly) return isForeignPage ? 'page' : 'all';
  let known = permissions.get(principal);
  if (known === undefined) {
    known = JSON.stringify([scopes === 'all' ? scopes : [...scopes].sort(), tools ?? null, readOnly]);
    permissions.set(principal, known);
  }
  return known;
}

/**
 * Whether both are the same principal with the same permissions and attributes. A session must not lend one token the
 * permissions or attributes of another.
 */
export function isSame(one: Principal, other: Principal): boolean {
  return one === other || (identityOf(one) === identityOf(other) && permissionsOf(one) === permissionsOf(other));
}

/** The same text exactly for principals with the same id, name and attributes: everything a template can refer to. */
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
