import { joined } from '../kernel/large-text.ts';

export interface SseEvent {
  event?: string;
  data: string;
  id?: string;
}

/** One event on the wire. JSON-RPC text has no line breaks, so one data line is enough. */
export function sseFrame(data: string, id?: string, event = 'message'): string {
  return joined(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: `, data, '\n\n');
}

/** Primes a stream for resumption: an id without content. */
export const ssePrime = (id: string): string => `id: ${id}\ndata: \n\n`;

/** Says something to whoever reads the stream; clients ignore it. */
export const sseComment = (text: string): string => `: ${text}\n\n`;

export const sseKeepAlive = ': keep-alive\n\n';

const ENDS = 512;
const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * Incremental parser of an event stream (WHATWG rules: CR, LF or CRLF; comments; multi-line data). An event over the
 * limit is dropped and reported with the ends of its data, which may contain the id of the message.
 */
export function createSseReader(options: {
  limit: number;
  /** Gets how many bytes are kept of an event that is arriving; 0 when it was passed on or dropped. */
  onGrown?(bytes: number): void;
  onEvent(event: SseEvent): void;
  onRetry?(ms: number): void;
  onTooLong(ends: { head: string; tail: string; bytes: number }): void;
}): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let lineLength = 0;
  let isFirstLine = true;
  let afterCr = false;
  let size = 0;
  let skipped: { head: string; tail: Buffer; bytes: number; sameLine: boolean } | undefined;
  let data: Buffer[] = [];
  let event: string | undefined;
  let id: string | undefined;

  function dispatch(): void {
    if (skipped) {
      const { head, tail, bytes } = skipped;
      skipped = undefined;
      options.onTooLong({ head, tail: tail.toString(), bytes });
    } else if (data.length > 0) {
      const text = (data.length === 1 ? (data[0] as Buffer) : joinedLines(data)).toString();
      data = [];
      options.onEvent({ ...(event !== undefined && { event }), data: text, ...(id !== undefined && { id }) });
    }
    data = [];
    size = 0;
    event = undefined;
    id = undefined;
    options.onGrown?.(0);
  }

  function field(line: Buffer): void {
    const colon = line.indexOf(COLON);
    if (colon === 0) return;
    const name = line.toString('utf8', 0, colon === -1 ? line.length : colon);
    const value = line.subarray(colon === -1 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (name === 'data') {
      size += value.length;
      data.push(value);
      return;
    }
    const text = value.toString();
    if (name === 'event') event = text;
    else if (name === 'id' && !text.includes('\0')) id = text;
    else if (name === 'retry' && /^\d+$/.test(text)) options.onRetry?.(Number(text));
  }

  function keep(piece: Buffer): void {
    lineLength += piece.length;
    if (skipped) {
      skipped.bytes += piece.length;
      if (skipped.sameLine) skipped.tail = endOf(Buffer.concat([skipped.tail, endOf(piece)]));
      return;
    }
    parts.push(piece);
    if (size + lineLength <= options.limit) return options.onGrown?.(size + lineLength);
    const whole = Buffer.concat(parts);
    const line = whole.subarray(/^(?:data: ?)?/.exec(whole.toString('latin1', 0, 6))?.[0].length);
    const head = joinedLines([...data, line]).toString('utf8', 0, ENDS);
    skipped = { head, tail: endOf(line), bytes: size + line.length, sameLine: true };
    parts = [];
    data = [];
    options.onGrown?.(0);
  }

  function endLine(): void {
    if (lineLength === 0) dispatch();
    else if (skipped) skipped.sameLine = false;
    else {
      const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      field(isFirstLine && line.indexOf(BYTE_ORDER_MARK) === 0 ? line.subarray(BYTE_ORDER_MARK.length) : line);
    }
    isFirstLine = false;
    parts = [];
    lineLength = 0;
  }

  return (chunk) => {
    if (chunk.length === 0) return;
    // The LF after a CR does not end a second line, even in the next chunk.
    let start = afterCr && chunk[0] === LF ? 1 : 0;
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      if (end > start) keep(chunk.subarray(start, end));
      endLine();
      start = end === cr && chunk[end + 1] === LF ? end + 2 : end + 1;
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
    }
    if (start < chunk.length) keep(chunk.subarray(start));
    afterCr = chunk.at(-1) === CR;
  };
}

const NEWLINE = Buffer.of(LF);

const joinedLines = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line])));

const endOf = (bytes: Buffer): Buffer => bytes.subarray(Math.max(0, bytes.length - ENDS));
