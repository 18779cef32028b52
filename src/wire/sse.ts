export interface SseEvent {
  event?: string;
  data: string;
  id?: string;
}

/** One event as bytes on the wire; JSON-RPC text has no line breaks, so one data line is enough. */
export function sseFrame(data: string, id?: string, event = 'message'): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Primes a stream for resumption: an id with nothing in it. */
export const ssePrime = (id: string): string => `id: ${id}\ndata: \n\n`;

export const sseKeepAlive = ': keep-alive\n\n';

/** Incremental parser of an event stream (WHATWG rules: CR, LF or CRLF; comments; multi-line data). */
export function createSseReader(options: {
  limit: number;
  onEvent(event: SseEvent): void;
  onRetry?(ms: number): void;
  onTooLong(): void;
}): (chunk: Buffer) => void {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let size = 0;
  let skipping = false;
  let data: string[] = [];
  let event: string | undefined;
  let id: string | undefined;

  function dispatch(): void {
    if (skipping) {
      skipping = false;
      options.onTooLong();
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

  function line(text: string): void {
    if (text === '') return dispatch();
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      size += value.length;
      if (size > options.limit) skipping = true;
      else data.push(value);
    } else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) options.onRetry?.(Number(value));
  }

  return (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let i = 0; i < rest.length; i++) {
      const char = rest.charCodeAt(i);
      if (char !== 10 && char !== 13) continue;
      // A CR at the very end may be the first half of a CRLF.
      if (char === 13 && i + 1 === rest.length) break;
      line(rest.slice(start, i));
      if (char === 13 && rest.charCodeAt(i + 1) === 10) i++;
      start = i + 1;
    }
    rest = rest.slice(start);
    if (rest.length > options.limit) {
      skipping = true;
      rest = 'data: ';
    }
  };
}
