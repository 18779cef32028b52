import type { Framing } from '../../kernel/message-limit.ts';

/** The answer of a server that sends the versions it knows. */
const VERSIONS_FOLLOW = 0x01_ff;
/** No server knows so many versions. */
const LONGEST_HANDSHAKE = 4096;

/** Bolt: a message is chunks that begin with their length in two bytes, and an empty one ends it. */
export const boltFraming: Framing = (most) => {
  let handshake: Buffer | undefined = Buffer.alloc(0);
  let half: number | undefined;
  let left = 0;
  let length = 0;

  return (piece) => {
    let at = 0;
    if (handshake) {
      const begun = handshake.length;
      handshake = Buffer.concat([handshake, piece]);
      const end = handshakeEnd(handshake);
      if (end === undefined) return handshake.length > LONGEST_HANDSHAKE ? 0 : -1;
      handshake = undefined;
      at = end - begun;
    }
    let start = at;
    while (at < piece.length) {
      if (left > 0) {
        const skipped = Math.min(left, piece.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const byte = piece[at] as number;
      at += 1;
      if (half === undefined) {
        half = byte;
        continue;
      }
      left = half * 256 + byte;
      half = undefined;
      if (left === 0) {
        length = 0;
        start = at;
        continue;
      }
      length += left;
      if (length > most) return start;
    }
    return -1;
  };
};

/** Four bytes with the version; or these, a number, that many versions of four bytes, and a number of flags. */
function handshakeEnd(bytes: Buffer): number | undefined {
  if (bytes.length < 4) return undefined;
  if (bytes.readUInt32BE(0) !== VERSIONS_FOLLOW) return 4;
  const count = numberAt(bytes, 4);
  return count && numberAt(bytes, count.end + 4 * count.value)?.end;
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function numberAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 128 ** (at - start);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
