import type { Principal } from '../kernel/principal.ts';
import type { CallContext, ClientFacts, Exposure, Json, Outcome } from '../kernel/source.ts';
import type { Notification, Request } from './jsonrpc.ts';

/** What a client wants to see: a toolset by URL, an exposure by query. */
export interface View {
  readonly toolset?: string;
  readonly expose?: Exposure;
}

/**
 * How a request ended. `unknownMethod` means that we do not support the method at all; `elsewhere` names the replica that
 * can answer, for transports that can forward. `release` is called when the client has the answer.
 */
export type Answer = Outcome & { unknownMethod?: true; elsewhere?: string; release?: () => void };

/** A client with a connection: a 2025 session, a legacy SSE stream, stdio. */
export interface Connection {
  readonly id: string;
  readonly principal: Principal;
  readonly view: View;
  client: ClientFacts;
  /** Sends a notification that belongs to no request. */
  notify(method: string, params?: Json): void;
  /** Ends it if it has neither a stream nor a call, and returns whether it did. The client then initializes again. */
  endIdle(): boolean;
  /** Asks the client something outside any request. */
  ask(method: string, params: Json | undefined, signal?: AbortSignal): Promise<Outcome>;
}

/** One request in progress, with everything that can be done for its sender. */
export interface Exchange extends CallContext {
  readonly view: View;
  readonly connection?: Connection;
}

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}

export interface Subscription {
  /** The part of the filter that we support. */
  readonly honoured: SubscriptionFilter;
  stop(): void;
}

/** A listener without a connection: one `subscriptions/listen` stream. */
export interface Listener {
  readonly principal: Principal;
  readonly view: View;
  readonly client: ClientFacts;
  readonly filter: SubscriptionFilter;
  deliver(method: string, params: Json): void;
}

/** Everything behind the wire, the same for every transport and era. No method throws. */
export interface Service {
  readonly serverInfo: Json;
  request(request: Request, exchange: Exchange): Promise<Answer>;
  notification(notification: Notification, connection: Connection): void;
  opened(connection: Connection): void;
  closed(connection: Connection): void;
  /**
   * Starts a subscription: acknowledges the part of the filter that we support, then delivers. `stop` must be called also
   * if the client has left in the meantime.
   */
  listen(listener: Listener): Promise<Subscription>;
  /** What is wrong with a view; undefined if nothing is. */
  viewProblem(view: View): string | undefined;
}
