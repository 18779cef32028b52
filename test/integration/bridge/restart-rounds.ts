import { setTimeout as delay } from 'node:timers/promises';
import { startFreshN8n } from '../../n8n.ts';
import { callTool, connectV1, connectV2 } from '../harness.ts';
import { hook, line, node, set } from '../n8n/building.ts';
import { type Called, openRunBench, textOf } from './run-bench.ts';

export interface Told {
  /** How each call ended, by the words that matter. */
  readonly answered: number;
  readonly failed: readonly { code: string; retryable: boolean; text: string }[];
  /** How many of our tools were missing from any list while n8n was away. */
  readonly missing: number;
  readonly lists: number;
}

/** Calls workflows many at a time while n8n is killed and comes back, and looks at the list of tools throughout. */
export async function callThroughRestart(calls: number): Promise<Told> {
  await using n8n = await startFreshN8n();
  await using bench = await openRunBench({ reached: n8n, bridge: { timeout: '60s' } });
  const nap = (seconds: number) => node('Nap', 'wait', 1.1, { amount: seconds, unit: 'seconds' });
  const echo = set('Out', '({ n: $json.n ?? $json.body.n })');
  await bench.workflow('hooked', line(hook(bench.name('hooked')), nap(1), echo));
  await bench.workflow(
    'called',
    line(node('In', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), nap(1), echo),
  );
  await using modern = await connectV2(bench.gateway, { era: 'modern' });
  await using sse = await connectV1(bench.gateway, { transport: 'sse' });
  const names = [bench.tool('hooked'), bench.tool('called')];
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
  const failed: { code: string; retryable: boolean; text: string }[] = [];
  let answered = 0;
  const one = async (n: number): Promise<void> => {
    await delay((n / calls) * 4000);
    const client = n % 3 === 0 ? sse : modern;
    const result = (await callTool(client, names[n % 2] as string, { n })) as Called;
    if (!result.isError) {
      if (result.structuredContent?.n !== n) throw new Error(`Call ${n} was answered with ${textOf(result)}.`);
      answered++;
      return;
    }
    const why = result._meta?.['sluice/error'] as { code: string; retryable: boolean } | undefined;
    failed.push({ code: why?.code ?? 'none', retryable: why?.retryable ?? false, text: textOf(result) });
  };
  const calling = Promise.all(Array.from({ length: calls }, (_, n) => one(n)));
  await delay(2000);
  await n8n.kill();
  await calling;
  await n8n.ready();
  // It comes back by itself.
  for (const name of names) await untilAnswered(name);
  over.abort();
  await looking;
  return { answered, failed, missing, lists };

  async function untilAnswered(name: string): Promise<void> {
    for (const end = Date.now() + 60_000; ; await delay(250)) {
      const result = (await callTool(modern, name, { n: 7 })) as Called;
      if (!result.isError) return;
      if (Date.now() > end) throw new Error(`${name} did not come back: ${textOf(result)}`);
    }
  }
}
