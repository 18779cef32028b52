const NEWLINE = 10;
const RETURN = 13;

/** What a line may have; what is longer is passed over. */
export const LONGEST_LINE = 1024 * 1024;

export interface Line {
  /** Absent where the line was too long. */
  bytes?: Buffer;
  /** How many bytes of the file are done with when this line is. */
  end: number;
}

/** Cuts the bytes of a file into lines, however they arrive. Holds no more than one line. */
export function createLines(offset: number, skipping: boolean) {
  /** The line whose end has not come yet, as it came. */
  let pieces: Buffer[] = [];
  let held = 0;
  /** Where it begins in the file. */
  let start = offset;
  let isSkipping = skipping;

  /** A line of which this is the last part. */
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
      // A copy: the chunk's memory is used again.
      pieces.push(Buffer.from(chunk.subarray(from)));
      held += chunk.length - from;
      if (held <= LONGEST_LINE && !isSkipping) return;
      isSkipping = true;
      start += held;
      pieces = [];
      held = 0;
    },
    /** The line that no newline will end any more. */
    last: (): Buffer => Buffer.concat(pieces),
    /** Everything before was handed out or passed over. */
    done: (): number => start,
    skipping: (): boolean => isSkipping,
    /** How far the file was read. */
    read: (): number => start + held,
  };
}

export type Lines = ReturnType<typeof createLines>;
