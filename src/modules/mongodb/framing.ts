import type { Framing } from '../../kernel/message-limit.ts';

const HEADER = 16;
const OP_COMPRESSED = 2012;

/**
 * MongoDB's messages (https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/) begin with their length.
 * Nobody knows how long a compressed one becomes, and Sluice asks for none.
 */
export const mongoFraming: Framing = (most) => {
  const header = Buffer.alloc(HEADER);
  let known = 0;
  let left = 0;
  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (left > 0) {
        const skipped = Math.min(left, piece.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      const start = at;
      at += piece.copy(header, known, at);
      known = (known + at - start) % HEADER;
      if (known > 0) break;
      const length = header.readUInt32LE(0);
      if (length > most || header.readInt32LE(12) === OP_COMPRESSED) return start;
      left = Math.max(0, length - HEADER);
    }
    return -1;
  };
};
