import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientRequest } from 'node:http';

interface Sent {
  /** Whether the call has sent anything, or tried to. */
  tried: boolean;
  /** Whether a request that changes something had a connection. */
  changed: boolean;
}

const current = new AsyncLocalStorage<Sent>();

/** Runs a call and follows what it sends. */
export function followSent() {
  const sent: Sent = { tried: false, changed: false };
  return {
    run: <T>(work: () => T): T => current.run(sent, work),
    /** Whether it certainly changed nothing. False also for drivers that do not say what they send. */
    isNothing: (): boolean => sent.tried && !sent.changed,
  };
}

/** The call sends something that may change the service. */
export function noteChange(): void {
  const sent = current.getStore();
  if (sent) Object.assign(sent, { tried: true, changed: true });
}

/** Whatever the call sends that may change the service needs this connection first. */
export async function noteConnecting<T>(connect: () => Promise<T>): Promise<T> {
  const sent = current.getStore();
  if (sent) sent.tried = true;
  const connected = await connect();
  noteChange();
  return connected;
}

/** The call sends this request as soon as it has a connection. */
export function noteRequest(request: ClientRequest, changes: boolean): void {
  const sent = current.getStore();
  if (!sent) return;
  sent.tried = true;
  if (!changes) return;
  request.once('socket', (socket) => {
    const note = () => {
      sent.changed = true;
    };
    // A connection that is used again stands already.
    if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', note);
    else note();
  });
}
