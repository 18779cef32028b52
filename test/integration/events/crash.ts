import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Behaviour, type Receiver, startReceiver } from '../../fixtures/webhook-receiver.ts';
import { modern, send, startReference } from '../harness.ts';
import { type ServeProcess, serve } from '../../support/serve-process.ts';

export interface CrashRun {
  answered: number;
  kills: number;
  requests: number;
  received: number;
  /** Traces of calls that were answered but never reached the receiver. */
  lost: string[];
  /** Events first received after a later event of the same trace. */
  disordered: string[];
}

const CLIENTS = 8;

/**
 * Kills the gateway at random points while clients call and the receiver is flaky, until `calls` calls were answered
 * and `kills` kills done. The clients' own record of answers is the source of truth.
 */
export async function crashes({ calls, kills }: { calls: number; kills: number }): Promise<CrashRun> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-crash-'));
  try {
    await using reference = await startReference('http', 'modern');
    await using receiver = await startReceiver();
    receiver.behave = flaky;
    const webhook = {
      url: receiver.url,
      filter: ['tool.*'],
      batch: 20,
      timeout: '300ms',
      retry: { first: '10ms', most: '100ms' },
    };
    const config = { mcpServers: { ref: reference.entry }, events: { webhook } };
    const answered = new Set<string>();
    let gateway: ServeProcess | undefined;
    let done = 0;
    const isOver = () => done >= kills && answered.size >= calls;

    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver()) {
        const trace = gateway && (await call(gateway.url));
        if (trace === undefined) await delay(20);
        else answered.add(trace);
      }
    });
    while (!isOver()) {
      const started = await serve(directory, config);
      gateway = started;
      // Spread the calls evenly over the restarts. The last process runs until enough calls were answered.
      const share = done < kills ? answered.size + calls / (kills + 1) : calls;
      await delay(Math.random() * 400);
      while (answered.size < share) await delay(Math.random() * 30);
      if (done >= kills) break;
      gateway = undefined;
      await started.end('SIGKILL');
      done++;
    }
    await Promise.all(clients);
    receiver.behave = () => 200;
    gateway ??= await serve(directory, config);
    const missing = () => lostIn(receiver, answered);
    await expect
      .poll(missing, { timeout: 15_000 })
      .toEqual([])
      .catch(() => {});
    await gateway.end('SIGKILL');
    return {
      answered: answered.size,
      kills: done,
      requests: receiver.requests.length,
      received: receiver.events.length,
      lost: missing(),
      disordered: disorderIn(receiver),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The trace of the call if it was answered. */
async function call(url: string): Promise<string | undefined> {
  const trace = randomBytes(16).toString('hex');
  const { headers, body } = modern('tools/call', { name: 'ref__echo', arguments: { text: 'x' } });
  try {
    const answer = await send(`${url}/mcp`, {
      headers: { ...headers, traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const [message] = answer.messages;
    return answer.status === 200 && message && 'result' in message ? trace : undefined;
  } catch {
    return undefined;
  }
}

function lostIn({ events }: Receiver, answered: ReadonlySet<string>): string[] {
  const heard = new Set(events.filter(({ event_type }) => event_type !== 'tool.call_received').map((e) => e.trace_id));
  return [...answered].filter((trace) => !heard.has(trace));
}

function disorderIn({ events }: Receiver): string[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const disordered: string[] = [];
  for (const { id, trace_id } of events) {
    if (seen.has(id)) continue;
    seen.add(id);
    const number = Number(id.split('-')[1]);
    if (number < (last.get(trace_id) ?? 0)) disordered.push(id);
    last.set(trace_id, number);
  }
  return disordered;
}

async function flaky(): Promise<Behaviour> {
  const dice = Math.random();
  if (dice < 0.06) return 500;
  if (dice < 0.09) return { status: 429, headers: { 'retry-after': '0' } };
  if (dice < 0.13) return 'reset';
  if (dice < 0.17) return 'lost';
  if (dice < 0.18) return 'hang';
  if (dice < 0.19) return 404;
  if (dice < 0.35) await delay(Math.random() * 40);
  return 200;
}
