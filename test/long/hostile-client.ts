/** A client that means harm: `node hostile-client.ts URL`, forked. Is told `go`, `rest` and `stop`, and tells what it did. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, modern, rpc } from '../integration/harness.ts';

export interface Told {
  opened: number;
  refused: number;
  unread: number;
}

const [url = ''] = process.argv.slice(2);
let go = Promise.withResolvers<void>();
const told: Told = { opened: 0, refused: 0, unread: 0 };

function post(headers: Record<string, string>, body: Json, agent: Agent | false): Promise<IncomingMessage> {
  const accept = 'application/json, text/event-stream';
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', accept, ...headers } },
      resolve,
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** Opens sessions and never ends them; every tenth starts a connection of its own behind the gateway. */
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

/** Asks for large answers and reads none of them. */
async function large(): Promise<never> {
  for (let id = 0; ; id++) {
    await go.promise;
    const { headers, body } = modern('tools/call', { name: 'far__big', arguments: { bytes: 2_000_000 } }, { id });
    const response = await post(headers, body, false).catch(() => undefined);
    await delay(100);
    if (!response) continue;
    response.on('error', () => {});
    response.pause();
    told.unread++;
  }
}

process.on('message', (order) => {
  if (order === 'go') go.resolve();
  if (order === 'rest') go = Promise.withResolvers<void>();
  if (order === 'stop') process.send?.(told, () => process.exit());
});
await Promise.all([sessions(), large()]);
