/**
 * A hostile client: `node hostile-client.ts GATEWAY SERVER`, forked. It takes `go`, `rest` and `stop`, and reports
 * what it did. While it rests, it puts the same load on the machine with calls to the server itself, so that the
 * comparison shows only what it costs the gateway.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, modern, rpc } from '../integration/harness.ts';

export interface Told {
  opened: number;
  refused: number;
  unread: number;
}

const [url = '', server = ''] = process.argv.slice(2);
let rests = true;
let go = Promise.withResolvers<void>();
const told: Told = { opened: 0, refused: 0, unread: 0 };

function post(headers: Record<string, string>, body: Json, agent: Agent | false, to = url): Promise<IncomingMessage> {
  const accept = 'application/json, text/event-stream';
  return new Promise((resolve, reject) => {
    const sent = request(
      to,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers } },
      resolve,
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** Opens sessions and never closes them; every tenth opens its own connection behind the gateway. */
async function sessions(): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const clientInfo = { name: 'hostile', version: '1' };
  const initialize = rpc(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  for (let n = 0; ; n++) {
    await go.promise;
    const response = await post({}, initialize, agent);
    const session = String(response.headers['mcp-session-id']);
    await text(response);
    if (response.statusCode === 429) told.refused++;
    else told.opened++;
    if (n % 10 === 0) {
      const call = rpc(1, 'tools/call', { name: 'own__echo', arguments: { text: 'x' } });
      await text(await post({ 'mcp-session-id': session }, call, agent));
    }
    await delay(5);
  }
}

/** Requests large answers and reads none of them. */
async function large(): Promise<never> {
  for (let id = 0; ; id++) {
    const name = rests ? 'big' : 'far__big';
    const { headers, body } = modern('tools/call', { name, arguments: { bytes: 2_000_000 } }, { id });
    const response = await post(headers, body, false, rests ? server : url).catch(() => undefined);
    await delay(100);
    if (!response) continue;
    response.on('error', () => {});
    if (rests) {
      response.resume();
      continue;
    }
    response.pause();
    told.unread++;
  }
}

process.on('message', (order) => {
  rests = order === 'rest';
  if (order === 'go') go.resolve();
  if (order === 'rest') go = Promise.withResolvers<void>();
  if (order === 'stop') process.send?.(told, () => process.exit());
});
await Promise.all([sessions(), large()]);
