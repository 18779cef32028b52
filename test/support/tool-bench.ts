/**
 * Agents with tools on a real n8n, and a gateway that may bridge the agents of this suite.
 *
 *   await using bench = await openToolBench();                        // the shared n8n, or one that you pass
 *   const { id } = await bench.agent('sums', [tool('Calculator', 'toolCalculator', 1)]);
 *   await bench.own('bridge_apply');                                  // one of our own tools, as a client calls it
 *   await bench.call('sums', 'Calculator', { input: '25*42' });
 *
 * Everything with the suite's tag is chosen; nothing is generated before bridge_apply unless `bridge` says otherwise.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { credentialName } from '../../src/n8n/generate/header.ts';
import { slugOf } from '../../src/bridge/identity.ts';
import type { Connections, Node, Workflow } from '../../src/n8n/client/shapes.ts';
import { GENERATED_PREFIX, markOf } from '../../src/n8n/generated.ts';
import { withoutCatalogue } from './catalogue.ts';
import {
  type AnyClient,
  type CallOptions,
  callTool,
  connectV2,
  type Json,
  startGateway,
  type TestGateway,
} from '../integration/harness.ts';
import { make, node } from './workflows.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from './workbench.ts';

export const ai = '@n8n/n8n-nodes-langchain.';

/** A tool of the AI nodes, by the end of its type; with a dot, by its full type. */
export const tool = (
  name: string,
  type: string,
  version: number,
  parameters: Json = {},
  more: Partial<Node> = {},
): Node => node(name, type.includes('.') ? type : `${ai}${type}`, version, parameters, more);

/** A Code tool that takes { text }. */
export const codeTool = (name: string, jsCode: string, schema: Json = { text: { type: 'string' } }): Node =>
  tool(name, 'toolCode', 1.3, {
    description: `Does ${name}`,
    jsCode,
    specifyInputSchema: true,
    schemaType: 'manual',
    inputSchema: JSON.stringify({ type: 'object', properties: schema, required: Object.keys(schema) }),
  });

export const calculator = (name = 'Calculator'): Node => tool(name, 'toolCalculator', 1);

/** An unpublished agent with these tools; `links` attach sub-nodes to them. */
export function agentWith(tools: readonly Node[], subNodes: readonly Node[] = [], links: Connections = {}) {
  const nodes = [
    node('When chat message received', `${ai}chatTrigger`, 1.3, {}, { webhookId: crypto.randomUUID() }),
    node('AI Agent', `${ai}agent`, 3, { options: {} }),
    ...tools,
    ...subNodes,
  ];
  const connections: Connections = {
    'When chat message received': { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
    ...Object.fromEntries(
      tools.map(({ name }) => [name, { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] }]),
    ),
    ...links,
  };
  return { nodes, connections };
}

export interface Called {
  readonly content: readonly Json[];
  readonly isError?: boolean;
  readonly structuredContent?: Json;
}

export const textOf = ({ content }: Pick<Called, 'content'>): string =>
  content.flatMap((one) => (typeof one.text === 'string' ? [one.text] : [])).join('\n');

export interface ToolBench extends AsyncDisposable {
  readonly n8n: Workbench;
  readonly gateway: TestGateway;
  readonly client: AnyClient;
  readonly config: Json;
  readonly tag: { id: string; name: string };
  readonly owner: string;
  name(name: string): string;
  slug(name: string): string;
  agent(name: string, tools: readonly Node[], more?: { chosen?: boolean }): Promise<Workflow>;
  put(workflow: Workflow, body: { nodes: Node[]; connections: Connections; name?: string }): Promise<void>;
  /** Polls now instead of waiting for the next poll. */
  refresh(): Promise<void>;
  /** The listed tools whose names begin with this. */
  listed(prefix: string): Promise<string[]>;
  /** Waits until the names that begin with this are exactly these. */
  until(prefix: string, names: readonly string[]): Promise<void>;
  call(workflow: string, tool: string, args?: Json): Promise<Called>;
  /** Calls one of our own tools; returns its data, or throws. */
  own<T = Json>(tool: string, args?: Json, options?: CallOptions): Promise<T>;
  /** Workflows in n8n that this gateway generated. */
  generated(): Promise<Workflow[]>;
}

