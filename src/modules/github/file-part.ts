import { shown } from '../shown.ts';

/** What a reply has room for, in bytes of JSON inside JSON. */
const ROOM = 3600;

/**
 * A part of a file as text, or as base64. What JSON has to escape takes more room, so fewer bytes are shown then.
 * `bytes` begins at `offset` of a file with `size` bytes.
 */
export function shownPart(bytes: Buffer, { offset, size }: { offset: number; size: number }) {
  const whole = offset + bytes.length < size ? withoutCut(bytes) : bytes;
  for (let most = whole.length; ; most = Math.floor(most * 0.8)) {
    const { value, encoding, next_offset } = shown(whole, { most });
    if (most >= 50 && sizeInReply(value) > ROOM) continue;
    const end = offset + (next_offset ?? whole.length);
    return {
      content: value,
      ...(encoding && { encoding }),
      ...(end < size && { next_offset: end }),
    };
  }
}

/** Once as data and once as text, the larger of the two. */
export const sizeInReply = (text: string): number => Buffer.byteLength(JSON.stringify(JSON.stringify(text)));

/** Bytes from the middle of a file may end within a character. */
function withoutCut(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    // What begins with 10 continues a character.
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
