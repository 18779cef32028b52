export type Stream = 'stdout' | 'stderr';

export interface Piece {
  readonly stream: Stream;
  readonly bytes: Buffer;
}

const HEADER = 8;

/**
 * Separates stdout from stderr in the stream of logs and commands. A frame is one byte for the stream, three zeros, the
 * length in four bytes, and that many bytes. A container with a terminal sends plain text instead. Frames are passed on
 * piece by piece, so that a frame of any length takes no memory.
 */
export async function* pieces(body: AsyncIterable<Buffer>, hasTerminal: boolean): AsyncGenerator<Piece> {
  if (hasTerminal) {
    for await (const bytes of body) yield { stream: 'stdout', bytes };
    return;
  }
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let stream: Stream = 'stdout';
  for await (const chunk of body) {
    let at = 0;
    while (at < chunk.length) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left);
        yield { stream, bytes };
        left -= bytes.length;
        at += bytes.length;
        continue;
      }
      const more = chunk.subarray(at, at + HEADER - rest.length);
      const header: Buffer = Buffer.concat([rest, more]);
      at += more.length;
      if (header.length < HEADER) {
        rest = header;
        continue;
      }
      rest = Buffer.alloc(0);
      stream = header[0] === 2 ? 'stderr' : 'stdout';
      left = header.readUInt32BE(4);
    }
  }
}

export interface Line {
  readonly stream: Stream;
  readonly text: string;
}

/** A line that is longer is cut while it is read: nothing may hold 50 MB without a line break. */
const LONGEST_LINE = 16_384;

/** The pieces as lines, in the order in which they ended. */
export async function* linesOf(all: AsyncIterable<Piece>): AsyncGenerator<Line> {
  const open = { stdout: startLine(), stderr: startLine() };
  for await (const { stream, bytes } of all) {
    const line = open[stream];
    let at = 0;
    for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
      line.add(bytes.subarray(at, end));
      yield { stream, text: line.take() };
      at = end + 1;
    }
    line.add(bytes.subarray(at));
  }
  for (const stream of ['stdout', 'stderr'] as const)
    if (open[stream].length() > 0) yield { stream, text: open[stream].take() };
}

function startLine() {
  let parts: Buffer[] = [];
  let kept = 0;
  let length = 0;
  return {
    length: () => length,
    add(bytes: Buffer) {
      length += bytes.length;
      if (bytes.length === 0 || kept >= LONGEST_LINE) return;
      const part = bytes.subarray(0, LONGEST_LINE - kept);
      // A copy: the chunk around it is as large as what the server sent at once.
      parts.push(Buffer.from(part));
      kept += part.length;
    },
    take(): string {
      const text = Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
      const cut = length > kept ? `${text}… (${length} bytes)` : text;
      parts = [];
      kept = 0;
      length = 0;
      return cut;
    },
  };
}
