import type { LoginEvents } from './facts.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import type { Fetch } from './fetch.ts';
import type { HeldLogin } from './held-login.ts';
import type { LoginTarget } from './login-target.ts';
import type { Requirements } from './requirements.ts';
import type { Vault } from './vault.ts';

/** The parts that everything done with an account shares. */
export interface AccountParts {
  store: LoginStore;
  shared: Shared;
  vault: Vault;
  events: LoginEvents;
  fetch: Fetch;
  held: HeldLogin;
  requirements: Requirements;
  /** The user id the account belongs to; empty if it serves everybody. */
  owner: string;
  /** The owner as events name it. */
  principal: string;
  target(): LoginTarget;
}
