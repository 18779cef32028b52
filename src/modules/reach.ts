import { connect } from 'node:net';
import type { Address } from './module.ts';

/** Resolves if something listens at the address, and rejects with the socket's error if not. */
export function reach(address: Address, signal: AbortSignal): Promise<void> {
  if ('text' in address) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect('socket' in address ? { path: address.socket } : address);
  const stop = () => socket.destroy(Object.assign(new Error('does not answer'), { code: 'ETIMEDOUT' }));
  signal.addEventListener('abort', stop, { once: true });
  socket
    .unref()
    .once('connect', () => resolve())
    .once('error', reject)
    .once('connect', () => socket.destroy());
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
