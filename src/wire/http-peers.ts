import type { IncomingMessage } from 'node:http';
import type { AppError } from '../kernel/errors.ts';
import type { Inbound } from './http-inbound.ts';

/** The other replicas, as the HTTP endpoint sees them. */
export interface HttpPeers {
  /** An id for a new session; it names this replica. */
  newId(): string;
  /** The replica that begins new sessions for this one, which is about to stop: sessions here would end with it. */
  successor(request: IncomingMessage): string | undefined;
  /** The other replica that a session id or the token of a parked call names; undefined for our own and for other text. */
  ownerOf(id: unknown): string | undefined;
  /** Whether this is the body that the replica read which forwards the request, if one does. */
  isAsRead(request: IncomingMessage, body: Buffer): boolean;
  /** Lets another replica answer. False, with nothing answered, if that replica is gone. */
  forward(inbound: Inbound, owner: string, options: ForwardOptions): Promise<boolean>;
  /** Ends what is being forwarded. */
  end(reason: AppError): void;
}

export interface ForwardOptions {
  /** The largest body. */
  readonly limit: number;
  /** The body, if it was read already. */
  readonly body?: Buffer;
  /** Leaves Mcp-Session-Id out, because the session is ours and only this request belongs to the other replica. */
  readonly withoutSession?: true;
}
