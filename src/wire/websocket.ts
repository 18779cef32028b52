import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { AppError } from '../kernel/errors.ts';
import { http } from '../kernel/node-http.ts';
import type { Principal } from '../kernel/principal.ts';
import type { RpcError } from '../kernel/source.ts';
import { tooMuch, TRY_AGAIN_S } from '../kernel/too-much.ts';
import { type Allowances, MOST_IN_BATCH } from './allowance.ts';
import type { Expiries } from './expiries.ts';
import { type Inbound, isRoomForStream, refuse, refuseMore } from './http-inbound.ts';
import { code, errorOutcome } from './jsonrpc.ts';
import type { Service } from './service.ts';
import { type Admitted, serveMessages } from './stream.ts';
import { adoptToken, readSubprotocols, SUBPROTOCOL } from './subprotocols.ts';

/** Status codes of RFC 6455 and its registry. */
const closing = { stops: 1001, notText: 1003, policy: 1008, tryLater: 1013 } as const;
/** How many pings in a row a client may leave unanswered. */
const MOST_MISSED = 2;
/** How long a client may take to confirm the end. */
const CLOSE_MS = 1000;

interface OpenSocket {
  readonly principal: Principal;
  /** When the token expires. */
  readonly expires: number;
  busy(): boolean;
  keepAlive(): void;
  /** Answers calls in flight with this error, and refuses new ones. */
  stop(reason: AppError): void;
  close(code: number, reason: string): void;
  end(): void;
  destroy(): void;
}

interface Limits extends Pick<Allowances, 'limits'> {
  expiries: Expiries;
  /** Limit for one message. */
  bodyLimit: number;
  charge: ((principal: Principal, messages: number) => number | undefined | Promise<number | undefined>) | undefined;
}

