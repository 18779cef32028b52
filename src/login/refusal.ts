import { AppError } from '../kernel/errors.ts';
import type { AccountParts } from './account-parts.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { isByItself } from './login-target.ts';
import { hostOf } from './party.ts';
import { covers } from './scopes.ts';
import { isFresh } from './token-age.ts';

/** Decides what to do when the server refuses the login. */
export function createRefusal({ target, held, requirements }: AccountParts, renew: () => Promise<void>) {
  async function moreNeeded({ scope }: Challenge, isYoung: boolean): Promise<'retry' | AppError> {
    const login = held.login();
    if (login && scope !== undefined && covers(login.tokens.scope, scope)) {
      return new AppError(
        'forbidden',
        `The server requires the scope ${scope}, which the login already has. The account itself may lack the permission. Ask the server's administrator.`,
      );
    }
    if (isByItself(target()) && !isYoung) {
      await renew();
      return 'retry';
    }
    return held.needed(` that includes ${scope === undefined ? 'the scope it asks for' : `the scope ${scope}`}`);
  }

  return async function refused(
    status: number,
    header: string | undefined,
    sent: Readonly<Record<string, string>>,
  ): Promise<'retry' | AppError | undefined> {
    const told = readChallenge(header);
    if (status === 403 && told.error !== 'insufficient_scope') return undefined;
    const better = () => held.login() !== undefined && held.headers().authorization !== sent.authorization;
    if (better()) return 'retry';
    await held.reread();
    if (better()) return 'retry';
    if (status === 403) requirements.alsoNeeds(told.scope);
    else requirements.heard(told);
    const found = await requirements.look();
    // Other calls are refused at the same time. One of them may have got a new token meanwhile.
    if (better()) return 'retry';
    const login = held.login();
    if (found.guessed && !login && target().oauth === undefined) return undefined;
    const isYoung = login !== undefined && isFresh(login.tokens);
    if (status === 403) return moreNeeded(told, isYoung);
    if (isByItself(target())) {
      if (isYoung)
        return new AppError(
          'forbidden',
          'The server refuses the token that was issued for it. Check "oauth" of the server.',
        );
      await renew();
      return 'retry';
    }
    // Never send the token of one authorization server to another.
    const moved = login !== undefined && login.party.server.issuer !== found.server.issuer;
    if (moved || isYoung || login?.tokens.refresh === undefined) {
      held.spend();
      return held.needed(` at ${hostOf(found.server.issuer)}`);
    }
    await renew();
    return 'retry';
  };
}
