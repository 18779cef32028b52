import { execFile, fork } from 'node:child_process';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReference } from '../conformance/service.ts';
import { type Json, modern } from '../integration/harness.ts';
import { statusOf } from '../support/plain-calls.ts';
import { odd, scratch } from '../support/processes.ts';
import { serve } from '../support/serve-process.ts';
import type { Told } from './hostile-client.ts';

/** Calm and attack alternate, so that other load on the machine affects both. */
const ROUNDS = 8;
const CALM_MS = 5000;
const SIEGE_MS = 10_000;
/** What the hostile caller may cost permanently: 128 MB unread, 64 MB kept, sessions, and V8's overhead. */
const MOST_MB = 500;

const run = promisify(execFile);

async function measured(pid: number): Promise<{ mb: number; cpuSeconds: number }> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [rss = '0', time = '0'] = stdout.trim().split(/\s+/);
  const cpuSeconds = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { mb: Number(rss) / 1024, cpuSeconds };
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const worst = (values: readonly number[]) =>
  values.toSorted((a, b) => b - a)[Math.floor(values.length / 100)]?.toFixed(0);

test('hostile sessions, floods and unread streams: memory is bounded, and others are served within twice the time', async () => {
  await using files = await scratch();
  await using far = await startReference('both');
  await using gateway = await serve(files.directory, {
    mcpServers: { program: odd(), far: { url: far.url }, own: { url: far.url, isolation: 'session' } },
  });
  const states = async () => (await statusOf(gateway.url)).backends.map(({ state }) => state);
  await expect.poll(states, { timeout: 20_000 }).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
  const url = `${gateway.url}/mcp`;
  const accept = 'application/json, text/event-stream';

  function post(headers: Record<string, string>, body: Json, agent: Agent | false): Promise<IncomingMessage> {
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

  /** Calls a tool now and then for this long, and returns how long each call took. */
  async function honest(ms: number): Promise<number[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const took: number[] = [];
    for (const until = Date.now() + ms; Date.now() < until; await delay(20)) {
      const started = performance.now();
      const { headers, body } = modern('tools/call', { name: 'program__echo', arguments: { text: 'here' } });
      const answer = await text(await post(headers, body, agent));
      if (!answer.includes('here')) throw new Error(`An honest call was answered ${answer.slice(0, 300)}`);
      took.push(performance.now() - started);
    }
    agent.destroy();
    return took;
  }

  const samples: number[] = [];
  const sampling = setInterval(() => void measured(gateway.pid).then(({ mb }) => samples.push(mb)), 1000);
  // In its own process: its own cost must not count as the gateway's.
  const hostile = fork(fileURLToPath(new URL('./hostile-client.ts', import.meta.url)), [url, far.url]);
  const calm: number[] = [];
  const besieged: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await honest(CALM_MS);
    hostile.send('go');
    const during = await honest(SIEGE_MS);
    hostile.send('rest');
    calm.push(...before);
    besieged.push(...during);
    ratios.push(middle(during) / middle(before));
  }
  const told = new Promise<Told>((resolve) => hostile.once('message', (message) => resolve(message as Told)));
  hostile.send('stop');
  const { opened, refused, unread } = await told;
  clearInterval(sampling);

  const { sessions: left } = (await statusOf(gateway.url)) as unknown as { sessions: number };
  const ratio = middle(ratios);
  const half = samples.slice(Math.floor(samples.length / 2));
  const { mb, cpuSeconds } = await measured(gateway.pid);
  console.log(
    `${opened} sessions (${refused} refused, ${left} left), ${unread} unread answers of 2 MB. ` +
      `RSS in MB: ${samples.map((sample) => sample.toFixed(0)).join(' ')}; at the end ${mb.toFixed(0)}. CPU ${cpuSeconds} s. ` +
      `An honest call took ${middle(calm).toFixed(2)} ms before and ${middle(besieged).toFixed(2)} ms during it: x ${ratio.toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(', ')}); one in a hundred took ${worst(calm)} and ${worst(besieged)} ms.`,
  );
  expect(left).toBeLessThanOrEqual(1000);
  expect(opened).toBeGreaterThan(1000);
  expect(Math.max(...samples)).toBeLessThan(MOST_MB);
  // A plateau: the last quarter is no higher than the one before, apart from garbage collection.
  const [third, fourth] = [half.slice(0, half.length / 2), half.slice(half.length / 2)];
  expect(middle(fourth)).toBeLessThan(middle(third) * 1.25);
  expect(ratio).toBeLessThan(2);
  expect(await states()).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
});
