import type { Principal } from '../kernel/principal.ts';

/**
 * Who presented the credential and until when it is valid, or why it is refused, worded for the caller. `unavailable` says
 * why nobody can tell at the moment.
 */
export type Verdict =
  | { readonly principal: Principal; readonly expires?: number }
  | { readonly refused: string }
  | { readonly unavailable: string };

/** Checks one kind of credential: keys, or the tokens of an authorization server. */
export interface Authenticator {
  /** `resource` is the requested URL. Undefined means the credential is of another kind: ask the next authenticator. */
  check(token: string, resource: string): Verdict | undefined | Promise<Verdict | undefined>;
}
