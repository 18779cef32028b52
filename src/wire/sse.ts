export interface SseEvent {
  event?: string;
  data: string;
  id?: string;
}

/** One event on the wire. JSON-RPC text has no line breaks, so one data line is enough. */
export function sseFrame(data: string, id?: string, event = 'message'): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Primes a stream for resumption: an id without content. */
export const ssePrime = (id: string): string => `id: ${id}\ndata: \n\n`;

/** Says something to whoever reads the stream; clients ignore it. */
export const sseComment = (text: string): string => `: ${text}\n\n`;

export const sseKeepAlive = ': keep-alive\n\n';

const ENDS = 512;

/**
 * Incremental parser of an event stream (WHATWG rules: CR, LF or CRLF; comments; multi-line data). An event over the
 * limit is dropped and reported with the ends of its data, which may contain the id of the message.
 */
export function createSseReader(options: {
  limit: number;
  onEvent(event: SseEvent): void;
  onRetry?(ms: number): void;
  onTooLong(ends: { head: string; tail: string; bytes: number }): void;
}): (chunk: Buffer) => void {
  const decoder = new TextDecoder('utf-8');
  let parts: string[] = [];
  let lineLength = 0;
  let afterCr = false;
  let size = 0;
  let skipped: { head: string; tail: string; bytes: number; sameLine: boolean } | undefined;
  let data: string[] = [];
  let event: string | undefined;
  let id: string | undefined;

  function dispatch(): void {
    if (skipped) {
      const { head, tail, bytes } = skipped;
      skipped = undefined;
      options.onTooLong({ head, tail, bytes });
    } else if (data.length > 0) {
      options.onEvent({
        ...(event !== undefined && { event }),
        data: data.join('\n'),
        ...(id !== undefined && { id }),
      });
    }
    data = [];
    size = 0;
    event = undefined;
    id = undefined;
  }

  function field(text: string): void {
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      size += value.length;
      data.push(value);
    } else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) options.onRetry?.(Number(value));
  }

  function keep(piece: string): void {
    lineLength += piece.length;
    if (skipped) {
      skipped.bytes += piece.length;
      if (skipped.sameLine) skipped.tail = (skipped.tail + piece).slice(-ENDS);
      return;
    }
    parts.push(piece);
    if (size + lineLength <= options.limit) return;
    const line = parts.join('').replace(/^data: ?/, '');
    const head = [...data, line].join('\n').slice(0, ENDS);
    skipped = { head, tail: line.slice(-ENDS), bytes: size + line.length, sameLine: true };
    parts = [];
    data = [];
  }

  function endLine(): void {
    if (lineLength === 0) dispatch();
    else if (skipped) skipped.sameLine = false;
    else field(parts.length === 1 ? (parts[0] as string) : parts.join(''));
    parts = [];
    lineLength = 0;
  }

  return (chunk) => {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') return;
    // The LF after a CR does not end a second line, even in the next chunk.
    let start = afterCr && text[0] === '\n' ? 1 : 0;
    const ends = /[\r\n]/g;
    ends.lastIndex = start;
    for (let found = ends.exec(text); found; found = ends.exec(text)) {
      if (found.index > start) keep(text.slice(start, found.index));
      endLine();
      start = found.index + 1;
      if (found[0] === '\r' && text[start] === '\n') ends.lastIndex = ++start;
    }
    if (start < text.length) keep(text.slice(start));
    afterCr = text.endsWith('\r');
  };
}
