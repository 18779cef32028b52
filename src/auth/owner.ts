import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../store/store.ts';

const KEY = 'oauth.owner';
/** About 0.2 s and 16 MB a guess. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const WAITING = 5;

interface Stored {
  salt: string;
  hash: string;
  cost: typeof COST;
}

/** Without letters that look alike, so that it can be typed from another screen. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function generated(): string {
  // 248 = 8 * 31: the bytes above would make some letters likelier.
  const letters: string[] = [];
  while (letters.length < 20) {
    for (const byte of randomBytes(32)) if (byte < 248) letters.push(ALPHABET[byte % 31] as string);
  }
  return letters
    .slice(0, 20)
    .join('')
    .replace(/(.{5})(?=.)/g, '$1-');
}

/** Makes a new password for the owner, and returns it: it cannot be read again. */
export async function resetOwner(settings: Settings): Promise<string> {
  const password = generated();
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  await settings.put(KEY, { salt: salt.toString('base64url'), hash: hash.toString('base64url'), cost: COST });
  return password;
}

/** The password that was made because there was none yet. */
export async function ensureOwner(settings: Settings): Promise<string | undefined> {
  return (await settings.get(KEY)) === undefined ? resetOwner(settings) : undefined;
}

/** Whether a password is the owner's; `busy` when too many are being checked already. */
export type CheckPassword = (given: string) => Promise<boolean | 'busy'>;

/** `configured` is the password of the configuration, which then is the only one. */
export function passwordCheck(settings: Settings, configured: () => string | undefined): CheckPassword {
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (given) => {
    const expected = configured();
    if (expected !== undefined) return equal(given, expected);
    if (waiting >= WAITING) return 'busy';
    waiting++;
    // One after the other, so that guessing costs neither memory nor threads.
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
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, 32, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function equal(a: string, b: string): boolean {
  const key = randomBytes(32);
  const mac = (text: string) => createHmac('sha256', key).update(text.normalize('NFKC')).digest();
  return timingSafeEqual(mac(a), mac(b));
}
