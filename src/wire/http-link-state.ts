import type { ClientRequest } from 'node:http';
import { type AppError, toAppError } from '../kernel/errors.ts';
import type { Credentials } from './credentials.ts';
import { createHttpClient, type HttpClient, type HttpTarget } from './http-client.ts';
import { InFlight } from './in-flight.ts';
import type { LinkEvents } from './link.ts';

export interface HttpLinkOptions extends HttpTarget {
  headers: Headers;
  /** Sent in addition, if the server requires a login. */
  credentials?: Credentials;
}

export type Headers = Readonly<Record<string, string>>;

/** State shared by the parts of one Streamable HTTP link. */
export interface HttpLinkState {
  readonly options: HttpLinkOptions;
  readonly events: LinkEvents;
  readonly client: HttpClient;
  /** Requests waiting for their answer. */
  readonly streams: InFlight<ClientRequest>;
  session: string | undefined;
  version: string | undefined;
  modern: boolean;
  closed: boolean;
}

export function createHttpLinkState(options: HttpLinkOptions, events: LinkEvents): HttpLinkState {
  return {
    options,
    events,
    client: createHttpClient(options),
    streams: new InFlight<ClientRequest>(),
    session: undefined,
    version: undefined,
    modern: false,
    closed: false,
  };
}

export function sessionHeaders({ session, version }: HttpLinkState): Record<string, string> {
  return {
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(version !== undefined && { 'mcp-protocol-version': version }),
  };
}

export const unsigned: Headers = {};

/** Continues with our credentials: at once if they are in memory, otherwise after fetching them. */
export function signed(
  { options: { credentials } }: HttpLinkState,
  go: (own: Headers) => void,
  failed: (error: AppError) => void,
): void {
  const own = credentials ? credentials.headers() : unsigned;
  if (own instanceof Promise) own.then(go).catch((error: unknown) => failed(toAppError(error)));
  else go(own);
}
