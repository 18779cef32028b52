import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReference } from '../conformance/service.ts';
import { type Json, modern, openSession, rpc } from '../integration/harness.ts';
import { statusOf } from '../support/plain-calls.ts';
import { odd, scratch } from '../support/processes.ts';
import { serve } from '../support/serve-process.ts';

const CALLS = 200_000;
const CALLERS = 32;
/** Generous: V8 and SQLite account for a few; a leak of 300 bytes per call is more. */
const MOST_MB_PER_100K = 25;

const run = promisify(execFile);

async function rssOf(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** The slope of the best-fitting straight line. */
function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map((point) => point.x));
  const y = mean(points.map((point) => point.y));
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

test(`${CALLS} calls by ${CALLERS} callers of both eras to stdio and HTTP servers of both eras: memory stays`, async () => {
  await using files = await scratch();
  await using far = await startReference('both');
  await using old = await startReference('legacy');
  await using gateway = await serve(files.directory, {
    mcpServers: { program: odd(), far: { url: far.url }, old: { url: old.url } },
  });
  const states = async () => (await statusOf(gateway.url)).backends.map(({ state }) => state);
  await expect.poll(states, { timeout: 20_000 }).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);

  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const url = `${gateway.url}/mcp`;
  const post = async (headers: Record<string, string>, body: Json) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => void text(response).then(resolve, reject),
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
    return promise;
  };

  let begun = 0;
  let done = 0;
  const tools = ['program__echo', 'far__echo', 'old__echo', 'program__echo'];
  async function caller(number: number): Promise<void> {
    const session = number % 2 === 0 ? await openSession(url) : undefined;
    while (begun < CALLS) {
      const id = ++begun;
      const params = { name: tools[id % tools.length] as string, arguments: { text: `call ${id}` } };
      const { headers, body } = session
        ? { headers: session, body: rpc(id, 'tools/call', params) }
        : modern('tools/call', params, { id });
      const answer = await post(headers, body);
      if (!answer.includes(`"call ${id}"`)) throw new Error(`Call ${id} was answered ${answer.slice(0, 500)}`);
      done++;
    }
  }

  const samples: { x: number; y: number }[] = [];
  const sampling = setInterval(() => {
    const x = done;
    void rssOf(gateway.pid).then((y) => samples.push({ x, y }));
  }, 1000);
  const started = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  clearInterval(sampling);
  agent.destroy();

  expect(done).toBe(CALLS);
  const seconds = (performance.now() - started) / 1000;
  const lastHalf = samples.filter(({ x }) => x >= CALLS / 2);
  const mbPer100k = slope(lastHalf) * 100_000;
  const at = (share: number) => samples[Math.floor((samples.length - 1) * share)]?.y.toFixed(0);
  console.log(
    `${CALLS} calls in ${seconds.toFixed(0)} s (${(CALLS / seconds).toFixed(0)} calls/s). RSS in MB at the start, ` +
      `a quarter, half, three quarters, the end: ${[0, 0.25, 0.5, 0.75, 1].map(at).join(', ')}. ` +
      `Slope over the last half: ${mbPer100k.toFixed(2)} MB per 100,000 calls (${lastHalf.length} samples).`,
  );
  expect(lastHalf.length).toBeGreaterThan(10);
  expect(mbPer100k).toBeLessThan(MOST_MB_PER_100K);
  expect(await states()).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
});
