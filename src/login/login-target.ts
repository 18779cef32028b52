import type { Principal } from '../kernel/principal.ts';
import type { OAuthSettings } from '../wire/credentials.ts';

/** A server that may require a login. */
export interface LoginTarget {
  name: string;
  url: string;
  oauth?: OAuthSettings;
  /** Whether each user has their own login there. */
  perPrincipal: boolean;
  allowInternal: boolean;
}

/** The owner of the login: one user, or everybody (empty). */
export const ownerOf = ({ perPrincipal }: LoginTarget, { id }: Principal): string => (perPrincipal ? id : '');

/** Whether the gateway signs in on its own: no user is needed and nothing is stored. */
export const isByItself = ({ oauth }: LoginTarget): boolean => oauth?.grant === 'client_credentials';
