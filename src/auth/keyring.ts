import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../kernel/principal.ts';
import type { Keys } from '../store/store.ts';
import type { Authenticator, Verdict } from './authenticator.ts';
import { hashSecret, readKey } from './keys.ts';

export interface Keyring extends Authenticator, Disposable {
  /** Reports the principals whose key was revoked or has expired. */
  onRevoked(listener: (principals: ReadonlySet<string>) => void): void;
}

/** How long it takes until a key that another process created or revoked counts. */
const FRESH_MS = 1000;

interface Known {
  hash: Buffer;
  principal: Principal;
  expires: number;
  revoked: boolean;
  /** Whether it was revoked or expired when the store was last read. */
  ended: boolean;
  /** The secret that matched the hash before. Comparing with it costs a tenth of hashing again. */
  proven: Buffer | undefined;
}

/** The keys of the store, cached in memory so that a check does not touch the store. */
export async function openKeyring(keys: Keys, now: () => number = Date.now): Promise<Keyring> {
  let byId: ReadonlyMap<string, Known> = new Map();
  byId = await read();
  let reading: Promise<void> | undefined;
  const listeners = new Set<(principals: ReadonlySet<string>) => void>();
  const timer = setInterval(() => void refresh().catch(() => {}), FRESH_MS).unref();

  async function read(): Promise<Map<string, Known>> {
    const listed = await keys.list();
    return new Map(
      listed.map(({ id, hash, grant, revokedAt }) => {
        const { name, scopes, tools, readOnly, confirm, rate, expiresAt } = grant;
        const before = byId.get(id);
        const principal = before?.principal ?? {
          id: `key:${id}`,
          name,
          scopes: new Set(scopes),
          ...(tools && { tools }),
          ...(readOnly && { readOnly }),
          ...(confirm && { confirm }),
          ...(rate !== undefined && { rate }),
        };
        const expires = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
        const revoked = revokedAt !== undefined;
        return [id, { hash, principal, expires, revoked, ended: revoked || expires <= now(), proven: before?.proven }];
      }),
    );
  }

  function refresh(): Promise<void> {
    reading ??= read()
      .then((next) => {
        const before = byId;
        byId = next;
        tell(before, next);
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  function tell(before: ReadonlyMap<string, Known>, after: ReadonlyMap<string, Known>): void {
    const gone = new Set<string>();
    for (const [id, { principal, ended }] of before) {
      if (!ended && (after.get(id)?.ended ?? true)) gone.add(principal.id);
    }
    if (gone.size > 0) for (const listener of listeners) listener(gone);
  }

  function judge(id: string, secret: string): Verdict | undefined {
    const known = byId.get(id);
    if (!known) return undefined;
    if (!proves(secret, known)) return { refused: 'unknown key' };
    if (known.revoked) return { refused: 'the key was revoked' };
    if (known.expires <= now()) return { refused: 'the key has expired' };
    return { principal: known.principal, expires: known.expires };
  }

  /** Reads the store again: the key may have been created a moment ago, after a read in progress started. */
  async function judgeAnew(id: string, secret: string): Promise<Verdict> {
    if (reading) {
      await reading;
      const known = judge(id, secret);
      if (known) return known;
    }
    await refresh();
    return judge(id, secret) ?? { refused: 'unknown key' };
  }

  return {
    check(token) {
      const parts = readKey(token);
      if (!parts) return token.startsWith('slc_') ? { refused: 'the key is incomplete' } : undefined;
      return judge(parts.id, parts.secret) ?? judgeAnew(parts.id, parts.secret);
    },
    onRevoked: (listener) => void listeners.add(listener),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function proves(secret: string, known: Known): boolean {
  // Both have 43 characters: readKey ensures it.
  const given = Buffer.from(secret, 'latin1');
  if (known.proven && timingSafeEqual(given, known.proven)) return true;
  if (!timingSafeEqual(hashSecret(secret), known.hash)) return false;
  known.proven = given;
  return true;
}
