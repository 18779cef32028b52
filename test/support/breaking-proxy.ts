/**
 * A proxy in front of an n8n that spoils one of the writes, for tests of failures in the middle.
 *
 *   await using proxy = await openBreakingProxy(n8n.url);
 *   proxy.spoil(3, 'refuse')     the third write from now is answered with 403
 *   proxy.spoil(3, 'cut')        … is cut before n8n gets it; 'lose': n8n gets it, but its answer is lost
 *   proxy.spoil(3, 'gone')       … and from then on the proxy answers nothing, until proxy.heal()
 *   proxy.writes()               how many writes there were since the last `spoil` or `heal`
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Spoil = 'refuse' | 'cut' | 'lose' | 'gone';

export interface BreakingProxy extends AsyncDisposable {
  readonly url: string;
  spoil(at: number, how: Spoil): void;
  heal(): void;
  writes(): number;
  requests(): number;
  /** Called before each write is passed on. */
  onWrite: (() => Promise<void>) | undefined;
}

export async function openBreakingProxy(target: string): Promise<BreakingProxy> {
  let writes = 0;
  let requests = 0;
  let plan: { at: number; how: Spoil } | undefined;
  let isGone = false;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    requests++;
    const isWrite = incoming.method !== 'GET';
    if (isWrite) writes++;
    const how = isWrite && plan?.at === writes ? plan.how : undefined;
    if (how === 'gone') isGone = true;
    if (isGone || how === 'cut') return void incoming.socket.destroy();
    if (how === 'refuse') {
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}');
      return;
    }
    if (isWrite) await proxy.onWrite?.();
    const forwarded = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (how === 'lose') {
          answer.resume().on('end', () => incoming.socket.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const proxy: BreakingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil(at, how) {
      [writes, plan] = [0, { at, how }];
    },
    heal() {
      [writes, requests, plan, isGone] = [0, 0, undefined, false];
    },
    writes: () => writes,
    requests: () => requests,
    onWrite: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return proxy;
}
