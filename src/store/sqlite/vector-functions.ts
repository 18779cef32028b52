import type { DatabaseSync } from 'node:sqlite';

/** Loads sqlite-vec. Where there is none for the platform, such as Alpine, JavaScript does the same ten times slower. */
export async function loadVectorFunctions(db: DatabaseSync): Promise<void> {
  try {
    const { getLoadablePath } = await import('sqlite-vec');
    db.loadExtension(getLoadablePath());
  } catch {
    addVectorFunctions(db);
  } finally {
    db.enableLoadExtension(false);
  }
}

/** The functions of sqlite-vec that Sluice uses, on vectors as they are stored: a bit or a byte for each dimension. */
export function addVectorFunctions(db: DatabaseSync): void {
  const options = { deterministic: true };
  db.function('vec_bit', options, (bits) => bits);
  db.function('vec_int8', options, (bytes) => bytes);
  db.function('vec_distance_hamming', options, (one, other) => hamming(one as Uint8Array, other as Uint8Array));
  db.function('vec_distance_cosine', options, (one, other) => cosineDistance(one as Uint8Array, other as Uint8Array));
}

function hamming(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    // Counts pairs of bits, then nibbles, then the byte.
    let bits = (one[at] as number) ^ (other[at] as number);
    bits -= (bits >> 1) & 0x55;
    bits = (bits & 0x33) + ((bits >> 2) & 0x33);
    sum += (bits + (bits >> 4)) & 0x0f;
  }
  return sum;
}

function cosineDistance(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [signed(one), signed(other)];
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] as number, b[at] as number];
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return 1 - dot / (Math.sqrt(lengthA * lengthB) || 1);
}

const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
