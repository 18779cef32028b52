// A bounded load generator. It is a separate process, so that its CPU does not count as the gateway's. By hand:
//   node bench/load.ts --url http://127.0.0.1:3500/mcp --era modern --tool b0__echo --callers 32 --seconds 5
// For the benchmark it serves one job after another, so that its own code is warm when a target is measured.
import { once } from 'node:events';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { type Client, connect, type Era, versionOf } from './client.ts';
import { percentile } from './statistics.ts';

export interface Job {
  url: string;
  era: Era;
  /** The echo tool to call, or how many tools a list must have. */
  ask: { tool: string } | { list: number };
  callers: number;
  warmup: Limit;
  limit: Limit;
}

/** Ends at whichever comes first. */
export interface Limit {
  calls: number;
  seconds: number;
}

export interface LoadResult {
  calls: number;
  errors: number;
  firstError?: string;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** Bytes of the largest answer. */
  bytes: number;
}

/** One checked request; throws if the answer is wrong. */
type Exchange = (client: Client) => Promise<{ ms: number; bytes: number }>;

function callEcho(tool: string): Exchange {
  let count = 0;
  return async (client) => {
    const text = `call number ${++count}`;
    const { result, ms, bytes } = await client.request('tools/call', { name: tool, arguments: { text } });
    const [block] = result.content as { text?: string }[];
    if (block?.text !== text) throw new Error(`Sent "${text}", got ${JSON.stringify(result).slice(0, 200)}`);
    return { ms, bytes };
  };
}

function listTools(expected: number): Exchange {
  return async (client) => {
    const total = { ms: 0, bytes: 0, tools: 0 };
    let cursor: unknown;
    do {
      const { result, ms, bytes } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
      total.ms += ms;
      total.bytes += bytes;
      total.tools += (result.tools as unknown[]).length;
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    if (total.tools < expected) throw new Error(`Listed ${total.tools} tools, not ${expected}.`);
    return total;
  };
}

async function run(clients: Client[], exchange: Exchange, limit: Limit): Promise<LoadResult> {
  const latencies: number[] = [];
  const errors: string[] = [];
  let started = 0;
  let bytes = 0;
  const begin = performance.now();
  const deadline = begin + limit.seconds * 1000;

  async function caller(client: Client): Promise<void> {
    while (started < limit.calls && performance.now() < deadline) {
      started++;
      try {
        const answer = await exchange(client);
        latencies.push(answer.ms);
        bytes = Math.max(bytes, answer.bytes);
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error));
      }
    }
  }

  await Promise.all(clients.map(caller));
  const seconds = (performance.now() - begin) / 1000;
  return {
    calls: latencies.length,
    errors: errors.length,
    firstError: errors[0],
    perSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    bytes,
  };
}

/** Reports progress and waits to be told to continue: the parent measures in between. */
type Step = (message: 'warm' | LoadResult) => Promise<unknown>;

async function serve(job: Job, step: Step): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  const url = new URL(job.url);
  const clients = await Promise.all(Array.from({ length: job.callers }, () => connect(job.era, url, agent)));
  try {
    const exchange = 'tool' in job.ask ? callEcho(job.ask.tool) : listTools(job.ask.list);
    await run(clients, exchange, job.warmup);
    await step('warm');
    await step(await run(clients, exchange, job.limit));
  } finally {
    await Promise.allSettled(clients.map((client) => client.close()));
    agent.destroy();
  }
}

function jobFromCommandLine(): Job {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3500/mcp' },
      era: { type: 'string', default: 'legacy' },
      tool: { type: 'string', default: 'echo' },
      list: { type: 'string' },
      callers: { type: 'string', default: '1' },
      calls: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '5' },
      warmup: { type: 'string', default: '1' },
    },
  });
  if (!(values.era in versionOf)) throw new Error(`--era is one of ${Object.keys(versionOf).join(', ')}.`);
  return {
    url: values.url,
    era: values.era as Era,
    ask: values.list === undefined ? { tool: values.tool } : { list: Number(values.list) },
    callers: Number(values.callers),
    warmup: { calls: Number(values.calls), seconds: Number(values.warmup) },
    limit: { calls: Number(values.calls), seconds: Number(values.seconds) },
  };
}

/** Strictly alternating, so that no message arrives while nobody listens. */
async function serveParent(reply: (message: unknown) => void): Promise<void> {
  const step: Step = (message) => {
    reply(message);
    return once(process, 'message');
  };
  process.on('disconnect', () => process.exit());
  for (;;) {
    const [job] = (await once(process, 'message')) as [Job];
    try {
      await serve(job, step);
      reply('closed');
    } catch (error) {
      reply({ problem: error instanceof Error ? error.message : String(error) });
    }
  }
}

async function print(message: unknown): Promise<void> {
  if (message !== 'warm') console.log(JSON.stringify(message, null, 2));
}

if (process.send) await serveParent(process.send.bind(process));
else await serve(jobFromCommandLine(), print);
