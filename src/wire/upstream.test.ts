import { expect, test } from 'vitest';
import { Cancellation } from '../kernel/cancellation.ts';
import { isRequest, type Message } from './jsonrpc.ts';
import type { Link, LinkEvents } from './link.ts';
import { Upstream } from './upstream.ts';
import { LATEST_LEGACY } from './versions.ts';

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
