import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { alone } from '../kernel/alone.ts';
import type { Settings, Store } from '../store/store.ts';
import { normalized } from '../kernel/normalized.ts';

/** The only user of the built-in authorization server. */
export const OWNER = 'owner';

const KEY = 'oauth.owner';
/** About 0.2 s and 16 MB per guess. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const WAITING = 5;

interface Stored {
  salt: string;
  hash: string;
  cost: typeof COST;
}

/** Without characters that look alike, so that you can type it from another screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function generated(): string {
  // 248 = 8 * 31: bytes above it would make some letters more likely.
  const letters: string[] = [];
  while (letters.length < 20) {
    for (const byte of randomBytes(32)) if (byte < 248) letters.push(ALPHABET[byte % 31] as string);
  }
  return letters
    .slice(0, 20)
    .join('')
    .replace(/(.{5})(?=.)/g, '$1-');
}

/** Sets a new password for the owner and returns it. It cannot be read again. */
export async function resetOwner(settings: Settings): Promise<string> {
  const password = generated();
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  await settings.put(KEY, { salt: salt.toString('base64url'), hash: hash.toString('base64url'), cost: COST });
  return password;
}

/** Creates the owner's password if there is none yet, and returns it. */
export async function ensureOwner({
  settings,
  shared,
}: Pick<Store, 'settings' | 'shared'>): Promise<string | undefined> {
  const isMissing = async () => (await settings.get(KEY)) === undefined;
  if (!(await isMissing())) return undefined;
  // Replicas that start together must not print a password each, of which only the last would work.
  return alone(shared, 'creating the password of the owner', async () =>
    (await isMissing()) ? resetOwner(settings) : undefined,
  );
}

/** A text that changes with the owner's password and does not tell it. */
export const ownerMark = async (settings: Settings): Promise<string> => JSON.stringify(await settings.get(KEY));

/** Whether the password is the owner's; `busy` if too many checks are running. */
export type CheckPassword = (given: string) => Promise<boolean | 'busy'>;

/** `configured` is the password in the configuration. If there is one, no other is accepted. */
export function passwordCheck(settings: Settings, configured: () => string | undefined): CheckPassword {
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (given) => {
    const expected = configured();
    if (expected !== undefined) return equal(given, expected);
    if (waiting >= WAITING) return 'busy';
    waiting++;
    // Check one after the other, so that guessing uses neither memory nor threads.
    const mine = turn.then(() => matches(settings, given));
    turn = mine.catch(() => {});
    return mine.finally(() => waiting--);
  };
}

async function matches(settings: Settings, given: string): Promise<boolean> {
  // Read each time: `sluice owner reset` takes effect at once.
  const stored = (await settings.get(KEY)) as Stored | undefined;
  if (!stored) return false;
  const expected = Buffer.from(stored.hash, 'base64url');
  const actual = await derive(given, Buffer.from(stored.salt, 'base64url'), stored.cost);
  return timingSafeEqual(actual, expected);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const text = normalized(password, 'NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, 32, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function equal(a: string, b: string): boolean {
  const key = randomBytes(32);
  const mac = (text: string) => createHmac('sha256', key).update(normalized(text, 'NFKC')).digest();
  return timingSafeEqual(mac(a), mac(b));
}
