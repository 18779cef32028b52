import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { Cancellation } from '../kernel/cancellation.ts';
import { isRequest, type Message } from './jsonrpc.ts';
import type { Link, LinkEvents } from './link.ts';
import { room } from './room.ts';
import { Upstream } from './upstream.ts';
import { LATEST_LEGACY } from './versions.ts';

afterEach(() => void vi.useRealTimers());

/** A 2025 server that a test plays. */
async function connect() {
  const sent: Message[] = [];
  let inside: LinkEvents | undefined;
  const says = (message: Message) => inside?.message(message, undefined, undefined);
  const link = {
    kind: 'stdio',
    send(message: Message) {
      sent.push(message);
      if (isRequest(message) && message.method === 'initialize')
        says({
          jsonrpc: '2.0',
          id: message.id,
          result: { protocolVersion: LATEST_LEGACY, capabilities: {}, serverInfo: { name: 's', version: '1' } },
        });
    },
    drop() {},
    settled() {},
    async close() {},
  } as unknown as Link;
  const upstream = await Upstream.connect({
    open: async (events) => {
      inside = events;
      return link;
    },
    client: { info: {}, capabilities: {} },
    timeoutMs: 5000,
    prior: 'legacy',
    events: { notification() {}, ask: async () => ({ result: {} }), noise() {}, closed() {} },
  });
  return { upstream, sent, says };
}

test('limits the waiting questions of a server and refuses the rest', async () => {
  const { upstream, sent, says } = await connect();
  let asked = 0;
  void upstream
    .request(
      'tools/call',
      { name: 'x' },
      {
        owner: 'me',
        stop: new Cancellation(),
        idleMs: 60_000,
        onAsk: () => {
          asked++;
          return new Promise(() => {});
        },
      },
    )
    .catch(() => {});
  for (let id = 0; id < 1000; id++) says({ jsonrpc: '2.0', id: `q${id}`, method: 'elicitation/create', params: {} });
  await expect.poll(() => sent.filter((message) => 'error' in message).length).toBe(900);
  expect(asked).toBe(100);
  await upstream.close();
});

test('a call does not run out of time while servers are not read', async () => {
  vi.useFakeTimers();
  const { upstream } = await connect();
  const release = room.hold(Number.MAX_SAFE_INTEGER);
  const unread = Object.assign(new EventEmitter(), { pause() {}, resume() {} });
  room.keeps(unread, 1024 * 1024);
  const failed = vi.fn<(error: unknown) => void>();
  void upstream.request('tools/call', { name: 'x' }, { idleMs: 1000 }).catch(failed);
  await vi.advanceTimersByTimeAsync(5000);
  expect(failed).not.toHaveBeenCalled();
  release?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'timeout' }));
});
