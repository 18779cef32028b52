import { createHash } from 'node:crypto';
import type { Connections, Credential, Node } from '../../../n8n/client/shapes.ts';
import type { WorkflowBody } from '../../../n8n/client/workflows.ts';
import { GENERATED_PREFIX, markNote, type Mark } from '../../../n8n/generated.ts';
import { stableJson } from '../../../n8n/generate/stable-json.ts';
import type { FoundTool } from '../ai-tools.ts';
import type { Found } from '../../discover.ts';

/** A tool and its assigned name. */
export interface NamedTool {
  readonly key: string;
  readonly name: string;
  readonly found: FoundTool;
}

export interface EndpointPlan {
  readonly source: Pick<Found, 'id' | 'name' | 'timezone'>;
  readonly tools: readonly NamedTool[];
  readonly path: string;
  readonly credential: Pick<Credential, 'id' | 'name'>;
  readonly mark: Pick<Mark, 'owner' | 'part'>;
}

const kept = [
  'id',
  'type',
  'typeVersion',
  'parameters',
  'credentials',
  'onError',
  'continueOnFail',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'executeOnce',
  'alwaysOutputData',
] as const;

const LONGEST_NAME = 120;
const COLUMNS = 8;

/** Name of the trigger node. n8n sends it as the server's name, so it shows which version of an endpoint answers. */
export const serverNameOf = (hash: string): string => `sluice-${hash}`;

/**
 * A workflow with an MCP Server Trigger and copies of tools. The copies keep credentials and parameters, but not notes,
 * position and webhook id.
 */
export function endpointWorkflow(plan: EndpointPlan): { body: WorkflowBody; hash: string } {
  const hash = hashOf(plan);
  const trigger = serverNameOf(hash);
  const about = `Made by Sluice from the workflow "${plan.source.name}" (${plan.source.id}). Do not edit it: Sluice updates it when that workflow changes. \`sluice bridge remove\` deletes it.`;
  const mark: Mark = { ...plan.mark, kind: 'endpoint', source: plan.source.id, hash };
  const { nodes, connections } = copies(plan.tools, trigger);
  nodes.unshift({
    id: 'sluice-trigger',
    name: trigger,
    type: '@n8n/n8n-nodes-langchain.mcpTrigger',
    typeVersion: 2,
    position: [0, 0],
    parameters: { path: plan.path, authentication: 'headerAuth' },
    webhookId: plan.path,
    credentials: { httpHeaderAuth: { id: plan.credential.id, name: plan.credential.name } },
    notes: markNote(about, mark),
  });
  const { timezone } = plan.source;
  const settings = {
    executionOrder: 'v1',
    // Sluice records successful calls as events. A failure is best examined in n8n.
    saveDataSuccessExecution: 'none',
    saveDataErrorExecution: 'all',
    availableInMCP: false,
    callerPolicy: 'none',
    ...(timezone !== undefined && { timezone }),
  };
  const name = `${GENERATED_PREFIX}${plan.source.name}`.slice(0, LONGEST_NAME);
  return { body: { name, nodes, connections, settings }, hash };
}

function hashOf({ source, tools, path, credential }: EndpointPlan): string {
  const essence = [
    source.name,
    source.timezone,
    path,
    credential.id,
    tools.map((one) => [one.name, one.found.fingerprint]),
  ];
  return createHash('sha256').update(stableJson(essence)).digest('hex').slice(0, 12);
}

/** Copies a sub-node that several tools share once. */
function copies(tools: readonly NamedTool[], trigger: string): { nodes: Node[]; connections: Connections } {
  const names = new Map(tools.map(({ name, found }) => [found.node.name, name]));
  const taken = new Set([trigger, ...names.values()]);
  for (const { found } of tools) {
    for (const { name } of found.closure) {
      if (names.has(name)) continue;
      let own = name;
      while (taken.has(own)) own = `${own} (sub)`;
      names.set(name, own);
      taken.add(own);
    }
  }
  const nodes = new Map<string, Node>();
  const connections = new Map<string, Connections[string]>();
  const renamed = (name: string) => names.get(name) ?? name;
  for (const { found } of tools) {
    for (const node of [found.node, ...found.closure]) {
      const name = renamed(node.name);
      if (!nodes.has(name)) nodes.set(name, copyOf(node, name, nodes.size));
    }
    for (const [from, kinds] of Object.entries(found.links)) {
      const into = connections.get(renamed(from)) ?? (Object.create(null) as Connections[string]);
      for (const [kind, outputs] of Object.entries(kinds)) into[kind] = merged(into[kind] ?? [], outputs, renamed);
      connections.set(renamed(from), into);
    }
  }
  for (const { name } of tools) {
    const own = connections.get(name) ?? {};
    const [first, ...others] = own.ai_tool ?? [];
    own.ai_tool = [[...(first ?? []), { node: trigger, type: 'ai_tool', index: 0 }], ...others];
    connections.set(name, own);
  }
  return { nodes: [...nodes.values()], connections: Object.fromEntries(connections) };
}

type Outputs = Connections[string][string];

/** Two tools that share a sub-node bring the same link twice. */
function merged(known: Outputs, more: Outputs, renamed: (name: string) => string): Outputs {
  const outputs = known.map((output) => [...(output ?? [])]);
  for (const [index, output] of more.entries()) {
    const own = (outputs[index] ??= []);
    for (const target of output ?? []) {
      const link = { ...target, node: renamed(target.node) };
      if (!own.some((one) => one.node === link.node && one.type === link.type && one.index === link.index))
        own.push(link);
    }
  }
  // An unconnected output leaves a hole in the array.
  return Array.from(outputs, (output) => output ?? []);
}

function copyOf(node: Node, name: string, index: number): Node {
  const copy = Object.fromEntries(kept.flatMap((key) => (node[key] === undefined ? [] : [[key, node[key]]])));
  const position: [number, number] = [(index % COLUMNS) * 200, 220 + Math.floor(index / COLUMNS) * 180];
  return { ...copy, name, position } as Node;
}
