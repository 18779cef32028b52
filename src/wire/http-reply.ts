import type { ServerResponse } from 'node:http';
import { LARGE, toWrite } from '../kernel/large-text.ts';
import type { Channel } from './connection.ts';
import { sseFrame, sseKeepAlive, ssePrime } from './sse.ts';
import type { Unread } from './unread.ts';

export interface Accepts {
  json: boolean;
  sse: boolean;
}

/** What a client accepts. A missing, wildcard or unknown header counts as both: real clients send these. */
export function acceptsOf(header: string | undefined): Accepts {
  if (header === undefined || header.includes('*/*')) return { json: true, sse: true };
  const json = header.includes('application/json') || header.includes('application/*');
  const sse = header.includes('text/event-stream') || header.includes('text/*');
  return json || sse ? { json, sse } : { json: true, sse: true };
}

/** Keeps what was sent on streams, so that a client that lost one can get it again. */
export interface Replay {
  /** Returns the id under which the event was kept. */
  keep(stream: number, data: string): string;
  /** Called when a stream starts. Only started streams can be resumed. */
  begun(stream: number, reply: HttpReply): void;
  done(stream: number): void;
}

const sseHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

export function openEventStream(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...sseHeaders, ...headers });
  response.flushHeaders();
}

export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(toWrite(text));
}

/**
 * The answer to one POST: plain JSON if the result comes first, an event stream as soon as something precedes it. A
 * batch is several answers on one reply.
 */
export class HttpReply implements Channel {
  #response: ServerResponse;
  readonly #accepts: Accepts;
  readonly #headers: Record<string, string>;
  readonly #replay: Replay | undefined;
  readonly #unread: Unread;
  readonly #prime: boolean;
  readonly #batch: boolean;
  readonly #stream: number;
  #expected: number;
  #streaming = false;
  #texts: string[] = [];

  constructor(
    response: ServerResponse,
    options: {
      accepts: Accepts;
      unread: Unread;
      headers?: Record<string, string>;
      replay?: Replay;
      /** Number of the stream in the replay. */
      stream?: number;
      prime?: boolean;
      batch?: number;
    },
  ) {
    this.#response = response;
    this.#accepts = options.accepts;
    this.#unread = options.unread;
    this.#headers = options.headers ?? {};
    this.#replay = options.replay;
    this.#prime = options.prime ?? false;
    this.#batch = options.batch !== undefined;
    this.#expected = options.batch ?? 1;
    this.#stream = options.stream ?? 0;
  }

  canAsk(): boolean {
    return this.#accepts.sse && this.#expected > 0;
  }

  /**
   * Sends something that belongs to the request and precedes its answer. Clients that accept only JSON do not get it.
   */
  send(text: string): void {
    if (!this.#accepts.sse) return;
    this.#open();
    // A cut stream can be resumed: keep what comes now for that.
    const frame = this.#frame(text);
    if (!this.#unread.mayNotify(this.#response)) return;
    this.#response.write(frame);
    this.#unread.wrote(this.#response);
  }

  /** Called while the answer is due, so that proxies do not close a silent connection. */
  keepAlive(): void {
    if (!this.#accepts.sse) return;
    this.#open();
    if (this.#response.writableLength === 0) this.#response.write(sseKeepAlive);
  }

  /** Continues on another response after the first one was lost. */
  resume(response: ServerResponse): void {
    this.#response.end();
    this.#response = response;
    this.#streaming = true;
  }

  finish(text: string | undefined, status = 200, onRead?: () => void): void {
    this.#expected--;
    this.#answer(text, status);
    this.#unread.wrote(this.#response, onRead);
    if (this.#expected <= 0 && this.#streaming) this.#replay?.done(this.#stream);
  }

  #answer(text: string | undefined, status: number): void {
    // Many large answers must not wait in memory for the last one of a batch.
    const isUrgent = this.#expected > 0 && this.#accepts.sse && text !== undefined && text.length > LARGE;
    if (this.#streaming || !this.#accepts.json || isUrgent) {
      this.#open();
      if (text !== undefined) this.#write(text);
      if (this.#expected <= 0) this.#response.end();
      return;
    }
    if (text !== undefined) this.#texts.push(text);
    if (this.#expected > 0) return;
    if (this.#texts.length === 0) this.#response.writeHead(202, this.#headers).end();
    else
      sendJson(
        this.#response,
        status,
        this.#batch ? `[${this.#texts.join(',')}]` : (this.#texts[0] as string),
        this.#headers,
      );
  }

  #open(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    this.#replay?.begun(this.#stream, this);
    openEventStream(this.#response, this.#headers);
    if (this.#replay && this.#prime) this.#response.write(ssePrime(this.#replay.keep(this.#stream, '')));
    for (const text of this.#texts) this.#write(text);
    this.#texts = [];
  }

  #write(text: string): void {
    this.#response.write(toWrite(this.#frame(text)));
  }

  #frame(text: string): string {
    return sseFrame(text, this.#replay?.keep(this.#stream, text));
  }
}
