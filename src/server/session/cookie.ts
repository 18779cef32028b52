import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { createSeal } from '../../kernel/seal.ts';

const MAX_AGE_MS = 7 * 24 * 60 * 60_000;
const ABOUT = 'a session of the console';
/** How long a person may take to sign in elsewhere. */
const AWAY_MS = 10 * 60_000;
const ABOUT_AWAY = 'a browser that signs in elsewhere';

/** What a browser holds for one sign-in. */
const held = z.object({
  id: z.string(),
  since: z.number(),
  /** The key or token that was given. */
  credential: z.string().optional(),
  /** Proves that the owner's password was given; it changes with the password. */
  owner: z.string().optional(),
  /** The store has the tokens: they are too long for a cookie, or are renewed. */
  kept: z.boolean().optional(),
});

export type Held = z.output<typeof held>;

/** What a browser holds while it signs in at the issuer. */
const away = z.object({
  since: z.number(),
  /** The page of the console to come back to. */
  to: z.string(),
  attempt: z.object({
    verifier: z.string(),
    state: z.string(),
    redirect: z.string(),
    resource: z.string(),
    scope: z.string().optional(),
  }),
});

export type Away = z.output<typeof away>;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Sessions of browsers. The cookie contains the credential itself, sealed, so that a session ends when its credential
 * does, on every replica and without a table. `secret` is the same on all replicas.
 */
export function createCookies(secret: Buffer, now: () => number = Date.now) {
  const seal = createSeal(secret);
  // Browsers send cookies to every port of a host: two gateways on one machine need different names.
  const name = `sluice_${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`;
  const csrfOf = ({ id }: Held) => createHmac('sha256', secret).update(id).digest('base64url');

  function opened<T extends { since: number }>(
    shape: z.ZodType<T>,
    text: string | undefined,
    about: string,
    ageMs: number,
  ): T | undefined {
    if (text === undefined) return undefined;
    try {
      const found = shape.parse(JSON.parse(seal.open(text, about)));
      return found.since + ageMs > now() ? found : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    /** The session in a request; undefined without one, or if it was altered or is too old. */
    read(header: string | undefined): Held | undefined {
      return opened(held, valueIn(header, name), ABOUT, MAX_AGE_MS);
    },
    /** Whether the browser has a session, be it valid or not. */
    isIn: (header: string | undefined): boolean => valueIn(header, name) !== undefined,
    /** A new session, and the Set-Cookie header for it. Without a path it holds for `<where the browser sees the gateway>/api/v1`. */
    write(given: Omit<Held, 'id' | 'since'>, isSecure: boolean): { header: string; held: Held } {
      const next: Held = { id: randomUUID(), since: now(), ...given };
      const text = seal.seal(JSON.stringify(next), ABOUT);
      return { header: `${name}=${text}; Max-Age=${MAX_AGE_MS / 1000}; ${flags(isSecure)}`, held: next };
    },
    clear: (isSecure: boolean): string => `${name}=; Max-Age=0; ${flags(isSecure)}`,
    /** The browser leaves. Coming back is a navigation that another site starts, so Strict would hold the cookie back. */
    writeAway(given: Omit<Away, 'since'>, isSecure: boolean): string {
      const text = seal.seal(JSON.stringify({ since: now(), ...given }), ABOUT_AWAY);
      return `${name}_away=${text}; Max-Age=${AWAY_MS / 1000}; ${flags(isSecure, 'Lax')}`;
    },
    readAway(header: string | undefined): Away | undefined {
      return opened(away, valueIn(header, `${name}_away`), ABOUT_AWAY, AWAY_MS);
    },
    clearAway: (isSecure: boolean): string => `${name}_away=; Max-Age=0; ${flags(isSecure, 'Lax')}`,
    csrfOf,
    /** Whether a request that changes something comes from our own page. */
    isOurs({ headers }: Pick<IncomingMessage, 'headers'>, session: Held): boolean {
      const given = Buffer.from(String(headers['x-sluice-csrf'] ?? ''));
      const expected = Buffer.from(csrfOf(session));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    expires: ({ since }: Held): number => since + MAX_AGE_MS,
  };
}

const flags = (isSecure: boolean, site: 'Strict' | 'Lax' = 'Strict'): string =>
  `HttpOnly; SameSite=${site}${isSecure ? '; Secure' : ''}`;

function valueIn(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
