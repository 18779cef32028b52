import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../kernel/principal.ts';
import type { Store } from '../store/store.ts';
import type { Authenticator, Verdict } from './authenticator.ts';
import { cannotJudge, isCutOff } from './holding.ts';
import { keyPrincipal } from './key-principal.ts';
import { hashSecret, readKey } from './keys.ts';

export interface Keyring extends Authenticator, Disposable {
  /** Reports the principals whose key was revoked or has expired. */
  onRevoked(listener: (principals: ReadonlySet<string>) => void): void;
  /** Reads the keys again at once. */
  recheck(): Promise<void>;
}

/** How long it takes until a key that another process created or revoked counts, and until an expired key is noticed. */
const FRESH_MS = 1000;
/** With replicas the store tells of every change. It is read all the same, in case that was missed. */
const NET_MS = 30_000;

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
export async function openKeyring(
  { keys, shared }: Pick<Store, 'keys' | 'shared'>,
  now: () => number = Date.now,
): Promise<Keyring> {
  let byId: ReadonlyMap<string, Known> = new Map();
  byId = await read();
  let reading: Promise<void> | undefined;
  const listeners = new Set<(principals: ReadonlySet<string>) => void>();
  /** When to read the store again, on a monotonic clock. Without replicas that is always. */
  let readAt = 0;
  let hold = true;
  const hearing = shared.peers && shared.hear('keys', () => void readOn().catch(() => {}));
  const timer = setInterval(tick, FRESH_MS).unref();

  function tick(): void {
    if (performance.now() >= readAt) void refresh().catch(() => {});
    if (!shared.peers) return;
    tell([...byId.values()].filter((known) => !known.ended && (known.ended = known.expires <= now())));
    const held = hold;
    hold = !isCutOff(shared);
    // Nobody knows whether these keys still work, so nothing of theirs may stay open.
    if (held && !hold) tell([...byId.values()].filter(({ ended }) => !ended));
  }

  async function read(): Promise<Map<string, Known>> {
    const listed = await keys.list();
    return new Map(
      listed.map(({ id, hash, grant, revokedAt }) => {
        const { expiresAt } = grant;
        const before = byId.get(id);
        const principal = before?.principal ?? keyPrincipal({ id, grant });
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
        if (shared.peers) readAt = performance.now() + NET_MS;
        tell(
          [...before].filter(([id, { ended }]) => !ended && (next.get(id)?.ended ?? true)).map(([, known]) => known),
        );
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  /** A change may have come after a read in progress began. */
  async function readOn(): Promise<void> {
    // If this fails, the next tick tries again.
    readAt = 0;
    await reading?.catch(() => {});
    readAt = 0;
    await refresh();
  }

  function tell(ended: readonly Known[]): void {
    if (ended.length === 0) return;
    const gone = new Set(ended.map(({ principal }) => principal.id));
    for (const listener of listeners) listener(gone);
  }

  function judge(id: string, secret: string): Verdict | undefined {
    const known = byId.get(id);
    if (!known) return undefined;
    if (!proves(secret, known)) return { refused: 'unknown key' };
    if (known.revoked) return { refused: 'the key was revoked' };
    if (known.expires <= now()) return { refused: 'the key has expired' };
    if (isCutOff(shared)) return cannotJudge;
    return { principal: known.principal, expires: known.expires };
  }

  /** Reads the store again: the key may have been created a moment ago, after a read in progress started. */
  async function judgeAnew(id: string, secret: string): Promise<Verdict> {
    // Trying would take as long as a connection may, for each caller with an unknown key.
    if (shared.cutOffSince() !== undefined) return cannotJudge;
    try {
      if (reading) {
        await reading;
        const known = judge(id, secret);
        if (known) return known;
      }
      await refresh();
    } catch (error) {
      if (shared.peers) return cannotJudge;
      throw error;
    }
    return judge(id, secret) ?? { refused: 'unknown key' };
  }

  return {
    check(token) {
      const parts = readKey(token);
      if (!parts) return token.startsWith('slc_') ? { refused: 'the key is incomplete' } : undefined;
      return judge(parts.id, parts.secret) ?? judgeAnew(parts.id, parts.secret);
    },
    onRevoked: (listener) => void listeners.add(listener),
    recheck: readOn,
    [Symbol.dispose]() {
      clearInterval(timer);
      hearing?.[Symbol.dispose]();
    },
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
