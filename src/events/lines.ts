const NEWLINE = 10;
const RETURN = 13;

/** Longer lines are skipped. */
export const LONGEST_LINE = 1024 * 1024;

export interface Line {
  /** Absent if the line was too long. */
  bytes?: Buffer;
  /** The file offset after this line. */
  end: number;
}

/** Splits the bytes of a file into lines, in whatever chunks they arrive. Buffers at most one line. */
export function createLines(offset: number, skipping: boolean) {
  /** The chunks of the line that has not ended yet. */
  let pieces: Buffer[] = [];
  let held = 0;
  /** File offset where that line starts. */
  let start = offset;
  let isSkipping = skipping;

  /** Completes the line with its last part. */
  function ended(part: Buffer): Line | undefined {
    const whole = held === 0 ? part : Buffer.concat([...pieces, part]);
    const wasSkipping = isSkipping;
    start += whole.length + 1;
    pieces = [];
    held = 0;
    isSkipping = false;
    const line = whole.at(-1) === RETURN ? whole.subarray(0, -1) : whole;
    if (wasSkipping || line.length > LONGEST_LINE) return { end: start };
    return line.length === 0 ? undefined : { bytes: line, end: start };
  }

  return {
    *add(chunk: Buffer): Generator<Line> {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const line = ended(chunk.subarray(from, at));
        from = at + 1;
        if (line) yield line;
      }
      if (from === chunk.length) return;
      // Copy: the caller reuses the chunk's memory.
      pieces.push(Buffer.from(chunk.subarray(from)));
      held += chunk.length - from;
      if (held <= LONGEST_LINE && !isSkipping) return;
      isSkipping = true;
      start += held;
      pieces = [];
      held = 0;
    },
    /** What follows the last newline. It is a line if the file has ended. */
    last: (): Buffer => Buffer.concat(pieces),
    /** File offset up to which every line was yielded or skipped. */
    done: (): number => start,
    skipping: (): boolean => isSkipping,
    /** File offset up to which bytes were read. */
    read: (): number => start + held,
  };
}

export type Lines = ReturnType<typeof createLines>;
