interface Long {
  /** What kind of message it is. */
  readonly letter: string;
  readonly bytes: number;
}

/** A letter, and four bytes with the length of what follows, which counts these four. */
const HEAD = 5;
const LENGTH = 4;

/**
 * Finds messages of PostgreSQL's protocol that are longer than `most`, by what they say before they come. Give it every
 * piece of a connection, in order.
 */
export function longMessages(most: number): (piece: Uint8Array) => Long | undefined {
  const head = Buffer.alloc(HEAD);
  let known = 0;
  let rest = 0;
  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (rest > 0) {
        const skipped = Math.min(rest, piece.length - at);
        rest -= skipped;
        at += skipped;
        continue;
      }
      const taken = Math.min(HEAD - known, piece.length - at);
      head.set(piece.subarray(at, at + taken), known);
      known += taken;
      at += taken;
      if (known < HEAD) return undefined;
      known = 0;
      rest = head.readUInt32BE(1) - LENGTH;
      if (rest > most) return { letter: String.fromCharCode(head[0] as number), bytes: rest };
    }
    return undefined;
  };
}
