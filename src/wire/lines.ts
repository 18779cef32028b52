/**
 * Splits a byte stream into lines. A line over the limit is dropped and reported with its ends, which may contain its
 * id.
 */
export function createLineReader(options: {
  limit: number;
  /** Gets how many bytes are kept of a line that is arriving; 0 when it was passed on or dropped. */
  onGrown?(bytes: number): void;
  onLine(line: string): void;
  onTooLong(ends: { head: string; tail: string; bytes: number }): void;
}): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let oversize: { head: string; tail: Buffer; bytes: number } | undefined;

  const ENDS = 512;

  function keep(piece: Buffer): void {
    if (oversize) {
      oversize.tail = Buffer.concat([oversize.tail, piece.subarray(Math.max(0, piece.length - ENDS))]);
      oversize.tail = oversize.tail.subarray(Math.max(0, oversize.tail.length - ENDS));
      oversize.bytes += piece.length;
      return;
    }
    parts.push(piece);
    size += piece.length;
    if (size > options.limit) {
      const all = Buffer.concat(parts);
      oversize = { head: all.toString('utf8', 0, ENDS), tail: all.subarray(all.length - ENDS), bytes: size };
      parts = [];
      size = 0;
    }
    options.onGrown?.(size);
  }

  function finish(): void {
    if (oversize) {
      const { head, tail, bytes } = oversize;
      oversize = undefined;
      options.onTooLong({ head, tail: tail.toString('utf8'), bytes });
      return;
    }
    const line = (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString('utf8').trim();
    parts = [];
    size = 0;
    if (line !== '') options.onLine(line);
    options.onGrown?.(0);
  }

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (end > start || parts.length > 0 || oversize) {
        keep(chunk.subarray(start, end));
        finish();
      }
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
}
