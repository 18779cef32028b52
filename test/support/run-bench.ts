/**
 * Workflows on a real n8n, and a gateway that lists those with this suite's tag as tools.
 *
 *   await using bench = await openRunBench();                       // the shared n8n, or one that you pass
 *   const { id } = await bench.workflow('orders', line(hook(bench.name('orders')), set('Out', '$json.body')));
 *   await bench.listed(bench.tool('orders'));                       // published, tagged, and a tool
 *   await bench.call('orders', { a: 1 });
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connections, Node, Workflow } from '../../src/n8n/client/shapes.ts';
import { slugOf } from '../../src/bridge/identity.ts';
import { withoutCatalogue } from './catalogue.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway } from '../integration/harness.ts';
import { make } from './workflows.ts';
import { removeGeneratedBy } from './remove-generated.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from './workbench.ts';

export interface Called {
  readonly content: readonly Json[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
  readonly _meta?: Json;
}

export type CallOptions = Parameters<typeof callTool>[3];

export interface RunBench extends AsyncDisposable {
  readonly n8n: Workbench;
  readonly gateway: TestGateway;
  readonly config: Json;
  name(name: string): string;
  /** The tool name of a workflow of this name. */
  tool(name: string): string;
  /** Creates a workflow that is a tool, and waits until it is listed. */
  workflow(
    name: string,
    body: { nodes: Node[]; connections: Connections },
    options?: { settings?: Json; listed?: boolean; publish?: boolean },
  ): Promise<Workflow>;
  /** Polls now instead of waiting for the next poll. */
  refresh(): Promise<void>;
  tools(): Promise<Json[]>;
  listed(tool: string, wanted?: boolean): Promise<Json | undefined>;
  call(name: string, args?: Json, options?: CallOptions): Promise<Called>;
}

const LISTED_MS = 15_000;

export async function openRunBench(
  options: { reached?: Reached; bridge?: Json; home?: string } = {},
): Promise<RunBench> {
  await using stack = new AsyncDisposableStack();
  const reached = options.reached ?? (await reachN8n());
  const n8n = stack.use(await openWorkbench([], reached));
  const tag = await n8n.client.tags.create(n8n.name('mcp'));
  const { url, apiKey, owner } = reached;
  const config = {
    n8n: { default: { url, apiKey, ...(owner && { login: owner }) } },
    nodes: withoutCatalogue,
    bridge: { apply: 'auto', workflows: { tag: tag.name, availableInMCP: false }, ...options.bridge },
  };
  let us: string | undefined;
  // Only after the gateway has stopped, which would create it again.
  stack.defer(() => removeGeneratedBy(n8n.client, us));
  const gateway = stack.use(await startGateway(config, options.home === undefined ? {} : { home: options.home }));
  us = (await gateway.runtime.store.settings.secret('bridge.owner')).toString('hex').slice(0, 10);
  const client = stack.use(await connectV2(gateway));

  const refresh = async (id?: string) => {
    await (await gateway.runtime.apis.bridge.open())?.deps.refresh('default', id);
  };
  async function tools(): Promise<Json[]> {
    return (await client.listTools()).tools;
  }
  async function listed(tool: string, wanted = true): Promise<Json | undefined> {
    for (const end = Date.now() + LISTED_MS; ; await delay(100)) {
      const all = await tools();
      const found = all.find((one) => one.name === tool);
      if ((found !== undefined) === wanted) return found;
      if (Date.now() > end) {
        const names = all.map((one) => one.name).filter((one) => String(one).startsWith('run_'));
        throw new Error(`${tool} ${wanted ? 'was not' : 'is still'} listed. There are: ${names.join(', ')}`);
      }
    }
  }
  const owned = stack.move();
  const bench: RunBench = {
    n8n,
    gateway,
    config,
    name: n8n.name,
    tool: (name) => `run_${slugOf(n8n.name(name))}`,
    async workflow(name, body, { settings = {}, listed: wait = true, publish = true } = {}) {
      const made = await make(n8n, name, body, { settings, publish });
      await n8n.client.workflows.setTags(made.id, [tag.id]);
      if (!wait) return made;
      await refresh(made.id);
      await listed(bench.tool(name));
      return made;
    },
    refresh,
    tools,
    listed,
    call: async (name, args = {}, more) => (await callTool(client, bench.tool(name), args, more)) as Called,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return bench;
}

/** The execution of a call, as its result names it. */
export const executionOf = ({ _meta }: Called): string =>
  (_meta?.['sluice/execution'] as { id: string } | undefined)?.id ?? '';

export const textOf = ({ content }: Pick<Called, 'content'>): string =>
  content.flatMap((one) => (typeof one.text === 'string' ? [one.text] : [])).join('\n');
