import type { Principal } from '../kernel/principal.ts';
import type { OAuthSettings } from '../wire/credentials.ts';

/** A server that may want a login. */
export interface LoginTarget {
  name: string;
  url: string;
  oauth?: OAuthSettings;
  /** Whether everybody has a login of their own there. */
  perPrincipal: boolean;
  allowInternal: boolean;
}

/** Whose login it is: everybody's, or one user's. */
export const ownerOf = ({ perPrincipal }: LoginTarget, { id }: Principal): string => (perPrincipal ? id : '');

/** Whether the gateway signs in by itself: no person is needed, and nothing is stored. */
export const isByItself = ({ oauth }: LoginTarget): boolean => oauth?.grant === 'client_credentials';
