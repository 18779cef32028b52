import type { ServerResponse } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Allowance } from './allowance.ts';
import { ClientConnection } from './connection.ts';
import { type Accepts, HttpReply, openEventStream, type Replay } from './http-reply.ts';
import type { Service, View } from './service.ts';
import { sseComment, sseFrame, sseKeepAlive } from './sse.ts';

const KEPT_EVENTS = 256;
const KEPT_BYTES = 4 * 1024 * 1024;
const STANDING = 0;

interface Kept {
  stream: number;
  sequence: number;
  data: string;
  /** Whether it was written to a stream. Whether it arrived is unknown. */
  sent: boolean;
}

/** A 2025 session over Streamable HTTP: one standing stream and one stream per POST, all resumable. */
export class HttpSession {
  readonly connection: ClientConnection;
  lastSeen = Date.now();
  /** Latest expiry of the tokens it was used with. */
  expires: number;
  /** Ends it for good. */
  readonly end: () => void;
  readonly #allowance: Allowance;
  #standing: ServerResponse | undefined;
  readonly #replies = new Map<number, HttpReply>();
  readonly #replay: Replay = {
    keep: (stream, data) => this.#keep(stream, data),
    begun: (stream, reply) => this.#replies.set(stream, reply),
    done: (stream) => this.#replies.delete(stream),
  };
  readonly #headers: Record<string, string>;
  readonly #kept: Kept[] = [];
  #keptBytes = 0;
  #sequence = 0;
  #nextStream = 1;
  #closed = false;

  constructor(options: {
    id: string;
    principal: Principal;
    view: View;
    service: Service;
    allowance: Allowance;
    end(session: HttpSession): void;
  }) {
    const { id, principal, view, service } = options;
    const standing = { canAsk: () => this.#standing !== undefined, send: (text: string) => this.#sendStanding(text) };
    this.end = () => options.end(this);
    const endIdle = () => {
      const idle = this.isIdle();
      if (idle) this.end();
      return idle;
    };
    this.connection = new ClientConnection({ principal, view, service, id, standing, endIdle });
    this.#allowance = options.allowance;
    this.expires = principal.expires ?? Number.POSITIVE_INFINITY;
    this.#headers = { 'mcp-session-id': this.id };
    this.#allowance.addSession(this);
  }

  get id(): string {
    return this.connection.id;
  }

  /** Whether it has neither a stream nor a call. */
  isIdle(): boolean {
    return !this.#standing && !this.connection.busy;
  }

  /** How long it has been idle. */
  idleMs(now: number): number {
    return this.isIdle() ? now - this.lastSeen : 0;
  }

  touch(): void {
    this.lastSeen = Date.now();
  }

  /** Records a use by a token of the same caller, which may expire later than the previous one. */
  usedBy({ expires = Number.POSITIVE_INFINITY }: Principal): void {
    this.touch();
    if (expires > this.expires) this.expires = expires;
  }

  /** The reply to one POST. Its stream can be resumed by event ids. */
  reply(response: ServerResponse, accepts: Accepts, batch?: number): HttpReply {
    return new HttpReply(response, {
      accepts,
      unread: this.#allowance.unread,
      replay: this.#replay,
      stream: this.#nextStream++,
      headers: this.#headers,
      // Clients before 2025-11-25 fail on an event without data.
      prime: this.connection.client.version >= '2025-11-25',
      ...(batch !== undefined && { batch }),
    });
  }

  /** Opens the standing stream, or resumes the stream of a call after the last event id. */
  stream(response: ServerResponse, lastEventId: string | undefined): 'call' | 'standing' {
    const [stream = STANDING, sequence = -1] = (lastEventId ?? '').split('-').map(Number).filter(Number.isInteger);
    openEventStream(response, this.#headers);
    // A client without a last event id missed what came while no stream was open.
    const isMissed = (kept: Kept) => (lastEventId === undefined ? !kept.sent : kept.sequence > sequence);
    for (const kept of this.#kept) {
      if (kept.stream !== stream || kept.data === '' || !isMissed(kept)) continue;
      kept.sent = true;
      response.write(sseFrame(kept.data, `${stream}-${kept.sequence}`));
    }
    this.#allowance.unread.wrote(response);
    if (stream !== STANDING) {
      const reply = this.#replies.get(stream);
      if (reply) reply.resume(response);
      else response.end();
      return 'call';
    }
    this.#standing?.end();
    this.#standing = response;
    response.on('close', () => {
      if (this.#standing === response) this.#standing = undefined;
      this.touch();
    });
    return 'standing';
  }

  keepAlive(): void {
    if (this.#standing?.writableLength === 0) this.#standing.write(sseKeepAlive);
  }

  close(reason?: AppError): void {
    this.#standing?.end(reason && sseComment(reason.message));
    this.#standing = undefined;
    this.#closed = true;
    this.#allowance.removeSession(this);
    this.forgetKept();
    this.connection.close(reason);
  }

  /** Drops the events kept for a client that lost a stream. */
  forgetKept(): void {
    this.#allowance.keeps(this, -this.#keptBytes);
    this.#allowance.keepsNoMore(this);
    this.#keptBytes = 0;
    this.#kept.length = 0;
  }

  #sendStanding(text: string): void {
    const standing = this.#standing && this.#allowance.unread.mayNotify(this.#standing) ? this.#standing : undefined;
    const id = this.#keep(STANDING, text, standing !== undefined);
    if (!standing) return;
    standing.write(sseFrame(text, id));
    this.#allowance.unread.wrote(standing);
  }

  #keep(stream: number, data: string, sent = true): string {
    const sequence = this.#sequence++;
    if (this.#closed) return `${stream}-${sequence}`;
    const before = this.#keptBytes;
    this.#kept.push({ stream, sequence, data, sent });
    this.#keptBytes += data.length;
    while (this.#kept.length > KEPT_EVENTS || (this.#keptBytes > KEPT_BYTES && this.#kept.length > 1)) {
      this.#keptBytes -= this.#kept.shift()?.data.length ?? 0;
    }
    this.#allowance.keeps(this, this.#keptBytes - before);
    return `${stream}-${sequence}`;
  }
}
