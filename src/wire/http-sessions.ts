import type { AppError } from '../kernel/errors.ts';
import { isSame } from '../kernel/principal.ts';
import type { ClientFacts } from '../kernel/source.ts';
import type { Allowances } from './allowance.ts';
import type { Expiries } from './expiries.ts';
import {
  conclude,
  type DueReplies,
  header,
  type Inbound,
  paramHeaders,
  refuse,
  isRoomForStream,
  refuseMore,
  soleExchange,
  stopAtClose,
  sizeOf,
  traceOf,
} from './http-inbound.ts';
import { acceptsOf, HttpReply } from './http-reply.ts';
import { HttpSession } from './http-session.ts';
import {
  code,
  errorOutcome,
  type Id,
  isNotification,
  isRequest,
  isResponse,
  type Message,
  type Request,
} from './jsonrpc.ts';
import type { Service } from './service.ts';
import { legacyVersions, MODERN } from './versions.ts';

export const BATCH_REFUSED = 'Batches exist only in 2025-03-26. Send one message per request.';

/** Methods that make sense only for a client that stays on the same connection. */
const needSession: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']);

const invalid = (message: string) => ({ code: code.invalidRequest, message });
const bad = (message: string) => ({ code: code.server, message });
export const sessionNotFound = { code: code.sessionNotFound, message: 'Session not found: initialize again.' };

