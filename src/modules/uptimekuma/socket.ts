import type { Socket } from 'socket.io-client';
import { driver } from '../driver.ts';
import { basic } from '../http.ts';
import type { Around } from '../module.ts';
import { noteChange } from '../sent.ts';
import { Lost, MOST_BYTES, NoSocket } from './explain.ts';

/** A socket to the server. */
export interface KumaSocket extends Disposable {
  readonly isLost: boolean;
  /** The first argument of the answer, whatever it is. */
  ask(event: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

export interface Listener {
  /** What the server sends unasked. */
  heard(event: string, args: readonly unknown[]): void;
  /** The connection has ended. */
  lost(error: Lost): void;
}

/** Opens the WebSocket. It does not reconnect: the next call gets a new one. */
export async function openSocket(
  url: string,
  { tls, signal, timeoutMs }: Pick<Around, 'tls' | 'signal' | 'timeoutMs'>,
  listener: Listener,
): Promise<KumaSocket> {
  const { io } = await driver('socket.io-client', () => import('socket.io-client'));
  const { origin, pathname, username, password } = new URL(url);
  const options = {
    path: `${pathname.replace(/\/+$/, '')}/socket.io`,
    // Long polling has no limit for a message.
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    autoConnect: false,
    timeout: Math.ceil(Math.min(10_000, timeoutMs) * 0.8),
    // Passed on to the WebSocket.
    maxPayload: MOST_BYTES,
    ...tls,
    ...(username !== '' && {
      extraHeaders: { authorization: basic(decodeURIComponent(username), decodeURIComponent(password)) },
    }),
  };
  const socket: Socket = io(origin, options);
  // The server may say something before anybody waits for it.
  socket.onAny((event: string, ...args: unknown[]) => listener.heard(event, args));
  socket.once('disconnect', (reason, details) => listener.lost(new Lost(`${reason} ${saidIn(details)}`)));
  try {
    await opened(socket, signal);
  } catch (error) {
    socket.disconnect();
    throw error;
  }

  return {
    get isLost() {
      return socket.disconnected;
    },
    async ask(event, args, limit) {
      limit.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const stop = () => reject(limit.reason);
      const lost = (reason: string, details: unknown) => reject(new Lost(`${reason} ${saidIn(details)}`));
      if (socket.disconnected) throw new Lost('already closed');
      limit.addEventListener('abort', stop, { once: true });
      socket.once('disconnect', lost);
      noteChange();
      socket.emit(event, ...args, resolve);
      try {
        return await promise;
      } finally {
        limit.removeEventListener('abort', stop);
        socket.off('disconnect', lost);
      }
    },
    [Symbol.dispose]() {
      socket.offAny();
      socket.disconnect();
    },
  };
}

async function opened(socket: Socket, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  socket.once('connect', resolve);
  socket.once('connect_error', (error) => reject(reasonOf(error)));
  socket.connect();
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The error of the network inside, or what the WebSocket said. */
function reasonOf(error: Error): Error {
  const { description } = error as Error & { description?: { error?: unknown } };
  const inner = description?.error;
  if (inner instanceof Error && 'code' in inner) return inner;
  if (error.message === 'timeout') return Object.assign(new Error('does not answer'), { code: 'ETIMEDOUT' });
  return new NoSocket(inner instanceof Error ? inner.message : error.message);
}

/** Why the transport failed, such as a message that is too long. */
function saidIn(details: unknown): string {
  const description = (details as { description?: unknown } | undefined)?.description;
  if (typeof description === 'string') return description;
  const { error, message } = (description ?? {}) as { error?: unknown; message?: unknown };
  if (error instanceof Error) return error.message;
  return typeof message === 'string' ? message : '';
}
