// What it costs to promote many workflows between two real n8n: the first time, and again when nothing has changed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool } from '../src/kernel/call.ts';
import type { CallContext, Json } from '../src/kernel/source.ts';
import { openBackups } from '../src/n8n/backups/open-backups.ts';
import type { N8nClient } from '../src/n8n/client/client.ts';
import { createInstances } from '../src/n8n/instances.ts';
import { n8nMigrations } from '../src/n8n/migrations.ts';
import { promote } from '../src/n8n/promotion/promote.ts';
import { promotionRecords } from '../src/n8n/promotion/records.ts';
import type { N8nDeps } from '../src/n8n/tool.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';

export interface Reached {
  readonly url: string;
  readonly apiKey: string;
}

export interface PromotionRun {
  readonly what: string;
  readonly ms: number;
  /** To both n8n, per promoted workflow. */
  readonly requestsPerWorkflow: number;
  readonly largestReply: number;
}

export interface PromotionFigures {
  readonly workflows: number;
  readonly runs: readonly PromotionRun[];
}

interface Report {
  readonly state: string;
  readonly plan?: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Creates workflows on one n8n, promotes them to the other twice, and removes all of them again. */
export async function measurePromotion(from: Reached, to: Reached, workflows = 100): Promise<PromotionFigures> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'sluice-promotion-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const store = stack.use(await openSqlite(':memory:', { migrations: new Map([['n8n', n8nMigrations]]) }));
  let requests = 0;
  const settings = ({ url, apiKey }: Reached) => ({ url, apiKey, timeoutMs: 60_000 });
  const instances = createInstances({ from: settings(from), to: settings(to) }, { heard: () => void requests++ });
  // The nodes of an n8n take 20 s to read, which has nothing to do with promotion.
  const unvalidated = { validation: () => ({ onSave: 'off' as const, rules: {} }) };
  const deps = {
    instances,
    backups: openBackups(() => ({ directory, keep: 10 }), { redact: (text) => text }).backups,
    promotions: promotionRecords(store.tables),
    ...unvalidated,
  } as unknown as N8nDeps;
  const call = callTool(promote, deps);
  const context = { signal: new AbortController().signal } as CallContext;
  const prefix = `bench-${Math.random().toString(36).slice(2, 8)}`;
  stack.defer(() => removeAll([instances.get('from'), instances.get('to')], prefix));
  const ids = await createAll(instances.get('from'), prefix, workflows);

  let largestReply = 0;
  async function ask(args: Json): Promise<Report> {
    const outcome = await call({ name: promote.name, arguments: args }, context);
    if ('error' in outcome) throw new Error(outcome.error.message);
    largestReply = Math.max(largestReply, Buffer.byteLength(outcome.json ?? ''));
    return outcome.result.structuredContent as Report;
  }

  async function measured(what: string, work: () => Promise<void>): Promise<PromotionRun> {
    [requests, largestReply] = [0, 0];
    const started = performance.now();
    await work();
    return { what, ms: performance.now() - started, requestsPerWorkflow: requests / workflows, largestReply };
  }

  const wanted = { workflows: ids, from: 'from', to: 'to' };
  let plan: Report | undefined;
  const runs = [
    await measured('plan of the first deployment', async () => {
      plan = await ask(wanted);
      if (plan.counts.create !== workflows) throw new Error(JSON.stringify(plan));
    }),
    await measured('first deployment', async () => {
      const done = await ask({ apply: plan?.plan });
      if (done.state !== 'done') throw new Error(JSON.stringify(done));
    }),
    await measured('again, nothing changed', async () => {
      const again = await ask(wanted);
      if (again.counts.unchanged !== workflows) throw new Error(JSON.stringify(again));
    }),
  ];
  return { workflows, runs };
}

/** Ten nodes each. Every fifth is called by the four after it. */
async function createAll(client: N8nClient, prefix: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const called = ids[index - (index % 5)];
    const trigger = {
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      parameters: { inputSource: 'passthrough' },
    };
    const code = { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: 'return $input.all();' } };
    const callOf = (value: string) => ({
      type: 'n8n-nodes-base.executeWorkflow',
      typeVersion: 1.2,
      parameters: { workflowId: { __rl: true, mode: 'id', value }, options: {} },
    });
    const steps = [trigger, ...Array.from({ length: 8 }, () => code), called === undefined ? code : callOf(called)];
    const nodes = steps.map((step, at) => ({
      ...step,
      id: crypto.randomUUID(),
      name: `Step ${at}`,
      position: [at * 200, 0] as [number, number],
    }));
    const connections = Object.fromEntries(
      nodes.slice(1).map(({ name }, at) => [`Step ${at}`, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
    );
    const { id } = await client.workflows.create({ name: `${prefix}-${index}`, nodes, connections, settings: {} });
    ids.push(id);
  }
  return ids;
}

async function removeAll(clients: readonly N8nClient[], prefix: string): Promise<void> {
  for (const client of clients) {
    for await (const { id, name } of client.workflows.all({ name: prefix })) {
      if (name.startsWith(prefix)) await client.workflows.delete(id);
    }
  }
}
