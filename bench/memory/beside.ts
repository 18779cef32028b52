import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { connect } from '../client.ts';
import { startGenerator } from '../generator.ts';
import { start, untilListed } from '../process.ts';
import { floor } from '../targets.ts';

const bin = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const LOAD = { calls: 50_000, seconds: 5 };

export interface BesideFigures {
  /** Echo calls through the gateway by four callers, in milliseconds. */
  readonly calls: readonly { readonly during: string; readonly p50: number; readonly p95: number }[];
  /** Memory of the gateway, in bytes. */
  readonly rss: { readonly before: number; readonly after: number };
  /** Searches that were answered while the calls were measured. */
  readonly searches: number;
}

/** What calls of others take while the memory of the same gateway works: it has memories that wait for their vectors. */
export async function measureBeside(
  home: string,
  questions: readonly string[],
  store?: string,
): Promise<BesideFigures> {
  const mcpServers = { b0: { command: process.execPath, args: [floor('echo-stdio'), '--name', 'b0'] } };
  await writeFile(join(home, 'sluice.json'), JSON.stringify({ mcpServers, ...(store !== undefined && { store }) }));
  const port = await freePort();
  const args = [bin, 'serve', '--config', join(home, 'sluice.json'), '--port', String(port)];
  await using running = start(args, home, { SLUICE_HOME: home });
  using generator = startGenerator();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await untilListed(running, url, 'modern', ['b0__echo']);
  const load = async (during: string) => {
    const { p50, p95 } = await generator.load(running, {
      url: url.href,
      era: 'modern',
      ask: { tool: 'b0__echo' },
      callers: 4,
      warmup: { calls: 2000, seconds: 1 },
      limit: LOAD,
    });
    return { during, p50, p95 };
  };
  const idle = await load('nothing');
  const before = running.rss();
  const agent = new http.Agent({ keepAlive: true });
  const client = await connect('modern', url, agent);
  let searches = 0;
  const over = new AbortController();
  const search = async () => {
    while (!over.signal.aborted) {
      const query = questions[searches++ % questions.length];
      await client.request('tools/call', { name: 'memory_search', arguments: { query } });
    }
  };
  // The first call also wakes the job that embeds what waits.
  await client.request('tools/call', { name: 'memory_get_stats', arguments: {} });
  const embedding = await load('embedding in the background');
  const searching = Promise.all([search(), search()]);
  const both = await load('embedding, and two that search all the time');
  over.abort();
  await searching;
  const after = running.rss();
  agent.destroy();
  return { calls: [idle, embedding, both], rss: { before, after }, searches };
}
