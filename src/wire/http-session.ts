import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import { ClientConnection } from './connection.ts';
import { type Accepts, HttpReply, openEventStream, type Replay } from './http-reply.ts';
import type { Service, View } from './service.ts';
import { sseFrame, sseKeepAlive } from './sse.ts';

const KEPT_EVENTS = 256;
const KEPT_BYTES = 4 * 1024 * 1024;
const STANDING = 0;

interface Kept {
  stream: number;
  sequence: number;
  data: string;
  /** Whether it went out on a stream; whether it arrived is not known. */
  sent: boolean;
}

/** A 2025 session over Streamable HTTP: one standing stream, one stream a POST, all of them resumable. */
export class HttpSession {
  readonly connection: ClientConnection;
  #lastSeen = Date.now();
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

  constructor(options: { principal: Principal; view: View; service: Service }) {
    const standing = { canAsk: () => this.#standing !== undefined, send: (text: string) => this.#sendStanding(text) };
    this.connection = new ClientConnection({ ...options, id: randomUUID(), standing });
    this.#headers = { 'mcp-session-id': this.id };
  }

  get id(): string {
    return this.connection.id;
  }

  /** How long nobody has used it; a session with a stream or a call is in use. */
  idleMs(now: number): number {
    return this.#standing || this.connection.busy ? 0 : now - this.#lastSeen;
  }

  touch(): void {
    this.#lastSeen = Date.now();
  }

  /** The reply to one POST, whose stream can be taken up again by its event ids. */
  reply(response: ServerResponse, accepts: Accepts, batch?: number): HttpReply {
    return new HttpReply(response, {
      accepts,
      replay: this.#replay,
      stream: this.#nextStream++,
      headers: this.#headers,
      // Clients before 2025-11-25 stumble over an event without data.
      prime: this.connection.client.version >= '2025-11-25',
      ...(batch !== undefined && { batch }),
    });
  }

  /** Opens the standing stream, or takes up the stream on which the last event id was seen. */
  stream(response: ServerResponse, lastEventId: string | undefined): void {
    const [stream = STANDING, sequence = -1] = (lastEventId ?? '').split('-').map(Number).filter(Number.isInteger);
    openEventStream(response, this.#headers);
    // Who names no event has missed what came while no stream was open.
    const isMissed = (kept: Kept) => (lastEventId === undefined ? !kept.sent : kept.sequence > sequence);
    for (const kept of this.#kept) {
      if (kept.stream !== stream || kept.data === '' || !isMissed(kept)) continue;
      kept.sent = true;
      response.write(sseFrame(kept.data, `${stream}-${kept.sequence}`));
    }
    if (stream !== STANDING) {
      const reply = this.#replies.get(stream);
      if (reply) reply.resume(response);
      else response.end();
      return;
    }
    this.#standing?.end();
    this.#standing = response;
    response.on('close', () => {
      if (this.#standing === response) this.#standing = undefined;
      this.touch();
    });
  }

  keepAlive(): void {
    this.#standing?.write(sseKeepAlive);
  }

  close(reason?: AppError): void {
    this.#standing?.end();
    this.#standing = undefined;
    this.connection.close(reason);
  }

  #sendStanding(text: string): void {
    const id = this.#keep(STANDING, text, this.#standing !== undefined);
    this.#standing?.write(sseFrame(text, id));
  }

  #keep(stream: number, data: string, sent = true): string {
    const sequence = this.#sequence++;
    this.#kept.push({ stream, sequence, data, sent });
    this.#keptBytes += data.length;
    while (this.#kept.length > KEPT_EVENTS || (this.#keptBytes > KEPT_BYTES && this.#kept.length > 1)) {
      this.#keptBytes -= this.#kept.shift()?.data.length ?? 0;
    }
    return `${stream}-${sequence}`;
  }
}
