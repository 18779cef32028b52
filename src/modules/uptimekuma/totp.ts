import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;
const DIGITS = 6;

/** Authenticators show the secret in groups, and with padding. */
const plain = (secret: string): string => secret.replace(/[\s=-]/g, '').toUpperCase();

export const isBase32 = (secret: string): boolean => /^[A-Z2-7]{8,}$/.test(plain(secret));

/** The code of RFC 6238 for a moment; `steps` later or earlier if given. */
export function totpCode(secret: string, now: number, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / STEP_MS) + steps));
  const digest = createHmac('sha1', bytesOf(plain(secret)))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
