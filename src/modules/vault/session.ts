import { z } from 'zod';
import { HttpError } from '../http.ts';
import { type Issued, type Login, REFUSED, renew, type Send } from './login.ts';
import { saidIn } from './said.ts';

/** The token that requests carry. It outlives connections: a secret id may be good for a few logins only. */
export interface Session {
  readonly login: Login;
  /** Logs in first, or renews the token, if that is due. */
  token(send: Send): Promise<string>;
  /**
   * What to do after Vault refused this token: try with another one that is there now, accept that it may not do this, or
   * correct the settings, because Vault does not know it any more.
   */
  afterRefusal(token: string, refusal: HttpError, send: Send): Promise<'retry' | 'not_allowed' | 'unknown_token'>;
}

interface Held extends Issued {
  readonly renewAt: number;
  readonly until: number;
}

/** Of logging in. Callers share it, so it does not end when one of them leaves. */
const PATIENCE_MS = 10_000;
/** Of a renewal that failed for a reason that may pass. */
const RETRY_MS = 10_000;

/** `issued` learns of each token, so that no log shows it. */
export function createSession(login: Login, issued: (token: string) => void, now = Date.now): Session {
  let held: Held | undefined;
  let working: Promise<Held> | undefined;

  function hold(given: Issued): Held {
    issued(given.token);
    const { ttl, renewable = false } = given;
    const life = ttl === undefined ? Number.POSITIVE_INFINITY : ttl * 1000;
    held = { ...given, until: now() + life, renewAt: renewable ? now() + life / 2 : Number.POSITIVE_INFINITY };
    return held;
  }

  /** One login or renewal at a time, whoever asks. */
  function once(work: (signal: AbortSignal) => Promise<Held>): Promise<Held> {
    working ??= work(AbortSignal.timeout(PATIENCE_MS)).finally(() => {
      working = undefined;
    });
    return working;
  }

  const logIn = (send: Send) => once(async (signal) => hold(await login.logIn(send, signal)));

  const prolong = (send: Send, current: Held) =>
    once(async (signal) => {
      try {
        return hold(await renew(send, current.token, signal));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        // It may be good for the rest of its time. After that, its refusal leads to a login.
        const renewAt = REFUSED.has(error.status) ? Number.POSITIVE_INFINITY : now() + RETRY_MS;
        held = { ...current, renewAt };
        return held;
      }
    });

  return {
    login,
    async token(send) {
      if (working) return (await working).token;
      if (held === undefined || (login.repeatable && held.until <= now())) return (await logIn(send)).token;
      return (held.renewAt <= now() ? await prolong(send, held) : held).token;
    },
    async afterRefusal(token, refusal, send) {
      if (held !== undefined && held.token !== token) return 'retry';
      if (!(await isUnknown(token, refusal, send))) return 'not_allowed';
      if (!login.repeatable) return 'unknown_token';
      return (await logIn(send)).token === token ? 'unknown_token' : 'retry';
    },
  };
}

/** Vault answers 403 to a token that has expired and to one that may not do this. Older ones do not tell which. */
async function isUnknown(token: string, refusal: HttpError, send: Send): Promise<boolean> {
  if (/invalid token|bad token|missing client token/.test(saidIn(refusal))) return true;
  try {
    await send(z.unknown(), ['auth', 'token', 'lookup-self'], { signal: AbortSignal.timeout(PATIENCE_MS) }, token);
    return false;
  } catch (error) {
    return error instanceof HttpError && error.status === 403;
  }
}