/** MCP over WebSocket: each socket is a connection, each text frame a message. */
export function createWebSocketFront(service: Service, { limits, expiries, bodyLimit, charge }: Limits) {
  const settings = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bodyLimit,
    closeTimeout: CLOSE_MS,
    // Never select the subprotocol that contains the key.
    handleProtocols: (offered: Set<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : (false as const)),
  };
  const server = new WebSocketServer(settings);
  const sockets = new Set<OpenSocket>();

  function open(inbound: Inbound, socket: Socket, head: Buffer): void {
    const { request, response, allowance } = inbound;
    const { offered, tokens } = readSubprotocols(request.headers['sec-websocket-protocol']);
    if (offered.length + tokens.length > 0 && !offered.includes(SUBPROTOCOL)) {
      const message = `Bad request: no supported subprotocol. Offer ${SUBPROTOCOL}.`;
      return refuse(response, 400, { code: code.invalidRequest, message });
    }
    const most = limits().sessions;
    if (!allowance.makeRoom(most)) {
      const what = `You have ${most} sessions, all of them in use. Close some, or raise limits.sessions.`;
      return refuseMore(inbound, 'sessions', what);
    }
    if (!isRoomForStream(inbound, limits().streams, socket)) return;
    response.detachSocket(socket);
    server.handleUpgrade(request, socket, head, (webSocket) => attach(webSocket, socket, inbound));
  }

  function attach(webSocket: WebSocket, socket: Socket, { principal, view, allowance }: Inbound): void {
    let missed = 0;
    /** Bytes of a message that has not arrived completely. */
    let arriving = 0;
    let stopping: AppError | undefined;

    const isOpen = () => webSocket.readyState === webSocket.OPEN;
    const send = (text: string, onRead?: () => void) => {
      if (!isOpen()) return onRead?.();
      webSocket.send(text);
      allowance.unread.wrote(socket, onRead);
    };
    const notify = (text: string) => {
      if (allowance.unread.mayNotify(socket)) send(text);
    };

    function admit(messages: number, bytes: number): Admitted | Promise<Admitted> {
      const most = limits().requests;
      if (messages > Math.min(MOST_IN_BATCH, most)) {
        const message = `A batch may contain at most ${Math.min(MOST_IN_BATCH, most)} messages.`;
        return errorOutcome(code.invalidRequest, message);
      }
      const seconds = charge?.(principal, Math.max(1, messages));
      return seconds instanceof Promise ? seconds.then((late) => take(late, bytes)) : take(seconds, bytes);
    }

    function take(seconds: number | undefined, bytes: number): Admitted {
      if (stopping || !isOpen()) {
        const { message } = stopping ?? { message: 'The connection is closing.' };
        return errorOutcome(code.server, message, { retryable: true });
      }
      const most = limits().requests;
      if (seconds !== undefined) return tooMany(`Too many requests: try again in ${seconds} s.`, seconds);
      if (allowance.take(bytes, most)) return () => allowance.release(bytes);
      allowance.refused('requests');
      return tooMany(tooMuch(allowance.takenText(most)).message, TRY_AGAIN_S);
    }

    const messages = serveMessages({ service, principal, view, id: randomUUID(), send, notify, admit });
    const session = { lastSeen: Date.now(), isIdle: () => false, end: () => {} };
    const own: OpenSocket = {
      principal,
      expires: principal.expires ?? Number.POSITIVE_INFINITY,
      busy: messages.busy,
      keepAlive() {
        // Behind unread output a ping would say nothing about the client.
        if (!isOpen() || socket.writableLength > 0) return;
        if (missed >= MOST_MISSED) return webSocket.terminate();
        missed++;
        webSocket.ping();
      },
      stop(reason) {
        stopping = reason;
        messages.close(true, reason);
      },
      close(status, reason) {
        webSocket.close(status, reason);
        messages.close(false);
      },
      end: () => own.close(closing.policy, 'The token of this connection has expired.'),
      destroy: () => webSocket.terminate(),
    };

    function arrived(chunk: Buffer): void {
      missed = 0;
      if (!isOpen()) return;
      if (allowance.takeMore(chunk.length)) {
        arriving += chunk.length;
        return;
      }
      allowance.refused('requests');
      own.close(closing.tryLater, 'Your requests in progress have too many bytes. Wait for some answers.');
    }

    function settle(): void {
      allowance.giveBack(arriving);
      arriving = 0;
    }

    // The library keeps parts of a message to itself, so count what comes in before it does.
    socket.prependListener('data', arrived);
    webSocket.on('message', (data: RawData, isBinary: boolean) => {
      settle();
      if (!isOpen()) return;
      if (isBinary) return own.close(closing.notText, 'Send text frames: each one is a JSON-RPC message.');
      void messages.receive(data as Buffer);
    });
    // The library answers pings. A client that does not read these answers is cut like any other.
    webSocket.on('ping', () => void allowance.unread.mayNotify(socket));
    // It also closes with the right code after a protocol error.
    webSocket.on('error', () => {});
    webSocket.on('close', () => {
      settle();
      sockets.delete(own);
      expiries.remove(own);
      allowance.removeSession(session);
      messages.close(false);
    });
    sockets.add(own);
    allowance.addSession(session);
    if (Number.isFinite(own.expires)) expiries.add(own);
  }

  return {
    size: () => sockets.size,
    busy: () => [...sockets].some((socket) => socket.busy()),

    /** Makes a request ready for the same checks as any other: with its key in a header, and a response for refusals. */
    prepare(request: IncomingMessage, socket: Socket, head: Buffer) {
      return {
        response: responseOn(request, socket),
        problem: adoptToken(request.headers),
        open: (inbound: Inbound) => open(inbound, socket, head),
      };
    },

    keepAlive(): void {
      for (const socket of sockets) socket.keepAlive();
    },

    dismiss(principals: ReadonlySet<string>, reason: string): void {
      for (const socket of sockets) if (principals.has(socket.principal.id)) socket.close(closing.policy, reason);
    },

    stop(reason: AppError): void {
      for (const socket of sockets) socket.stop(reason);
    },

    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.close(closing.stops, 'The gateway is stopping.');
      for (const until = Date.now() + CLOSE_MS; sockets.size > 0 && Date.now() < until; ) await delay(5);
      for (const socket of sockets) socket.destroy();
    },
  };
}

export type WebSocketFront = ReturnType<typeof createWebSocketFront>;

function tooMany(message: string, retryAfter: number): { error: RpcError } {
  return errorOutcome(code.server, message, { retryable: true, retryAfter });
}

/** A response on a socket that Node handed over. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new http.ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  return response;
}
