import { AppError } from '../kernel/errors.ts';
import type { Id, Message } from './jsonrpc.ts';

/** What comes back over a link. */
export interface LinkEvents {
  /** `origin` is the request on whose own stream it came; only HTTP can tell. `text` is the message as it was received. */
  message(message: Message, origin: Id | undefined, text: string | undefined): void;
  /** This request will not be answered: it was not delivered, or its stream ended. */
  failed(id: Id, error: AppError): void;
  /** Something that is not MCP came, and was passed over. */
  noise(what: string): void;
  closed(error: AppError): void;
}

/** A way to a backend: a child's stdio, Streamable HTTP, or the legacy pair of stream and message URL. */
export interface Link {
  readonly kind: 'stdio' | 'http' | 'sse';
  /** Whether the server gave a session; only HTTP has those. */
  readonly hasSession?: boolean;
  send(message: Message, headers?: Readonly<Record<string, string>>): void;
  /** Gives up on one request where that needs no message (HTTP: its stream is closed). */
  drop(id: Id): void;
  /** What the handshake settled; HTTP needs it for headers and streams. */
  settled(version: string, modern: boolean): void;
  close(): Promise<void>;
}

/** Larger answers are refused: they would stall everyone else. */
export const MESSAGE_LIMIT = 32 * 1024 * 1024;

export function tooLarge(bytes?: number): AppError {
  return new AppError(
    'too_large',
    `The server answered with ${bytes ?? 'too many'} bytes; at most ${MESSAGE_LIMIT} are passed on. Ask for less.`,
  );
}

/** The id in a message too large to parse, from its ends. */
export function idInEnds(head: string, tail: string): Id | undefined {
  const match = /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d+)/.exec(head) ?? /"id":\s*(\d+)\s*\}?\s*$/.exec(tail);
  return match ? Number(match[1]) : undefined;
}
