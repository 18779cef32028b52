import type { Connections, Node, Workflow } from '../../src/n8n/client/shapes.ts';
import { untilLive } from '../../src/n8n/workflows/live.ts';
import type { Workbench } from './workbench.ts';

/** One of n8n's own nodes, by the end of its type. */
export function node(
  name: string,
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown> = {},
  more: Partial<Node> = {},
): Node {
  const full = type.includes('.') ? type : `n8n-nodes-base.${type}`;
  return { id: crypto.randomUUID(), name, type: full, typeVersion, position: [0, 0], parameters, ...more };
}

/** By default it answers with the last node's data. */
export const hook = (path: string, parameters: Record<string, unknown> = {}): Node =>
  node(
    'Hook',
    'webhook',
    2,
    { path, httpMethod: 'POST', responseMode: 'lastNode', ...parameters },
    { webhookId: crypto.randomUUID() },
  );

/** A public chat. */
export const chat = (options: Record<string, unknown> = {}): Node =>
  node(
    'Chat',
    '@n8n/n8n-nodes-langchain.chatTrigger',
    1.1,
    { public: true, options },
    { webhookId: crypto.randomUUID() },
  );

export const set = (name: string, expression: string): Node =>
  node(name, 'set', 3.4, { mode: 'raw', jsonOutput: `={{ JSON.stringify(${expression}) }}`, options: {} });

/** Fails if told to, otherwise passes its input on. */
export const picky = (name = 'Check'): Node =>
  node(name, 'code', 2, {
    jsCode:
      'const { fail } = $json.body ?? $json;\nif (fail) throw new Error("refused: " + fail);\nreturn [{ json: { passed: $json.body ?? $json } }];',
  });

/** One node after the other. */
export function line(...nodes: Node[]): { nodes: Node[]; connections: Connections } {
  const connections = Object.fromEntries(
    nodes
      .slice(1)
      .map(({ name }, index) => [(nodes[index] as Node).name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  );
  return { nodes, connections };
}

export async function make(
  bench: Workbench,
  name: string,
  body: { nodes: Node[]; connections: Connections },
  { publish = true, settings = {} }: { publish?: boolean; settings?: Record<string, unknown> } = {},
): Promise<Workflow> {
  const made = await bench.client.workflows.create({
    name: bench.name(name),
    ...body,
    settings: { executionOrder: 'v1', ...settings },
  });
  if (!publish) return made;
  const published = await bench.client.workflows.publish(made.id);
  await untilLive(bench.client, published, false, AbortSignal.timeout(20_000));
  return published;
}