/** Streamable HTTP of the 2025 eras: sessions, and answers for clients that never open one. */
export function createSessionFront(
  service: Service,
  due: DueReplies,
  { limits, expiries, newId }: Pick<Allowances, 'limits'> & { expiries: Expiries; newId(): string },
) {
  const sessions = new Map<string, HttpSession>();

  function end(session: HttpSession, reason?: AppError): void {
    sessions.delete(session.id);
    session.close(reason);
  }

  /** A new session; undefined, with the request answered, if the caller has too many. */
  function open(inbound: Inbound): HttpSession | undefined {
    const { principal, view, allowance } = inbound;
    const most = limits().sessions;
    if (!allowance.makeRoom(most)) {
      const what = `You have ${most} sessions, all of them in use. End some with DELETE, or raise limits.sessions.`;
      refuseMore(inbound, 'sessions', what);
      return undefined;
    }
    const session = new HttpSession({ id: newId(), principal, view, service, allowance, end });
    sessions.set(session.id, session);
    return session;
  }

  /**
   * The session a request names, if it exists and belongs to the caller. A session is bound to its toolset: a token for
   * one toolset must not reach another one, or everything, through a session.
   */
  function own({ request, principal, view }: Inbound): HttpSession | undefined {
    const session = sessions.get(header(request, 'mcp-session-id') ?? '');
    if (!session || (view.toolset !== undefined && view.toolset !== session.connection.view.toolset)) return undefined;
    if (!isSame(session.connection.principal, principal)) return undefined;
    session.usedBy(principal);
    return session;
  }

  async function inSession(
    session: HttpSession,
    messages: Message[],
    batched: boolean,
    inbound: Inbound,
  ): Promise<void> {
    const { request, response } = inbound;
    const { connection } = session;
    for (const message of messages) {
      if (isNotification(message)) connection.notification(message);
      else if (isResponse(message)) connection.response(message);
    }
    const requests = messages.filter(isRequest);
    if (requests.length === 0) return void response.writeHead(202, { 'mcp-session-id': session.id }).end();
    const reply = session.reply(response, acceptsOf(request.headers.accept), batched ? requests.length : undefined);
    const number = due.add(reply);
    const params = paramHeaders(request);
    const answer = async (message: Request) => {
      const extra = { paramHeaders: params, trace: traceOf(request, message), bytes: sizeOf(request) };
      const answered = await connection.request(message, reply, extra);
      if (answered) conclude(inbound, reply, message.id, answered);
      else reply.finish(undefined);
    };
    if (requests.length === 1) await answer(requests[0] as Request);
    else await Promise.all(requests.map(answer));
    due.settle(number);
    session.touch();
  }

  /** Answers clients that never initialize. Methods that need a session say so. */
  async function stateless(
    messages: Message[],
    batched: boolean,
    version: string | undefined,
    inbound: Inbound,
  ): Promise<void> {
    const { request, response } = inbound;
    const requests = messages.filter(isRequest);
    if (requests.length === 0) {
      if (messages.every(isNotification)) return void response.writeHead(202).end();
      return refuse(response, 400, bad('A response needs the session of its request: send Mcp-Session-Id.'));
    }
    const bound = requests.find(({ method }) => needSession.has(method));
    if (bound) {
      const why = `${bound.method} needs a session: initialize first and send Mcp-Session-Id.`;
      return refuse(response, 400, bad(why), bound.id);
    }
    const reply = new HttpReply(response, {
      accepts: acceptsOf(request.headers.accept),
      unread: inbound.allowance.unread,
      ...(batched && { batch: requests.length }),
    });
    const stop = stopAtClose(response, 'The client closed the connection.');
    const number = due.add(reply, stop);
    const client: ClientFacts = { era: 'legacy', version: version ?? '2025-03-26', capabilities: {} };
    await Promise.all(
      requests.map(async (message) => {
        const exchange = soleExchange(inbound, message, {
          client,
          stop,
          reply,
          unasked: (method) =>
            errorOutcome(code.methodNotFound, `${method} needs a session: the client did not initialize.`),
        });
        conclude(inbound, reply, message.id, exchange.held(await service.request(message, exchange)));
      }),
    );
    due.settle(number);
  }

  return {
    size: () => sessions.size,

    post(messages: Message[], batched: boolean, inbound: Inbound): Promise<void> | void {
      const { request, response } = inbound;
      const initialize = messages.find(
        (message): message is Request => isRequest(message) && message.method === 'initialize',
      );
      if (initialize && batched) return refuse(response, 400, invalid('initialize must not be part of a batch.'));
      let session: HttpSession | undefined;
      if (header(request, 'mcp-session-id') !== undefined) {
        session = own(inbound);
        if (!session) return refuse(response, 404, sessionNotFound, idOf(messages));
        if (initialize) return refuse(response, 400, invalid('This session is already initialized.'), initialize.id);
      }
      const version = header(request, 'mcp-protocol-version');
      if (version !== undefined && !legacyVersions.some((known) => known === version)) {
        const supported = `supported: ${legacyVersions.join(', ')}, ${MODERN}.`;
        return refuse(
          response,
          400,
          invalid(`Unsupported MCP-Protocol-Version ${version}; ${supported}`),
          idOf(messages),
        );
      }
      if (batched && (session?.connection.client.version ?? version ?? '2025-03-26') !== '2025-03-26') {
        return refuse(response, 400, invalid(BATCH_REFUSED));
      }
      if (initialize) {
        session = open(inbound);
        if (!session) return;
      }
      return session ? inSession(session, messages, batched, inbound) : stateless(messages, batched, version, inbound);
    },

    /** Opens the stream of the session that the request names. */
    stream(inbound: Inbound): void {
      const session = own(inbound);
      if (!session) return refuse(inbound.response, 404, sessionNotFound);
      if (!isRoomForStream(inbound, limits().streams)) return;
      const { request, response } = inbound;
      if (session.stream(response, header(request, 'last-event-id') || undefined) === 'call') return;
      if (session.expires === Number.POSITIVE_INFINITY) return;
      const open = {
        get expires() {
          return session.expires;
        },
        end: () => void response.end(),
      };
      expiries.add(open);
      response.once('close', () => expiries.remove(open));
    },

    /** Ends the session that the request names. */
    delete(inbound: Inbound): void {
      const session = own(inbound);
      if (!session) return refuse(inbound.response, 404, sessionNotFound);
      end(session);
      inbound.response.writeHead(200).end();
    },

    keepAlive(): void {
      for (const session of sessions.values()) session.keepAlive();
    },

    reap(idleMs: number): void {
      const now = Date.now();
      for (const session of sessions.values()) if (session.idleMs(now) > idleMs) end(session);
    },

    end(reason: AppError, principals?: ReadonlySet<string>): void {
      for (const session of sessions.values()) {
        if (!principals || principals.has(session.connection.principal.id)) end(session, reason);
      }
    },
  };
}

function idOf(messages: readonly Message[]): Id | null {
  const only = messages.length === 1 ? messages[0] : undefined;
  return only && isRequest(only) ? only.id : null;
}
