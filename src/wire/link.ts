import { AppError } from '../kernel/errors.ts';
import type { Id, Message } from './jsonrpc.ts';

/** What comes back over a link. */
export interface LinkEvents {
  /** `origin` is the request on whose own stream it came, which only HTTP knows. `text` is the message as received. */
  message(message: Message, origin: Id | undefined, text: string | undefined): void;
  /** The request will not be answered: it was not delivered, or its stream ended. */
  failed(id: Id, error: AppError): void;
  /** Something that is not MCP arrived and was skipped. */
  noise(what: string): void;
  closed(error: AppError): void;
}

/** A connection to a backend: a child's stdio, Streamable HTTP, or the legacy pair of stream and message URL. */
export interface Link {
  readonly kind: 'stdio' | 'http' | 'sse';
  /** Whether the server opened a session; only HTTP has sessions. */
  readonly hasSession?: boolean;
  send(message: Message, headers?: Readonly<Record<string, string>>): void;
  /** Drops a request if that needs no message (HTTP closes its stream). */
  drop(id: Id): void;
  /** The result of the handshake, which HTTP needs for headers and streams. */
  settled(version: string, modern: boolean): void;
  close(): Promise<void>;
}

/** Larger answers are refused: they would delay everyone else. */
export const MESSAGE_LIMIT = 32 * 1024 * 1024;

export function tooLarge(bytes?: number): AppError {
  return new AppError(
    'too_large',
    `The server answered with ${bytes ?? 'too many'} bytes; the limit is ${MESSAGE_LIMIT}. Ask for less.`,
  );
}

/** The id of a message too large to parse, found in its ends. */
export function idInEnds(head: string, tail: string): Id | undefined {
  const match = /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d+)/.exec(head) ?? /"id":\s*(\d+)\s*\}?\s*$/.exec(tail);
  return match ? Number(match[1]) : undefined;
}
