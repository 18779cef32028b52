import type { LoginEvents } from './facts.ts';
import type { Logins as LoginStore } from '../store/store.ts';
import type { Fetch } from './fetch.ts';
import type { HeldLogin } from './held-login.ts';
import type { LoginTarget } from './login-target.ts';
import type { Requirements } from './requirements.ts';
import type { Vault } from './vault.ts';

/** What everything that is done with an account works on. */
export interface AccountParts {
  store: LoginStore;
  vault: Vault;
  events: LoginEvents;
  fetch: Fetch;
  held: HeldLogin;
  requirements: Requirements;
  /** Whose it is: a user's id, or nothing where it serves everybody. */
  owner: string;
  /** The same, as events name it. */
  principal: string;
  target(): LoginTarget;
}
