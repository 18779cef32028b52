import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { startFreshN8n } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2 } from '../harness.ts';
import { hook, line, node, set } from '../../support/workflows.ts';
import { type Called, openRunBench, textOf } from '../../support/run-bench.ts';
import { agentWith, codeTool } from '../../support/tool-bench.ts';

export interface Failed {
  readonly tool: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly text: string;
}

export interface Told {
  /** Answered calls by tool. */
  readonly answered: ReadonlyMap<string, number>;
  readonly failed: readonly Failed[];
  /** How often a tool was missing from a list while n8n was away. */
  readonly missing: number;
  readonly lists: number;
}

/** Each call takes this long in n8n, so that many are running at the kill. */
const NAP_SECONDS = 1;
const BACK_MS = 60_000;

/**
 * Calls a workflow by webhook, a workflow through the runner, and an AI tool, many in parallel, while n8n is killed and
 * restarts. Lists the tools all the time.
 */
export async function callThroughRestart(calls: number): Promise<Told> {
  await using n8n = await startFreshN8n();
  await using bench = await openRunBench({ reached: n8n, bridge: { timeout: '60s' } });
  const nap = node('Nap', 'wait', 1.1, { amount: NAP_SECONDS, unit: 'seconds' });
  const echo = set('Out', '({ n: $json.n ?? $json.body.n })');
  await bench.workflow('hooked', line(hook(bench.name('hooked')), nap, echo));
  await bench.workflow(
    'called',
    line(node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), nap, echo),
  );
  const slowly = `await new Promise((done) => setTimeout(done, ${NAP_SECONDS * 1000})); return JSON.stringify({ n: query.n })`;
  const slow = codeTool('slow', slowly, { n: { type: 'number' } });
  await bench.workflow('agent', agentWith([slow]), { listed: false, publish: false });
  await bench.refresh();
  const names = [bench.tool('hooked'), bench.tool('called'), `${bench.tool('agent').slice('run_'.length)}__slow`];
  for (const name of names) await bench.listed(name);
  await using modern = await connectV2(bench.gateway, { era: 'modern' });
  await using sse = await connectV1(bench.gateway, { transport: 'sse' });
  const over = new AbortController();
  let missing = 0;
  let lists = 0;
  const looking = (async () => {
    for (; !over.signal.aborted; await delay(200)) {
      const listed = new Set((await modern.listTools()).tools.map(({ name }) => name));
      missing += names.filter((name) => !listed.has(name)).length;
      lists++;
    }
  })();
  const failed: Failed[] = [];
  const answered = new Map<string, number>();
  const one = async (n: number): Promise<void> => {
    const client = n % 4 === 0 ? sse : modern;
    const tool = names[n % names.length] as string;
    const result = (await callTool(client, tool, { n })) as Called;
    if (!result.isError) {
      if (textOf(result) !== JSON.stringify({ n })) throw new Error(`Call ${n} was answered with ${textOf(result)}.`);
      answered.set(tool, (answered.get(tool) ?? 0) + 1);
      return;
    }
    const why = result._meta?.['sluice/error'] as { code: string; retryable: boolean } | undefined;
    failed.push({ tool, code: why?.code ?? 'none', retryable: why?.retryable ?? false, text: textOf(result) });
  };
  const calling: Promise<void>[] = [];
  const upTo = (share: number) => {
    while (calling.length < calls * share) calling.push(one(calling.length));
  };
  // Some calls are answered, many are running at the kill, and some begin while n8n is away.
  upTo(0.2);
  await vi.waitFor(() => expect(answered.size).toBe(names.length), { timeout: BACK_MS, interval: 20 });
  upTo(0.8);
  await n8n.kill();
  upTo(1);
  await Promise.all(calling);
  await n8n.ready();
  // They recover by themselves.
  for (const name of names) await untilAnswered(name);
  over.abort();
  await looking;
  return { answered, failed, missing, lists };

  async function untilAnswered(name: string): Promise<void> {
    for (const end = Date.now() + BACK_MS; ; await delay(250)) {
      const result = (await callTool(modern, name, { n: 7 })) as Called;
      if (!result.isError) return;
      if (Date.now() > end) throw new Error(`${name} did not come back: ${textOf(result)}`);
    }
  }
}
