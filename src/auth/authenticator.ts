import type { Principal } from '../kernel/principal.ts';

/** Who presented a credential, until when; or why it is refused, in words for the one who presented it. */
export type Verdict = { readonly principal: Principal; readonly expires?: number } | { readonly refused: string };

/** Knows one kind of credential: keys, or the tokens of an authorization server. */
export interface Authenticator {
  /** `resource` is the URL that is asked for. `undefined`: not of this kind, ask the next. */
  check(token: string, resource: string): Verdict | undefined | Promise<Verdict | undefined>;
}
