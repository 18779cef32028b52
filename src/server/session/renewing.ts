import type { Shared } from '../../kernel/shared.ts';
import { alone } from '../../kernel/alone.ts';
import { refusalOf } from '../../login/grants.ts';
import type { IssuerDoor } from './issuer-door.ts';
import type { StoredSessions, StoredTokens } from './stored-sessions.ts';

/** Tokens are renewed when they are valid for less than this. */
const EARLY_MS = 30_000;

export interface RenewingDeps {
  readonly issuer: IssuerDoor;
  readonly stored: StoredSessions;
  readonly shared: Pick<Shared, 'peers' | 'lead'>;
}

/** Keeps people signed in whose tokens expire: access tokens last minutes. */
export function createRenewing({ issuer, stored, shared }: RenewingDeps) {
  const running = new Map<string, Promise<StoredTokens | undefined>>();

  async function renew(id: string, expires: number): Promise<StoredTokens | undefined> {
    const before = await stored.find(id);
    if (!before?.issued || !isDue(before)) return before;
    try {
      const issued = await issuer.renew(before.issued);
      const next = { credential: issued.tokens.access, issued };
      await stored.keep(id, next, expires);
      return next;
    } catch (error) {
      if (refusalOf(error) !== undefined) {
        await stored.end(id, expires);
        return undefined;
      }
      // The issuer is away for a moment. Until the old token expires, nobody notices.
      if ((before.issued.tokens.expires ?? 0) > Date.now()) return before;
      throw error;
    }
  }

  /** Two uses of a refresh token look like a thief, so replicas take turns. */
  const inTurn = (id: string, expires: number) =>
    shared.peers ? alone(shared, `renewing session ${id}`, () => renew(id, expires)) : renew(id, expires);

  /** What is stored now, renewed if it is time; undefined if the issuer has ended the session. Throws if it is away. */
  return function fresh(id: string, known: StoredTokens, expires: number): Promise<StoredTokens | undefined> {
    if (!isDue(known)) return Promise.resolve(known);
    let mine = running.get(id);
    if (!mine) running.set(id, (mine = inTurn(id, expires).finally(() => running.delete(id))));
    return mine;
  };
}

function isDue({ issued }: StoredTokens): boolean {
  const { refresh, expires, obtained } = issued?.tokens ?? {};
  if (refresh === undefined || expires === undefined) return false;
  // A token that is valid for a minute only is not renewed with every request.
  const early = Math.min(EARLY_MS, (expires - (obtained ?? 0)) / 2);
  return expires - early <= Date.now();
}