const LISTED_MS = 20_000;

export async function openToolBench(
  options: { reached?: Reached; bridge?: Json; config?: Json; home?: string } = {},
): Promise<ToolBench> {
  await using stack = new AsyncDisposableStack();
  const reached = options.reached ?? (await reachN8n());
  const n8n = stack.use(await openWorkbench([], reached));
  const tag = await n8n.client.tags.create(n8n.name('mcp'));
  const { url, apiKey, owner: login } = reached;
  const config = {
    n8n: { default: { url, apiKey, ...(login && { login }) } },
    nodes: withoutCatalogue,
    bridge: { workflows: { tag: tag.name, availableInMCP: false }, poll: '1h', ...options.bridge },
    ...options.config,
  };
  let owner = '';
  // Only after the gateway has stopped, which would create it again.
  stack.defer(() => removeGenerated(n8n, owner));
  const gateway = stack.use(await startGateway(config, options.home === undefined ? {} : { home: options.home }));
  owner = (await gateway.runtime.store.settings.secret('bridge.owner')).toString('hex').slice(0, 10);
  const client = stack.use(await connectV2(gateway));

  const listed = async (prefix: string) =>
    ((await client.listTools()).tools as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix))
      .sort();
  const owned = stack.move();
  const bench: ToolBench = {
    n8n,
    gateway,
    client,
    config,
    tag,
    owner,
    name: n8n.name,
    slug: (name) => slugOf(n8n.name(name)),
    async agent(name, tools, { chosen = true } = {}) {
      const made = await make(n8n, name, agentWith(tools), { publish: false });
      if (chosen) await n8n.client.workflows.setTags(made.id, [tag.id]);
      return made;
    },
    async put({ id, name }, body) {
      await n8n.client.workflows.update(id, { name, settings: { executionOrder: 'v1' }, ...body }, false);
    },
    async refresh() {
      await (await gateway.runtime.apis.bridge.open())?.deps.refresh('default');
    },
    listed,
    async until(prefix, names) {
      const wanted = [...names].sort().join();
      for (const end = Date.now() + LISTED_MS; ; await delay(100)) {
        const now = (await listed(prefix)).join();
        if (now === wanted) return;
        if (Date.now() > end) throw new Error(`Listed are ${now || 'none'}, not ${wanted || 'none'}.`);
      }
    },
    call: async (workflow, name, args = {}) =>
      (await callTool(client, `${bench.slug(workflow)}__${name}`, args)) as Called,
    async own<T>(name: string, args: Json = {}, options: CallOptions = {}) {
      const first = (await callTool(client, name, args, options)) as Called;
      const token = /"confirm": "([^"]+)"/.exec(textOf(first))?.[1];
      const answer =
        token === undefined ? first : ((await callTool(client, name, { ...args, confirm: token })) as Called);
      if (answer.isError) throw new Error(textOf(answer));
      return answer.structuredContent as T;
    },
    generated: async () =>
      (await Array.fromAsync(n8n.client.workflows.all({ name: GENERATED_PREFIX }))).filter(
        (workflow) => markOf(workflow)?.owner === owner,
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return bench;
}

/** Only what this suite's gateway has generated: other suites may share the n8n. */
async function removeGenerated({ client }: Workbench, owner: string): Promise<void> {
  for await (const workflow of client.workflows.all({ name: GENERATED_PREFIX })) {
    if (markOf(workflow)?.owner === owner) await client.workflows.delete(workflow.id);
  }
  for await (const { id, name } of client.credentials.all()) {
    if (name === credentialName(owner)) await client.credentials.delete(id);
  }
}
